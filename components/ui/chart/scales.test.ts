import { expect, test } from 'vitest'
import { lowTicks, roundTicks } from './scales'

test('an axis has round ticks up to the highest value', () => {
  expect(roundTicks(176)).toEqual([0, 50, 100, 150, 200])
  expect(roundTicks(81)).toEqual([0, 20, 40, 60, 80, 100])
  expect(roundTicks(4.05)).toEqual([0, 1, 2, 3, 4, 5])
  expect(roundTicks(0.0012)).toEqual([0, 0.00025, 0.0005, 0.00075, 0.001, 0.00125])
})

test('a low chart has fewer ticks', () => {
  expect(lowTicks(460)).toEqual([0, 250, 500])
  expect(lowTicks(700)).toEqual([0, 500, 1_000])
  expect(lowTicks(4.1)).toEqual([0, 5, 10])
})

test('the highest point of a low chart is below its top', () => {
  expect(lowTicks(1)).toEqual([0, 1, 2])
  expect(lowTicks(1_000)).toEqual([0, 500, 1_000, 1_500])
})

test('ticks of counts are whole, and an empty chart has an axis', () => {
  expect(roundTicks(1, true)).toEqual([0, 1])
  expect(roundTicks(9, true)).toEqual([0, 2, 4, 6, 8, 10])
  expect(roundTicks(0, true)).toEqual([0, 1])
})
