import { expect, test } from 'vitest'
import { longDay, monthTitle, movedBy, plusMonths, readDay, readMinute, weeksOf } from './calendar-days'

test('a month has six weeks from Monday on, with all of its days', () => {
  const weeks = weeksOf('2026-02-14')
  expect(weeks.map(([monday]) => monday)).toEqual([
    '2026-01-26',
    '2026-02-02',
    '2026-02-09',
    '2026-02-16',
    '2026-02-23',
    '2026-03-02',
  ])
  expect(weeks.flat()).toHaveLength(42)
  expect(weeksOf('2026-06-01')[0]?.[0]).toBe('2026-06-01')
})

test('a day and its month have their English names', () => {
  expect(longDay('2026-11-23')).toBe('Monday, November 23, 2026')
  expect(monthTitle('2026-11-23')).toBe('November 2026')
})

test.each([
  ['ArrowLeft', false, '2026-02-28'],
  ['ArrowRight', false, '2026-03-02'],
  ['ArrowUp', false, '2026-02-22'],
  ['ArrowDown', false, '2026-03-08'],
  ['Home', false, '2026-02-23'],
  ['End', false, '2026-03-01'],
  ['PageUp', false, '2026-02-01'],
  ['PageDown', true, '2027-03-01'],
  ['Enter', false, null],
  ['constructor', false, null],
])('%s (with Shift: %s) leads from 1 March to %s', (key, shiftKey, day) => {
  expect(movedBy({ key, shiftKey }, '2026-03-01')).toBe(day)
})

test('a month later is the last day where the month is shorter', () => {
  expect(plusMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(plusMonths('2026-03-31', -13)).toBe('2025-02-28')
  expect(plusMonths('2024-02-29', 12)).toBe('2025-02-28')
})

test.each([
  ['2026-11-23', '2026-11-23'],
  [' 2026-1-3 ', '2026-01-03'],
  ['2026-02-30', null],
  ['2026-13-01', null],
  ['11/23/2026', null],
  ['', null],
])('the day %s is read as %s', (text, day) => expect(readDay(text)).toBe(day))

test.each([
  ['02:59', '02:59'],
  ['9:30', '09:30'],
  ['0930', '09:30'],
  ['24:00', null],
  ['12:60', null],
  ['9', null],
])('the minute %s is read as %s', (text, minute) => expect(readMinute(text)).toBe(minute))
