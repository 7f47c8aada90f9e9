import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wilsonLowerBound } from './wilson'

// As `binconf(good, all, method = "wilson")` of R's Hmisc has them.
test.each([
  [0, 0, 0],
  [0, 10, 0],
  [1, 1, 0.2065493],
  [10, 10, 0.7224672],
  [50, 100, 0.4038315],
  [95, 100, 0.8882495],
])('the lower bound of %i in %i is %f', (good, all, bound) => {
  expect(wilsonLowerBound(good, all)).toBeCloseTo(bound, 6)
})

test('the bound is never above the share, and more payments with the same share raise it', () => {
  const counts = fc.nat(1_000).chain((all) => fc.record({ all: fc.constant(all + 1), good: fc.nat(all + 1) }))
  fc.assert(
    fc.property(counts, ({ all, good }) => {
      const bound = wilsonLowerBound(good, all)
      expect(bound).toBeGreaterThanOrEqual(0)
      expect(bound).toBeLessThanOrEqual(good / all)
      expect(wilsonLowerBound(2 * good, 2 * all)).toBeGreaterThanOrEqual(bound)
    }),
  )
})
