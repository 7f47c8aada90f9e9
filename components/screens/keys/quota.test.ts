import { expect, test } from 'vitest'
import { lastsUntil } from './quota'

const at = (text: string) => Date.parse(text) / 1_000
const resetAt = at('2026-12-01T00:00:00Z')

test('a quota that lasts until its reset has no end, and neither has an unused one', () => {
  const now = at('2026-11-16T00:00:00Z')
  expect(lastsUntil({ used: 500, left: 500, resetAt }, now)).toBeNull()
  expect(lastsUntil({ used: 0, left: 1_000, resetAt }, now)).toBeNull()
})

test('a quota ends when its rest is used at the rate of the month so far', () => {
  expect(lastsUntil({ used: 800, left: 200, resetAt }, at('2026-11-21T00:00:00Z'))).toBe(at('2026-11-26T00:00:00Z'))
})

test('the first hours of a month count as a day, so that one burst is no forecast of an hour', () => {
  expect(lastsUntil({ used: 100, left: 900, resetAt }, at('2026-11-01T01:00:00Z'))).toBe(at('2026-11-10T01:00:00Z'))
})
