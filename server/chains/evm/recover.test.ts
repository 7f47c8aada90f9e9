import fc from 'fast-check'
import { bytesToHex, type Hex, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { readEcdsa } from '../../x402/signatures'
import { recoverAddress } from './signer'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const keys = fc.bigInt(1n, ORDER - 1n).map(word)
const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))

function recovered(hash: Hex, signature: Hex): Hex | null {
  const ecdsa = readEcdsa(signature)
  return ecdsa && recoverAddress(hash, ecdsa)
}

describe('the address behind a signature', () => {
  test("is the signer's, for any key and hash, and another for any other hash", async () => {
    await fc.assert(
      fc.asyncProperty(keys, hashes, hashes, async (key, hash, other) => {
        fc.pre(hash !== other)
        const account = privateKeyToAccount(key)
        const signature = await account.sign({ hash })
        expect(recovered(hash, signature)).toBe(account.address.toLowerCase())
        expect(recovered(other, signature)).not.toBe(account.address.toLowerCase())
      }),
      { numRuns: 50 },
    )
  })

  test('is null or another address once a bit has changed', async () => {
    const account = privateKeyToAccount(word(7n))
    const hash = word(42n)
    const bytes = hexToBytes(await account.sign({ hash }))
    fc.assert(
      fc.property(fc.nat(519), (bit) => {
        const flipped = bytes.slice()
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(recovered(hash, bytesToHex(flipped))).not.toBe(account.address.toLowerCase())
      }),
      { numRuns: 520 },
    )
  })

  test.each([
    ['r of zero', 0n, 5n],
    ['s of zero', 5n, 0n],
    ['r over the order', ORDER, 5n],
    ['r that is no point on the curve', 5n, 5n],
    ['r of all ones', 2n ** 256n - 1n, 5n],
  ])('is null for %s', (_, r, s) => {
    expect(recoverAddress(word(42n), { r: word(r), s: word(s), v: 27 })).toBeNull()
  })
})
