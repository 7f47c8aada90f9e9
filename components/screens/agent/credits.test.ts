import { expect, test } from 'vitest'
import { moneyOn, priceOf } from '../../client/credit-price-text'
import { eachDay } from '../../ui/chart/each-day'

test('a price on a test network is in test money', () => {
  expect(moneyOn('eip155:84532', priceOf(100))).toBe('0.10 test USDC')
  expect(moneyOn('eip155:8453', priceOf(1_000))).toBe('1.00 USDC')
})

test('every day has a bar, empty ones too, and the same day of several keys is one', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  const known = [
    { day: '2026-11-22', count: 2, failed: 1 },
    { day: '2026-11-22', count: 3, failed: 0 },
    { day: '2026-10-01', count: 9, failed: 9 },
  ]
  expect(eachDay(known, 3, now)).toEqual([
    { day: '2026-11-21', count: 0, failed: 0 },
    { day: '2026-11-22', count: 5, failed: 1 },
    { day: '2026-11-23', count: 0, failed: 0 },
  ])
})
