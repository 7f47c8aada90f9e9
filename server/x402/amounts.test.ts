import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atomic, displayAmount } from './amounts'

const MAX = 2n ** 256n - 1n

describe('an amount', () => {
  test.each([
    ['0', 0n],
    ['1', 1n],
    ['007', 7n],
    ['1000000', 1_000_000n],
    [MAX.toString(), MAX],
  ])('%s is read exactly', (digits, value) => {
    expect(atomic.parse(digits)).toBe(value)
  })

  test.each([
    ...['', ' 12 ', '12 ', '12\n', '0x10', '+5', '-1', '1e6', '1.5', '1_000', '1,000', '٣', 'abc'],
    ...['9'.repeat(78), '0'.repeat(79), (MAX + 1n).toString()],
  ])('%j is refused', (text) => {
    expect(atomic.safeParse(text).success).toBe(false)
  })

  test.each([[12], [1e21], [null], [undefined], [['12']], [{}]])('%j, which is not a string, is refused', (value) => {
    expect(atomic.safeParse(value).error?.issues[0]?.message).toBe('must be a string of decimal digits')
  })

  test('over 256 bits the message says the limit', () => {
    expect(atomic.safeParse((MAX + 1n).toString()).error?.issues[0]?.message).toBe('must be at most 2^256 - 1')
  })

  test('every invalid text is refused without an exception', () => {
    fc.assert(fc.property(fc.anything(), (value) => typeof atomic.safeParse(value).success === 'boolean'))
  })
})

describe('an amount for display', () => {
  test.each([
    [0n, '0'],
    [1n, '0.000001'],
    [100n, '0.0001'],
    [1_000n, '0.001'],
    [1_000_000n, '1'],
    [1_230_000n, '1.23'],
    [123_456_789_012n, '123456.789012'],
  ])('%s is %s', (amount, text) => {
    expect(displayAmount(amount)).toBe(text)
  })

  test('reads back as the same amount, without a needless zero', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX), (amount) => {
        const text = displayAmount(amount)
        const [whole = '', fraction = ''] = text.split('.')
        expect(BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))).toBe(amount)
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/)
      }),
    )
  })
})
