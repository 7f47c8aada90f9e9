import { describe, expect, test } from 'vitest'
import {
  age,
  ago,
  clockTime,
  columnZone,
  dayDate,
  dayRange,
  exactDate,
  rowDate,
  shortDate,
  spanText,
  timeRange,
  wholeDate,
} from './dates'

const AT = new Date('2026-11-23T14:05:09.123Z')

describe('a date on a screen', () => {
  test('is English, carries its zone, and has a year when it is another', () => {
    expect(shortDate(AT, 'UTC')).toBe('Nov 23, 14:05 UTC')
    expect(shortDate(AT, 'Europe/Berlin')).toBe('Nov 23, 15:05 UTC+01:00')
    expect(shortDate(AT, 'Asia/Kathmandu')).toBe('Nov 23, 19:50 UTC+05:45')
    expect(shortDate(AT, 'UTC', new Date('2027-01-02T00:00:00Z'))).toBe('Nov 23, 2026, 14:05 UTC')
    expect(exactDate(AT, 'UTC')).toBe('Nov 23, 2026, 14:05:09.123 UTC')
    expect(wholeDate(AT, 'UTC')).toBe('Mon, Nov 23, 2026, 14:05:09 UTC')
    expect(clockTime(AT, 'Europe/Berlin')).toBe('15:05:09.123')
  })

  test('of a length of time says its day once', () => {
    const plain = (hours: number) => timeRange(AT, new Date(AT.getTime() + hours * 3_600_000), 'UTC').replaceAll(/\s/g, ' ')
    expect(plain(1)).toBe('Nov 23, 14:05 – 15:05 UTC')
    expect(plain(10)).toBe('Nov 23, 14:05 – Nov 24, 00:05 UTC')
  })

  test('in a sentence is relative for a day, then has its date and zone', () => {
    const later = (seconds: number) => ago(AT, new Date(AT.getTime() + seconds * 1_000), 'UTC')
    expect([-5, 0, 1, 59, 60, 3_599, 3_600, 86_399, 86_400].map(later)).toEqual([
      'now',
      'now',
      '1 s ago',
      '59 s ago',
      '1 min ago',
      '59 min ago',
      '1 h ago',
      '23 h ago',
      'Nov 23, 14:05 UTC',
    ])
    expect(later(-3_600)).toBe('Nov 23, 14:05 UTC')
    expect(ago(AT, new Date('2026-11-24T19:05:09.123Z'), 'Asia/Kathmandu')).toBe('Nov 23, 19:50 UTC+05:45')
    const hours = (count: number) => age(AT, new Date(AT.getTime() + count * 3_600_000))
    expect([1, 23, 24, 47, 48].map(hours)).toEqual(['1 h ago', '23 h ago', '1 day ago', '1 day ago', '2 days ago'])
  })

  test('in a row has one form, and the zone is in the head of its column', () => {
    expect(rowDate(AT, 'UTC', AT)).toBe('Nov 23, 14:05:09')
    expect(rowDate(AT, 'Europe/Berlin', AT)).toBe('Nov 23, 15:05:09')
    expect(rowDate(AT, 'UTC', new Date('2027-01-02T00:00:00Z'))).toBe('Nov 23, 2026, 14:05:09')
    const summer = new Date('2026-07-01T00:00:00Z')
    expect(columnZone([AT, summer], 'UTC')).toBe('UTC')
    expect(columnZone([AT], 'Europe/Berlin')).toBe('UTC+01:00')
    // Its clocks changed between the rows.
    expect(columnZone([AT, summer], 'Europe/Berlin')).toBe('Europe/Berlin')
  })

  test('of a day has no clock time, and its year', () => {
    expect(dayDate(AT, 'UTC')).toBe('Nov 23, 2026')
    expect(dayDate(AT, 'Pacific/Kiritimati')).toBe('Nov 24, 2026')
  })

  test('of a length has its parts', () => {
    expect([0, 90, 3_600, 86_400, 183_900].map(spanText)).toEqual(['0 s', '1 min 30 s', '1 h', '1 day', '2 days 3 h 5 min'])
  })

  test('of a range names its days', () => {
    const range = (from: string, to: string) => dayRange(new Date(from), new Date(to))
    expect(range('2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z')).toBe('Nov 23, 2026')
    expect(range('2026-11-01T00:00:00Z', '2026-11-24T00:00:00Z')).toBe('Nov 1 – Nov 23, 2026')
    expect(range('2025-12-31T00:00:00Z', '2026-01-02T00:00:00Z')).toBe('Dec 31, 2025 – Jan 1, 2026')
  })
})
