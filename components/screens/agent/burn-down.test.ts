import { expect, test } from 'vitest'
import { axisTicks, burnDown, type CreditHistory, lastsText, paceText } from './burn-down'

const NOW = Date.parse('2026-11-27T12:00:00Z')
const dayAt = (ago: number) => new Date(NOW - ago * 86_400_000).toISOString().slice(0, 10)
const used = (ago: number, count: number) => ({ day: dayAt(ago), settled: count, failed: 0, used: count })

const history = (data: Partial<CreditHistory>): CreditHistory => ({
  left: 0,
  firstAt: '2026-10-01T00:00:00.000Z',
  days: [],
  purchases: [],
  isPartial: false,
  ...data,
})
const week = (count: number) => Array.from({ length: 7 }, (_, ago) => used(6 - ago, count))

test('the curve falls by what each day used, rises at a purchase, and ends with what is left', () => {
  const { line, days, purchases } = burnDown(
    history({
      left: 50,
      days: [used(1, 20), used(0, 10)],
      purchases: [{ at: `${dayAt(1)}T12:00:00.000Z`, credits: 60 }],
    }),
    NOW,
  )
  expect(days).toHaveLength(30)
  expect(days.at(-1)).toEqual({ day: dayAt(0), used: 10, bought: 0, left: 50 })
  expect(days.at(-2)).toEqual({ day: dayAt(1), used: 20, bought: 60, left: 60 })
  expect(days.at(-3)).toMatchObject({ left: 20 })
  const noon = Date.parse(`${dayAt(1)}T12:00:00Z`)
  // Half of the day's use came before the purchase.
  expect(line.filter(({ at }) => at === noon).map(({ left }) => left)).toEqual([10, 70])
  expect(purchases).toEqual([{ at: noon, left: 70, credits: 60 }])
  expect(line.at(-1)).toEqual({ at: NOW, left: 50 })
})

test('the curve begins with the first purchase, and with today if today was not counted whole', () => {
  const firstAt = `${dayAt(2)}T06:00:00.000Z`
  const young = burnDown(history({ left: 90, firstAt, days: [used(0, 10)], purchases: [{ at: firstAt, credits: 100 }] }), NOW)
  expect([young.line[0], young.days.length]).toEqual([{ at: Date.parse(firstAt), left: 0 }, 3])
  const busy = burnDown(history({ left: 90, days: [used(0, 20_000)], isPartial: true }), NOW)
  expect(busy.days).toHaveLength(1)
})

test('credits end as the last week suggests; without use, or for over a year, there is no end', () => {
  const end = (left: number, days: CreditHistory['days']) => burnDown(history({ left, days }), NOW).end
  expect(end(100, week(10))).toBe(NOW + 10 * 86_400_000)
  expect(end(100, [])).toBeNull()
  expect(end(100, [used(7, 50)])).toBeNull()
  expect(end(1_000_000, week(1))).toBeNull()
  expect(end(0, week(10))).toBeNull()
})

test('the pace of an account that is younger than a week is that of its age', () => {
  const firstAt = new Date(NOW - 2 * 86_400_000).toISOString()
  expect(burnDown(history({ left: 100, firstAt, days: [used(1, 20)] }), NOW).end).toBe(NOW + 10 * 86_400_000)
})

test('the pace in words counts the last seven days only', () => {
  const text = (left: number, days: CreditHistory['days']) => paceText(history({ left, days }), NOW)
  expect(text(100, [used(20, 9)])).toBe('Not used in the last 7 days')
  expect(text(100, week(10))).toBe('About 10 days at your current pace')
  expect(text(13, week(10))).toBe('About a day at your current pace')
  expect(text(15, week(10))).toBe('About 2 days at your current pace')
  expect(text(3, week(10))).toBe('Less than a day at your current pace')
  expect(text(1_000, week(1))).toBe('7 used in the last 7 days')
})

test('the axis names today, and no day whose label would touch that of another', () => {
  const DAY = 86_400_000
  const labels = (ago: number, ahead: number) =>
    axisTicks({ from: NOW - ago * DAY, to: NOW + ahead * DAY, now: NOW }).map((at) => Math.round((at - NOW) / (DAY / 2)) / 2)
  expect(labels(29, 0)).toEqual([-24.5, -18.5, -12.5, -6.5, 0])
  expect(labels(2, 2)).toEqual([-1.5, 0, 1.5])
  expect(labels(0.25, 0)).toEqual([0])
})

test('more credits last as long as the pace of the week says, and without a pace nothing is said', () => {
  const text = (credits: number, days: CreditHistory['days']) => lastsText(history({ days }), NOW, credits)
  expect([text(1_000, week(30)), text(30, week(30)), text(10, week(30))]).toEqual([
    'about 33 days',
    'about a day',
    'less than a day',
  ])
  expect([text(1_000, []), text(100_000, week(30))]).toEqual([null, null])
})
