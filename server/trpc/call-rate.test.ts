import { expect, test } from 'vitest'
import { createTokenBuckets } from '../base/token-buckets'
import { createCallRate } from './call-rate'

/** A rate whose clock stands still. */
const standing = () => createCallRate(createTokenBuckets({ now: () => 0 }))

test('one browser that calls without end waits, and another at its address does not', () => {
  const rate = standing()
  const [greedy, other] = [
    { ip: '192.0.2.1', cookie: 'a' },
    { ip: '192.0.2.1', cookie: 'b' },
  ]
  expect(Array.from({ length: 20 }, () => rate(greedy, 10))).toEqual(Array(20).fill(0))
  expect(rate(greedy, 10)).toBeGreaterThan(0)
  expect(rate(other, 10)).toBe(0)
})

test('cookies without end are no way around it', () => {
  const rate = standing()
  const waits = Array.from({ length: 100 }, (_, no) => rate({ ip: '192.0.2.1', cookie: `${no}` }, 10))
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(60)
  expect(rate({ ip: '192.0.2.2', cookie: null }, 10)).toBe(0)
})

test('the addresses of an IPv6 /48 have eight times the rate of one', () => {
  const rate = standing()
  const block = (no: number) => ({ ip: `2001:db8:ab:${no.toString(16)}::1`, cookie: null })
  const waits = Array.from({ length: 100 }, (_, no) => rate(block(no), 200))
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(24)
  expect(rate({ ip: '2001:db8:ac::1', cookie: null }, 200)).toBe(0)
})
