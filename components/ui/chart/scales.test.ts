import { expect, test } from 'vitest'
import { roundTicks } from './scales'

test('an axis has round ticks up to the highest value', () => {
  expect(roundTicks(176)).toEqual([0, 50, 100, 150, 200])
  expect(roundTicks(81)).toEqual([0, 20, 40, 60, 80, 100])
  expect(roundTicks(4.05)).toEqual([0, 1, 2, 3, 4, 5])
  expect(roundTicks(0.0012)).toEqual([0, 0.00025, 0.0005, 0.00075, 0.001, 0.00125])
})

test('a low chart has fewer ticks', () => {
  expect(roundTicks(860, true, 2)).toEqual([0, 500, 1_000])
  expect(roundTicks(1.15, true, 2)).toEqual([0, 1, 2])
})

test('ticks of counts are whole, and an empty chart has an axis', () => {
  expect(roundTicks(1, true)).toEqual([0, 1])
  expect(roundTicks(9, true)).toEqual([0, 2, 4, 6, 8, 10])
  expect(roundTicks(0, true)).toEqual([0, 1])
})
