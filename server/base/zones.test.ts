import { describe, expect, test } from 'vitest'
import { dateAfter, dateIn, isZone, offsetText, startOf, wallClock } from './zones'

describe('the start of a day', () => {
  test.each([
    ['2026-11-23', 'UTC', '2026-11-23T00:00:00.000Z'],
    ['2026-11-23', 'Europe/Berlin', '2026-11-22T23:00:00.000Z'],
    ['2026-11-23', 'America/Los_Angeles', '2026-11-23T08:00:00.000Z'],
    ['2026-11-23', 'Asia/Kathmandu', '2026-11-22T18:15:00.000Z'],
    ['2026-11-23', 'Pacific/Kiritimati', '2026-11-22T10:00:00.000Z'],
    // The days on which clocks change, and the days after them.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    // Midnight is skipped: the day starts at 01:00.
    ['2024-09-08', 'America/Santiago', '2024-09-08T04:00:00.000Z'],
  ])('%s in %s is %s', (day, zone, start) => {
    expect(startOf(day, zone).toISOString()).toBe(start)
    expect(dateIn(zone, Date.parse(start))).toBe(day)
    expect(dateIn(zone, Date.parse(start) - 1) < day).toBe(true)
  })

  test('follows the day before without a gap, through years and zones', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago']) {
      for (let day = '2025-01-01'; day < '2027-01-01'; day = dateAfter(day, 1)) {
        const [start, next] = [startOf(day, zone), startOf(dateAfter(day, 1), zone)]
        expect([day, dateIn(zone, start), dateIn(zone, next.getTime() - 1)]).toEqual([day, day, day])
      }
    }
  })
})

test('a wall clock says the time and the offset of its zone', () => {
  const at = new Date('2026-11-23T13:05:09.120Z')
  expect(wallClock(at, 'Europe/Berlin')).toEqual({ year: 2026, month: 11, day: 23, time: '14:05:09', offset: 60 })
  expect(wallClock(at, 'UTC')).toEqual({ year: 2026, month: 11, day: 23, time: '13:05:09', offset: 0 })
  expect([0, 60, -210, 345].map(offsetText)).toEqual(['+00:00', '+01:00', '-03:30', '+05:45'])
})

test('an unknown zone is none', () => {
  expect(['UTC', 'Europe/Berlin', 'Mars/Base', ''].map(isZone)).toEqual([true, true, false, false])
  expect(() => wallClock(new Date(), 'Mars/Base')).toThrow(RangeError)
})
