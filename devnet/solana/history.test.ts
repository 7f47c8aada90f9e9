import { expect, test } from 'vitest'
import { createHistory, type Landed } from './history'

const landed = (slot: number): Landed => ({
  signature: `of slot ${slot}`,
  slot,
  blockTime: 0,
  err: null,
  fee: '5000',
  logs: [],
  unitsConsumed: 0,
  innerInstructions: [],
  raw: '',
  accounts: [],
  preBalances: [],
  postBalances: [],
  preTokenBalances: [],
  postTokenBalances: [],
})
const slots = Array.from({ length: 5_002 }, (_, index) => index + 1)

test('a history without its oldest transactions knows its first complete slot', () => {
  const history = createHistory({ landed: [], firstSlot: 0 })
  for (const slot of slots.slice(0, 5_000)) history.add(landed(slot))
  expect(history.firstSlot()).toBe(0)
  for (const slot of slots.slice(5_000)) history.add(landed(slot))
  expect(history.firstSlot()).toBe(3)
  expect([history.find('of slot 2'), history.find('of slot 3')?.slot]).toEqual([undefined, 3])
})

test('the newest transactions are kept with their first slot', () => {
  const history = createHistory({ landed: [7, 8, 9].map(landed), firstSlot: 4 })
  expect(history.newest(3)).toEqual({ landed: [7, 8, 9].map(landed), firstSlot: 4 })
  expect(createHistory(history.newest(2)).firstSlot()).toBe(8)
})
