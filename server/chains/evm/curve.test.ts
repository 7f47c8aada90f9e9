import fc from 'fast-check'
import { bytesToHex, hexToBytes, keccak256 } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { readEcdsa } from '../../x402/signatures'
import { curve, openCurve } from './curve'
import { createSigner, recoverAddress, signerBy } from './signer'

const hidden = openCurve(() => {
  throw new Error('no addon for this platform')
})
const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const word = (value: bigint) => hexToBytes(`0x${value.toString(16).padStart(64, '0')}`)
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

describe('a platform without the native addon', () => {
  test('has an audited library in its place, which makes the same signatures and finds the same keys', () => {
    expect(hidden.name).toBe('@noble/curves')
    fc.assert(
      fc.property(hashes, (hash) => {
        const key = hexToBytes(generatePrivateKey())
        const [ours, theirs] = [hidden.sign(hash, key), curve.sign(hash, key)]
        expect(bytesToHex(ours.signature)).toBe(bytesToHex(theirs.signature))
        expect(ours.recovery).toBe(theirs.recovery)
        const keys = [hidden, curve].flatMap((one) => [one.publicKey(key), one.recover(hash, ours)])
        expect(new Set(keys.map((one) => bytesToHex(one))).size).toBe(1)
      }),
      { numRuns: 20 },
    )
  })

  test('takes the same keys and refuses the same ones', () => {
    for (const value of [0n, 1n, ORDER - 1n, ORDER, 2n ** 256n - 1n])
      expect([value, hidden.isKey(word(value))]).toEqual([value, curve.isKey(word(value))])
    expect(() => signerBy(hidden, `0x${'00'.repeat(32)}`)).toThrow('a signer key must be 32 bytes in hex')
  })

  test('signs the same transactions', () => {
    const key = generatePrivateKey()
    const transaction = { type: 'eip1559', chainId: 84532, nonce: 7, gas: 21_000n, maxFeePerGas: 9n } as const
    expect(signerBy(hidden, key).sign(transaction)).toEqual(createSigner(key).sign(transaction))
  })

  test('finds no signer of values that are out of range', () => {
    const hash = keccak256('0x12')
    for (const [r, s] of [
      [0n, 5n],
      [5n, 0n],
      [ORDER, 5n],
      [5n, 5n],
    ] as const) {
      const signature = { r: bytesToHex(word(r)), s: bytesToHex(word(s)), v: 27 as const }
      expect(recoverAddress(hash, signature, hidden)).toBeNull()
      expect(recoverAddress(hash, signature)).toBeNull()
    }
    const ecdsa = readEcdsa(bytesToHex(new Uint8Array([...hidden.sign(hexToBytes(hash), word(7n)).signature, 27])))
    if (!ecdsa) throw new Error('not read')
    expect(recoverAddress(hash, ecdsa, hidden)).toBe(recoverAddress(hash, ecdsa))
  })
})
