import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atomic } from '../atomic'
import { displayAmount, displayMoney, exactAmount, inDecimals } from './amounts'

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
    '',
    ' 12 ',
    '12 ',
    '12\n',
    '0x10',
    '+5',
    '-1',
    '1e6',
    '1.5',
    '1_000',
    '1,000',
    '٣',
    'abc',
    '9'.repeat(78),
    '0'.repeat(79),
    (MAX + 1n).toString(),
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

describe('an amount of other decimals', () => {
  test.each([
    [0n, 18, '0'],
    [1n, 18, '<0.000001'],
    [999_999_999_999n, 18, '<0.000001'],
    [1_000_000_000_000n, 18, '0.000001'],
    [1_999_999_999_999_999_999n, 18, '1.999999'],
    [150n, 2, '1.5'],
    [7n, 0, '7'],
  ])('%s of %s is %s for people', (amount, decimals, text) => {
    expect(displayAmount(amount, decimals)).toBe(text)
    expect(displayMoney(amount, { symbol: 'mUSD', decimals })).toBe(`${text} mUSD`)
  })

  test('is exact in files, with any decimals', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX), fc.nat(30), (amount, decimals) => {
        const [whole = '', fraction = ''] = exactAmount(amount, decimals).split('.')
        expect(BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0')).toBe(amount)
      }),
    )
  })

  test('for people is never more than the amount, nor nothing for something', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), fc.nat(24), (amount, decimals) => {
        const text = displayAmount(amount, decimals)
        expect(text === '0').toBe(amount === 0n)
        if (text.startsWith('<')) return
        const [whole = '', fraction = ''] = text.split('.')
        const shown = BigInt(whole + fraction.padEnd(24, '0'))
        const exact = amount * 10n ** BigInt(24 - decimals)
        expect(shown <= exact && exact - shown < 10n ** 18n).toBe(true)
      }),
    )
  })

  test('a limit is as many whole tokens of any: a minimum never less, a maximum never more', () => {
    expect([inDecimals(100n, 6, 'up'), inDecimals(100n, 18, 'up'), inDecimals(100n, 2, 'up')]).toEqual([100n, 10n ** 14n, 1n])
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), fc.nat(24), (amount, decimals) => {
        const [low, high] = [inDecimals(amount, decimals, 'down'), inDecimals(amount, decimals, 'up')]
        const of = (units: bigint) => units * 10n ** BigInt(30 - decimals)
        expect(of(low) <= amount * 10n ** 24n && amount * 10n ** 24n <= of(high) && high - low <= 1n).toBe(true)
      }),
    )
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
    expect(displayAmount(amount, 6)).toBe(text)
  })

  test('reads back as the same amount, without a needless zero', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX), (amount) => {
        const text = displayAmount(amount, 6)
        const [whole = '', fraction = ''] = text.split('.')
        expect(BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))).toBe(amount)
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/)
      }),
    )
  })
})
