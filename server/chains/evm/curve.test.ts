import { createHash } from 'node:crypto'
import { secp256k1 as audited } from '@noble/curves/secp256k1'
import fc from 'fast-check'
import { bytesToHex, hexToBytes, keccak256 } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { isLowS } from '../../x402/signatures'
import { type Curve, curve, openCurve } from './curve'
import { createSigner, recoverAddress, signerBy } from './signer'

const hidden = openCurve(() => {
  throw new Error('no addon for this platform')
})

/** An audited library of other authors, in JavaScript. */
const other: Pick<Curve, 'sign' | 'recover'> = {
  sign(hash, key) {
    const signed = audited.sign(hash, key)
    return { signature: signed.toCompactRawBytes(), recovery: signed.recovery }
  },
  recover: (hash, { signature, recovery }) =>
    audited.Signature.fromCompact(signature).addRecoveryBit(recovery).recoverPublicKey(hash).toRawBytes(false),
}
const all = [curve, hidden, other]

const word = (value: bigint) => hexToBytes(`0x${value.toString(16).padStart(64, '0')}`)
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const FIELD = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn
const MOST = 2n ** 256n - 1n

/** A word that is the same in every run. */
const seeded = (text: string) => createHash('sha256').update(text).digest()

/** The key that each of the three libraries finds; `none` where it refuses. */
const foundBy = (hash: Uint8Array, signature: Uint8Array, recovery: number) =>
  all.map((one) => {
    try {
      return bytesToHex(one.recover(hash, { signature, recovery }))
    } catch {
      return 'none'
    }
  })

/** Values at which a range ends, and numbers without a point (5) or with one (1, 2 and the curve's own x). */
const EDGES = [0n, 1n, 2n, 5n, ORDER / 2n, ORDER / 2n + 1n, ORDER - 1n, ORDER, FIELD - ORDER - 1n, FIELD - ORDER, FIELD, MOST]

describe('the native addon, WebAssembly and an audited library', () => {
  test('make the same signatures, with the lower s, and find their keys', () => {
    for (let number = 0; number < 500; number++) {
      const [hash, key] = [seeded(`hash ${number}`), seeded(`key ${number}`)]
      // The audited one takes thirty times as long, so it makes every tenth.
      const asked = number % 10 === 0 ? all : [curve, hidden]
      const signed = asked.map((one) => one.sign(hash, key))
      const made = new Set(signed.map(({ signature, recovery }) => `${bytesToHex(signature)} ${recovery}`))
      const found = signed.map((ours, at) => bytesToHex(asked[at]?.recover(hash, ours) ?? new Uint8Array()))
      const keys = new Set([...found, ...[curve, hidden].map((one) => bytesToHex(one.publicKey(key)))])
      expect([made.size, keys.size]).toEqual([1, 1])
      expect(signed.every(({ signature }) => isLowS(bytesToHex(signature.subarray(32))))).toBe(true)
    }
  })

  test('agree on every hostile signature, also with a high s and a third or fourth key', () => {
    const outcomes = EDGES.flatMap((r) =>
      EDGES.flatMap((s) =>
        [0, 1, 2, 3].map((recovery) => {
          const hash = word([0n, 1n, ORDER, MOST][(Number(r % 7n) + recovery) % 4] ?? 0n)
          const found = foundBy(hash, new Uint8Array([...word(r), ...word(s)]), recovery)
          expect(new Set(found), `r ${r}, s ${s}, recovery ${recovery}`).toHaveProperty('size', 1)
          return found[0]
        }),
      ),
    )
    expect(outcomes).toHaveLength(576)
    expect(outcomes.filter((one) => one !== 'none').length).toBeGreaterThan(50)
  })

  test('find no key where the sum is the point at infinity, and refuse other lengths and recoveries', () => {
    // With the key 1 as nonce, R is the generator: s = z makes s·R - z·G zero.
    const x = audited.getPublicKey(word(1n)).subarray(1)
    const y = audited.getPublicKey(word(1n))[0] === 2 ? 0 : 1
    const z = word(1234567n)
    expect(foundBy(z, new Uint8Array([...x, ...z]), y)).toEqual(['none', 'none', 'none'])
    const { signature, recovery } = curve.sign(z, word(7n))
    for (const bad of [signature.subarray(1), new Uint8Array([...signature, 0]), new Uint8Array()]) {
      expect(foundBy(z, bad, recovery)).toEqual(['none', 'none', 'none'])
    }
    for (const bad of [-1, 4, 27, 28]) expect(foundBy(z, signature, bad)).toEqual(['none', 'none', 'none'])
    for (const one of [curve, hidden]) expect(() => one.recover(z.subarray(1), { signature, recovery })).toThrow()
  })

  test('find the same address, or none, once any bits have changed', () => {
    const bits = fc.uniqueArray(fc.nat(511), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(bits, fc.bigInt(1n, ORDER - 1n), (changed, secret) => {
        const hash = seeded(`${secret}`)
        const { signature, recovery } = curve.sign(hash, word(secret))
        for (const bit of changed) signature[bit >> 3] = (signature[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(new Set(foundBy(hash, signature, recovery)).size).toBe(1)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a platform without the native addon', () => {
  test('has the same library in WebAssembly', () => {
    expect([hidden.name, hidden.isNative]).toEqual(['libsecp256k1 in WebAssembly', false])
  })

  test('takes the same keys and refuses the same ones', () => {
    for (const value of [0n, 1n, ORDER - 1n, ORDER, MOST])
      expect([value, hidden.isKey(word(value))]).toEqual([value, curve.isKey(word(value))])
    expect(() => signerBy(hidden, `0x${'00'.repeat(32)}`)).toThrow('a signer key must be 32 bytes in hex')
  })

  test('signs the same transactions', () => {
    const key = generatePrivateKey()
    const transaction = { type: 'eip1559', chainId: 84532, nonce: 7, gas: 21_000n, maxFeePerGas: 9n } as const
    expect(signerBy(hidden, key).sign(transaction)).toEqual(createSigner(key).sign(transaction))
  })

  test('finds no signer of values that are out of range', () => {
    for (const [r, s] of [
      [0n, 5n],
      [5n, 0n],
      [ORDER, 5n],
      [5n, 5n],
    ] as const) {
      const signature = { r: bytesToHex(word(r)), s: bytesToHex(word(s)), v: 27 as const }
      expect(recoverAddress(keccak256('0x12'), signature, hidden)).toBeNull()
      expect(recoverAddress(keccak256('0x12'), signature)).toBeNull()
    }
  })
})
