import { expect, test } from 'vitest'
import { ending, span } from './units'

test('a time is in its largest unit, and words have a plural', () => {
  expect([40n, 60n, 7_200n, 86_400n, 432_000n, 63_115_200n].map(span)).toEqual([
    '40 s',
    '1 min',
    '2 h',
    '1 day',
    '5 days',
    '2 years',
  ])
  expect(ending(0n, 432_000n)).toBe('expired 5 days ago')
})
