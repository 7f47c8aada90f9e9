import { expect, test } from 'vitest'
import { eachHour } from './hour-bars'

test('each of the last 24 hours has a bar, empty ones too, and older hours have none', () => {
  const now = Date.parse('2026-11-27T07:30:00Z')
  const bars = eachHour(
    [
      { hour: '2026-11-26T07:00:00.000Z', good: 9, bad: 9 },
      { hour: '2026-11-26T08:00:00.000Z', good: 3, bad: 1 },
      { hour: '2026-11-27T07:00:00.000Z', good: 0, bad: 2 },
    ],
    now,
    now - 2 * 86_400_000,
  )
  expect(bars).toHaveLength(24)
  expect(bars[0]).toEqual({ hour: Date.parse('2026-11-26T08:00:00Z'), good: 3, bad: 1 })
  expect(bars[23]).toEqual({ hour: Date.parse('2026-11-27T07:00:00Z'), good: 0, bad: 2 })
  expect(bars.slice(1, 23).every(({ good, bad }) => good === 0 && bad === 0)).toBe(true)
})

test('the chart of a new webhook begins when it was created, with 12 hours at least', () => {
  const now = Date.parse('2026-11-27T07:30:00Z')
  const first = (created: string) => eachHour([], now, Date.parse(created))[0]?.hour
  expect(first('2026-11-26T15:10:00Z')).toBe(Date.parse('2026-11-26T15:00:00Z'))
  expect(first('2026-11-27T07:10:00Z')).toBe(Date.parse('2026-11-26T20:00:00Z'))
})
