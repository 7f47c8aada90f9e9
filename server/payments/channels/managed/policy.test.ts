import { expect, test } from 'vitest'
import { WITHDRAW_DELAY } from '../../../x402/schemes/batch-settlement/channel'
import { createReadings, DELAY_SHARE, ROUND_MS } from './policy'

/** The rounds of so many in which the chain is read. */
const readIn = (rounds: number, { isDue } = createReadings()) =>
  Array.from({ length: rounds }, (_, round) => round).filter(() => isDue(false))

test('the chain is read in the first round, then at least once a minute and in no more rounds than that', () => {
  const [first, ...others] = readIn(100)
  expect(first).toBe(0)
  expect(others.map((round) => (round * ROUND_MS) / 60_000)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('a withdrawal right after a reading leaves half of the least delay for its claim, also when every charge is as old as it may become', () => {
  const [, second = Number.POSITIVE_INFINITY] = readIn(100)
  const detection = (second * ROUND_MS) / 1_000
  expect(WITHDRAW_DELAY.least / DELAY_SHARE + detection).toBeLessThanOrEqual(WITHDRAW_DELAY.least / 2)
})

test('an urgent round reads at once, and so does the one after a reading that failed', () => {
  const readings = createReadings()
  expect([readings.isDue(false), readings.isDue(false), readings.isDue(true), readings.isDue(false)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  readings.again()
  expect([readings.isDue(false), readings.isDue(false)]).toEqual([true, false])
})
