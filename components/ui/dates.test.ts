import { describe, expect, test } from 'vitest'
import { ago, clockTime, dayRange, exactDate, shortDate, wholeDate } from './dates'

const AT = new Date('2026-11-23T14:05:09.123Z')

describe('a date on a screen', () => {
  test('is English, carries its zone, and has a year when it is another', () => {
    expect(shortDate(AT, 'UTC')).toBe('Nov 23, 14:05 UTC')
    expect(shortDate(AT, 'Europe/Berlin')).toBe('Nov 23, 15:05 UTC+01:00')
    expect(shortDate(AT, 'Asia/Kathmandu')).toBe('Nov 23, 19:50 UTC+05:45')
    expect(shortDate(AT, 'UTC', new Date('2027-01-02T00:00:00Z'))).toBe('Nov 23, 2026, 14:05 UTC')
    expect(exactDate(AT, 'UTC')).toBe('Nov 23, 2026, 14:05:09.123 UTC')
    expect(wholeDate(AT, 'UTC')).toBe('Mon, Nov 23, 2026, 14:05:09 UTC')
    expect(clockTime(AT, 'Europe/Berlin')).toBe('15:05:09 UTC+01:00')
  })

  test('is relative for an hour, then a clock time for the rest of its day', () => {
    const later = (seconds: number) => ago(AT, new Date(AT.getTime() + seconds * 1_000), 'UTC')
    expect([-5, 0, 1, 59, 60, 3_599, 3_600, 35_000, 36_000].map(later)).toEqual([
      ...['now', 'now', '1 sec. ago', '59 sec. ago', '1 min. ago', '59 min. ago', '14:05:09 UTC', '14:05:09 UTC'],
      'Nov 23, 14:05 UTC',
    ])
    expect(ago(AT, new Date('2026-11-23T19:05:09.123Z'), 'Asia/Kathmandu')).toBe('Nov 23, 19:50 UTC+05:45')
  })

  test('of a range names its days', () => {
    const range = (from: string, to: string, zone = 'UTC') => dayRange(new Date(from), new Date(to), zone)
    expect(range('2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z')).toBe('Nov 23, 2026')
    expect(range('2026-11-01T00:00:00Z', '2026-11-24T00:00:00Z')).toBe('Nov 1 – Nov 23, 2026')
    expect(range('2025-12-31T00:00:00Z', '2026-01-02T00:00:00Z')).toBe('Dec 31, 2025 – Jan 1, 2026')
    expect(range('2026-11-22T23:00:00Z', '2026-11-23T23:00:00Z', 'Europe/Berlin')).toBe('Nov 23, 2026')
  })
})
