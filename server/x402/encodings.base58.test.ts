import { address, getAddressDecoder, getAddressEncoder, isAddress } from '@solana/kit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytes32, toBase58 } from './encodings'

const thirtyTwo = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('base58 of 32 bytes', () => {
  test('is written as @solana/kit writes it, and read back', () => {
    fc.assert(
      fc.property(thirtyTwo, (bytes) => {
        const text = getAddressDecoder().decode(bytes)
        expect([toBase58(bytes), toBase58(bytes)]).toEqual([text, text])
        expect(bytes32(text)).toEqual(bytes)
      }),
    )
  })

  test('keeps zeros in front', () => {
    expect(toBase58(new Uint8Array(32))).toBe('1'.repeat(32))
    expect(bytes32('1'.repeat(32))).toEqual(new Uint8Array(32))
  })

  test('is read from the texts that @solana/kit takes for an address, and no others', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'19ABHJNPZabkmz0OIl '), minLength: 30, maxLength: 46 })
    fc.assert(
      fc.property(digits, (text) => {
        expect(bytes32(text) !== null).toBe(isAddress(text))
        if (isAddress(text)) expect(bytes32(text)).toEqual(Uint8Array.from(getAddressEncoder().encode(address(text))))
      }),
      { numRuns: 1_000 },
    )
  })
})
