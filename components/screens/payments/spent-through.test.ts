import { expect, test } from 'vitest'
import { spentThrough } from './spent-through'

const asset = { symbol: 'USDC', decimals: 6 }
const closed = { asset, state: 'closed', signed: '9', claimed: '5', createdAt: '2026-11-02T00:00:00.000Z' } as const
const open = { ...closed, state: 'open', signed: '7', claimed: '2' } as const

test('spending through channels is what was claimed, and the vouchers of those that are not closed', () => {
  expect(spentThrough({ channels: [closed, open], next: null }, asset, '2025-12')).toEqual({ amount: 12n, channels: 2 })
  expect(spentThrough({ channels: [closed], next: null }, { symbol: 'EURC' }, '2025-12')).toBeNull()
})

test('spending through channels is not said where a page may lack some, or has older ones', () => {
  expect(spentThrough({ channels: [closed], next: 'more' }, asset, '2025-12')).toBeNull()
  expect(spentThrough({ channels: [closed], next: null }, asset, '2026-12')).toBeNull()
})
