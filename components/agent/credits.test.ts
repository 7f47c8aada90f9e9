import { expect, test } from 'vitest'
import { eachDay } from '../charts/each-day'
import { daysLeft } from './credits-over-time'

test('credits last as many days as the last week suggests; without use, or for over a year, nothing is said', () => {
  expect(daysLeft(100, 70)).toBe(10)
  expect(daysLeft(3, 70)).toBe(0)
  expect(daysLeft(100, 0)).toBeNull()
  expect(daysLeft(1_000_000, 7)).toBeNull()
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
