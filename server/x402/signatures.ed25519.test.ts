import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { describe, expect, test } from 'vitest'
import { isSignedBy, isSmallOrder } from './signatures'

const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n
const PRIME = 2n ** 255n - 19n

function littleEndian(value: bigint): Uint8Array {
  const hex = value.toString(16).padStart(64, '0')
  return Uint8Array.from(Buffer.from(hex, 'hex').reverse())
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
}

/** Every point of small order: the multiples of one of order 8, with each spelling that 32 bytes can have. */
function smallOrderSpellings(): Uint8Array[] {
  const generator = ed25519.ExtendedPoint.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa')
  const points = Array.from({ length: 8 }, (_, index) =>
    index === 0 ? ed25519.ExtendedPoint.ZERO : generator.multiplyUnsafe(BigInt(index)),
  )
  return points.flatMap((point) => {
    const y = numberOf(point.toRawBytes()) % 2n ** 255n
    const spelled = y + PRIME < 2n ** 255n ? [y, y + PRIME] : [y]
    return spelled.flatMap((each) => [littleEndian(each), littleEndian(each + 2n ** 255n)])
  })
}

describe('a signature', () => {
  const seed = randomBytes(32)
  const key = ed25519.getPublicKey(seed)
  const message = randomBytes(400)
  const signature = ed25519.sign(message, seed)

  test('is that of its key over its message', () => {
    expect(isSignedBy(key, signature, message)).toBe(true)
  })

  test('holds for no other key and no other message', () => {
    const other = ed25519.getPublicKey(randomBytes(32))
    expect(isSignedBy(other, signature, message)).toBe(false)
    expect(isSignedBy(key, signature, Buffer.concat([message, Buffer.alloc(1)]))).toBe(false)
    for (const at of [0, 31, 32, 63]) {
      const flipped = Buffer.from(signature)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      expect(isSignedBy(key, flipped, message)).toBe(false)
    }
  })

  test('has one spelling: s is never as high as the order of the curve', () => {
    const s = numberOf(signature.subarray(32))
    const twin = Buffer.concat([signature.subarray(0, 32), littleEndian(s + ORDER)])
    expect(isSignedBy(key, twin, message)).toBe(false)
  })

  test.each([
    ['zeros for a signature', key, Buffer.alloc(64)],
    ['a signature cut short', key, signature.subarray(0, 63)],
    ['no signature', key, Buffer.alloc(0)],
    ['a key cut short', key.subarray(0, 31), signature],
    ['a key that is no point', littleEndian(2n), signature],
  ])('is not made of %s', (_, by, bytes) => {
    expect(isSignedBy(by, bytes, message)).toBe(false)
  })

  test('under a key of small order is none, though OpenSSL finds that it holds', () => {
    const identity = littleEndian(1n)
    const anyMessage = Buffer.concat([identity, Buffer.alloc(32)])
    expect(isSignedBy(identity, anyMessage, message)).toBe(false)
  })

  test('whose R is of small order is none', () => {
    for (const point of smallOrderSpellings()) {
      expect(isSignedBy(key, Buffer.concat([point, signature.subarray(32)]), message)).toBe(false)
    }
  })
})

describe('a point of small order', () => {
  test('is known in every spelling', () => {
    const spellings = smallOrderSpellings()
    expect(new Set(spellings.map((point) => Buffer.from(point).toString('hex'))).size).toBe(14)
    expect(spellings.every(isSmallOrder)).toBe(true)
  })

  test('cannot be a valid key', () => {
    const keys = Array.from({ length: 50 }, () => ed25519.getPublicKey(randomBytes(32)))
    expect(keys.some(isSmallOrder)).toBe(false)
    expect(keys.some((key) => ed25519.ExtendedPoint.fromHex(key).isSmallOrder())).toBe(false)
  })
})
