import { expect, test } from 'vitest'
import { moneyOn, priceOf } from '../../client/credit-price-text'
import { eachDay } from '../../ui/chart/each-day'
import { daysLeft, paceText } from './credits-over-time'

test('credits last as many days as the last week suggests; without use, or for over a year, nothing is said', () => {
  expect(daysLeft(100, 70)).toBe(10)
  expect(daysLeft(3, 70)).toBe(0)
  expect(daysLeft(100, 0)).toBeNull()
  expect(daysLeft(1_000_000, 7)).toBeNull()
})

test('the pace counts the last seven days only', () => {
  const days = (last: number) => Array.from({ length: 30 }, (_, at) => ({ day: `${at}`, count: at < 23 ? 9 : last, failed: 0 }))
  expect(paceText(days(0), 100)).toBe('Not used in the last 7 days')
  expect(paceText(days(10), 100)).toBe('About 10 days at your current pace')
  expect(paceText(days(10), 15)).toBe('About a day at your current pace')
  expect(paceText(days(10), 3)).toBe('Less than a day at your current pace')
  expect(paceText(days(1), 1_000)).toBe('7 used in the last 7 days')
})

test('a price on a test network is in test money', () => {
  expect(moneyOn('eip155:84532', priceOf(100))).toBe('0.1 test USDC')
  expect(moneyOn('eip155:8453', priceOf(1_000))).toBe('1 USDC')
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
