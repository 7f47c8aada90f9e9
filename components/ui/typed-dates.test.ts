import { expect, test } from 'vitest'
import { readDay, readMinute } from './typed-dates'

test.each([
  ['2026-11-23', '2026-11-23'],
  [' 2026-1-3 ', '2026-01-03'],
  ['Nov 3, 2026', '2026-11-03'],
  ['Feb 30, 2026', null],
  ['Now 3, 2026', null],
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
