import { expect, test } from 'vitest'
import { askedPauseMs, politePauseMs } from './upstream'

const now = new Date('2026-11-21T12:00:00Z')

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 120 ', 120_000],
  ['Sat, 21 Nov 2026 12:10:00 GMT', 600_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['Sat, 99 Nov 2026 12:10:00 GMT', 0],
  ['2026-11-21T12:10:00Z', 0],
  ['1.5', 0],
  ['-5', 0],
  ['soon', 0],
  ['', 0],
  [undefined, 0],
])('Retry-After %j asks for %i ms', (written, asked) => {
  expect(askedPauseMs(429, written, now)).toBe(asked)
  expect(askedPauseMs(503, written, now)).toBe(asked)
})

test('other responses have no pause', () => {
  for (const status of [302, 404, 500, 502, null]) expect(askedPauseMs(status, '120', now)).toBe(0)
})

test('the next try is never before our own pause ends, and at most an hour later', () => {
  const after = (asked: number) => politePauseMs(5_000, asked)
  expect([0, 4_000, 60_000, 3_605_000, 3_605_001].map(after)).toEqual([5_000, 5_000, 60_000, 3_605_000, 3_605_000])
  expect(after(askedPauseMs(429, '9'.repeat(400), now))).toBe(3_605_000)
})
