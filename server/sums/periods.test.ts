import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../base/durations'
import { dateIn, isZone, slotMs, zoneDays } from '../base/zones'
import { cutsOf, edgesOf, periodOf, spanOf, utcPeriodOf } from './periods'
import { percentileOf } from './time-queries'

const at = (text: string) => Date.parse(text)

describe('days of a time zone', () => {
  test.each([
    ['UTC', '2026-02-27'],
    ['America/New_York', '2026-03-07'],
    ['America/New_York', '2026-10-31'],
    ['Asia/Kolkata', '2026-03-01'],
    ['Asia/Kathmandu', '2026-03-01'],
    ['Australia/Lord_Howe', '2026-04-03'],
    // Its clocks change at midnight.
    ['Asia/Beirut', '2026-03-27'],
    ['Africa/Cairo', '2026-04-23'],
    ['Pacific/Kiritimati', '2026-12-30'],
    ['Pacific/Pago_Pago', '2026-12-30'],
  ])('of %s after %s follow each other and begin at the first instant of their date', (zone, first) => {
    const days = zoneDays(zone, first, 4)
    for (const [index, { day, from, until }] of days.entries()) {
      expect([dateIn(zone, from), dateIn(zone, until - 1)]).toEqual([day, day])
      expect(dateIn(zone, from - 1) < day).toBe(true)
      expect(from % slotMs).toBe(0)
      if (index > 0) expect(from).toBe(days[index - 1]?.until)
    }
  })

  test('have 23 or 25 hours where clocks change', () => {
    const hours = (first: string) => zoneDays('America/New_York', first, 1).map(({ from, until }) => (until - from) / HOUR_MS)
    expect([hours('2026-03-07'), hours('2026-03-08'), hours('2026-11-01')]).toEqual([[24], [23], [25]])
  })

  test('exist for known zones only', () => {
    expect(['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'Mars/Base', '', '+01:00', `A${'a'.repeat(80)}`].map(isZone)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('a period', () => {
  const now = at('2026-11-23T15:20:00Z')

  test('of seven days ends today, and the days before end at the same time of day', () => {
    const { days, previous } = periodOf({ days: 7 }, 'UTC', now)
    expect([days[0]?.day, days.at(-1)?.day, days.length]).toEqual(['2026-11-17', '2026-11-23', 7])
    expect([previous[0]?.day, previous.at(-1)?.day]).toEqual(['2026-11-10', '2026-11-16'])
    expect(previous.at(-1)?.until).toBe(at('2026-11-16T15:15:00Z'))
  })

  test('in the past is compared with whole days', () => {
    const { days, previous } = periodOf({ from: '2026-11-01', to: '2026-11-03' }, 'America/New_York', now)
    expect(spanOf(days)).toEqual({ from: at('2026-11-01T04:00:00Z'), until: at('2026-11-04T05:00:00Z') })
    expect(spanOf(previous)).toEqual({ from: at('2026-10-29T04:00:00Z'), until: at('2026-11-01T04:00:00Z') })
  })

  test('ends today at the latest, and has at most 366 days', () => {
    expect(periodOf({ from: '2026-11-20', to: '2027-01-01' }, 'UTC', now).days).toHaveLength(4)
    expect(() => periodOf({ from: '2026-11-24', to: '2026-11-30' }, 'UTC', now)).toThrow('begins after its end')
    expect(() => periodOf({ from: '2025-11-22', to: '2026-11-23' }, 'UTC', now)).toThrow('at most 366 days')
    expect(periodOf({ from: '2025-11-23', to: '2026-11-23' }, 'UTC', now).days).toHaveLength(366)
  })

  const datesOf = (month: string, at = now) => {
    const { days, previous } = periodOf({ month }, 'UTC', at)
    return [days[0]?.day, days.at(-1)?.day, previous[0]?.day, previous.at(-1)?.day]
  }

  test('of this month is compared with the same days of the month before, up to the same time of day', () => {
    expect(datesOf('2026-11')).toEqual(['2026-11-01', '2026-11-23', '2026-10-01', '2026-10-23'])
    expect(periodOf({ month: '2026-11' }, 'UTC', now).previous.at(-1)?.until).toBe(at('2026-10-23T15:15:00Z'))
    // February has no 30th.
    const march = at('2026-03-30T12:00:00Z')
    expect(datesOf('2026-03', march)).toEqual(['2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'])
    expect(periodOf({ month: '2026-03' }, 'UTC', march).previous.at(-1)?.until).toBe(at('2026-03-01T00:00:00Z'))
  })

  test('of a past month is compared with the whole month before', () => {
    expect(datesOf('2026-10')).toEqual(['2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'])
    expect(datesOf('2026-01')).toEqual(['2026-01-01', '2026-01-31', '2025-12-01', '2025-12-31'])
    expect(() => datesOf('2026-12')).toThrow('begins after its end')
  })

  test('of a zone that is a day ahead has UTC days too', () => {
    const eve = at('2026-11-30T20:00:00Z')
    const dates = (range: Parameters<typeof periodOf>[0]) =>
      utcPeriodOf(range, 'Pacific/Kiritimati', eve).days.map(({ day }) => day)
    expect(dates({ month: '2026-12' })).toEqual(['2026-12-01'])
    expect(dates({ from: '2026-12-01', to: '2026-12-01' })).toEqual(['2026-12-01'])
  })

  test('is cut from UTC days by quarters of an hour', () => {
    const [first] = zoneDays('Asia/Kathmandu', '2026-11-02', 1)
    expect(cutsOf(first ? [first] : [])).toEqual([
      { window: 0, day: '2026-11-01', lo: 73, hi: 96 },
      { window: 0, day: '2026-11-02', lo: 0, hi: 73 },
    ])
    expect(edgesOf([{ from: at('2026-11-01T18:00:00Z'), until: at('2026-11-03T18:00:00Z') }])).toEqual({
      days: ['2026-11-01', '2026-11-02', '2026-11-03'],
      edges: ['2026-11-01', '2026-11-03'],
      skipped: [],
    })
    // The days between the first of two months are of neither.
    const spans = ['2026-10-30', '2026-11-02'].map((day) => ({ from: at(`${day}T00:00:00Z`), until: at(`${day}T12:00:00Z`) }))
    expect(edgesOf(spans)).toMatchObject({ edges: ['2026-10-30', '2026-11-02'], skipped: ['2026-10-31', '2026-11-01'] })
  })
})

test('percentiles of settle times are within a tenth', () => {
  const times = Array.from({ length: 1_000 }, (_, n) => 200 + n * 3)
  const counts = new Map<number, number>()
  for (const ms of times) counts.set(Math.floor(4 * Math.log2(ms)), (counts.get(Math.floor(4 * Math.log2(ms))) ?? 0) + 1)
  const bins = [...counts].map(([bin, count]) => ({ bin, count }))
  for (const share of [0.5, 0.95]) {
    const [found, true_] = [percentileOf(bins, share) ?? 0, times[Math.floor(share * times.length)] ?? 0]
    expect(Math.abs(found / true_ - 1)).toBeLessThan(0.1)
  }
  expect(percentileOf([], 0.5)).toBeNull()
})
