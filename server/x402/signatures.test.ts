import fc from 'fast-check'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { isErc6492, joinEcdsa, normalSignature, readEcdsa, voucherSignature } from './signatures'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const r: Hex = `0x${'11'.repeat(32)}`
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const of = (s: bigint, v: string): Hex => `0x${r.slice(2)}${word(s).slice(2)}${v}`

describe('a 65-byte signature', () => {
  test.each([
    ['1b', 27],
    ['1c', 28],
    ['00', 27],
    ['01', 28],
  ])('with v %s is read with v %i', (v, recovery) => {
    expect(readEcdsa(of(5n, v))).toEqual({ r, s: word(5n), v: recovery })
    expect(normalSignature(of(5n, v))).toBe(of(5n, recovery.toString(16)))
  })

  test.each(['02', '1a', '1d', '1e', 'ff'])('with v %s is none', (v) => {
    expect(readEcdsa(of(5n, v))).toBeNull()
    expect(normalSignature(of(5n, v))).toBe(of(5n, v))
  })

  test('counts up to half of the order and not above: its twin is no second spelling', () => {
    expect(readEcdsa(of(ORDER / 2n, '1b'))).not.toBeNull()
    expect(readEcdsa(of(ORDER / 2n + 1n, '1b'))).toBeNull()
    fc.assert(
      fc.property(fc.bigInt(1n, ORDER - 1n), (s) => {
        const both = [readEcdsa(of(s, '1b')), readEcdsa(of(ORDER - s, '1c'))]
        expect(both.filter((signature) => signature !== null)).toHaveLength(1)
      }),
    )
  })

  test('is joined back as it was read', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, ORDER / 2n), fc.constantFrom('1b', '1c'), (s, v) => {
        const read = readEcdsa(of(s, v))
        expect(read && joinEcdsa(read)).toBe(of(s, v))
      }),
    )
  })
})

test.each([0, 1, 32, 64, 66, 96, 130])("a signature of %i bytes is not a key's, and stays as it is", (bytes) => {
  const signature: Hex = `0x${'1b'.repeat(bytes)}`
  expect(readEcdsa(signature)).toBeNull()
  expect(normalSignature(signature)).toBe(signature)
})

test('a wrapper for an undeployed wallet is known by its end', () => {
  expect(isErc6492(`0x1234${'6492'.repeat(16)}`)).toBe(true)
  expect(isErc6492(`0x${'6492'.repeat(15)}`)).toBe(false)
  expect(isErc6492(of(5n, '1b'))).toBe(false)
  expect(isErc6492('0x')).toBe(false)
})

describe('the signature of a voucher', () => {
  test.each([
    ['1b', '1c'],
    ['00', '1c'],
    ['1c', '1b'],
    ['01', '1b'],
  ])('with a high s and v %s becomes the low one with v %s', (v, other) => {
    const low = voucherSignature(of(ORDER - 5n, v))
    expect(low && joinEcdsa(low)).toBe(of(5n, other))
  })

  test('with a low s is read as any other', () => {
    expect(voucherSignature(of(5n, '1b'))).toEqual(readEcdsa(of(5n, '1b')))
  })

  test.each([
    ['of 64 bytes', of(5n, '')],
    ['of 66 bytes', of(5n, '1b00')],
    ['with another v', of(ORDER - 5n, '02')],
    ['with an s of the order', of(ORDER, '1b')],
  ])('%s is none', (_, signature) => {
    expect(voucherSignature(signature)).toBeNull()
  })
})
