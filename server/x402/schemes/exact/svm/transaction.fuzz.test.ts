import { generateKeyPairSigner } from '@solana/kit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patience, tries } from '../../../../../test/money/fuzz/runs'
import { instruction, PROGRAMS, someAddress, svmPayment } from '../../../../../test/support/svm/forge'
import { asDecodedByUs, asDecodedOfficially, assemble, base64, call, key, lookup } from '../../../../../test/support/svm/wire'
import { decodeTransaction } from './transaction'

const [payer, feePayer, payTo] = [await generateKeyPairSigner(), someAddress(), someAddress()]

describe('any input', () => {
  const agrees = (wire: Uint8Array) => {
    const decoded = decodeTransaction(base64(wire))
    if (decoded) expect(asDecodedByUs(decoded)).toEqual(asDecodedOfficially(wire))
    return decoded
  }

  test(
    'random bytes and texts are refused without an exception',
    () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 1_300 }), (bytes) => void agrees(bytes)),
        tries(100),
      )
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), (text) => void decodeTransaction(text)),
        tries(100),
      )
    },
    patience(6),
  )

  test('no part of a payment is a payment', async () => {
    for (const version of ['legacy', 0] as const) {
      const wire = Buffer.from(await svmPayment({ payer, feePayer, payTo, version }), 'base64')
      for (let length = 0; length < wire.length; length++) expect(agrees(wire.subarray(0, length))).toBeNull()
    }
  })

  test(
    'what is read of a payment with flipped bits, the official decoder reads alike',
    async () => {
      const wires = await Promise.all(
        (['legacy', 0] as const).map((version) =>
          svmPayment({
            payer,
            feePayer,
            payTo,
            version,
            extraInstructions: [instruction(PROGRAMS.lighthouse, [payTo], [1, 2])],
          }),
        ),
      )
      const bits = fc.array(fc.nat(), { minLength: 1, maxLength: 3 })
      fc.assert(
        fc.property(fc.constantFrom(...wires), bits, (wire, flips) => {
          const bytes = Buffer.from(wire, 'base64')
          for (const flip of flips) {
            const at = Math.floor(flip / 8) % bytes.length
            bytes[at] = (bytes[at] ?? 0) ^ (1 << (flip % 8))
          }
          agrees(bytes)
        }),
        tries(2_000),
      )
    },
    patience(6),
  )

  test(
    'what is read of messages with any counts, the official decoder reads alike',
    () => {
      const small = fc.integer({ min: 0, max: 5 })
      const index = fc.integer({ min: 0, max: 6 })
      const shape = fc.record({
        required: small,
        signed: small,
        unsigned: small,
        keys: small,
        calls: fc.array(fc.record({ program: index, accounts: fc.array(index, { maxLength: 4 }) }), { maxLength: 3 }),
        loaded: fc.option(fc.tuple(small, small), { nil: null }),
        legacy: fc.boolean(),
      })
      let read = 0
      fc.assert(
        fc.property(shape, ({ required, signed, unsigned, keys, calls, loaded, legacy }) => {
          const loads = loaded ? [lookup(Array(loaded[0]).fill(1), Array(loaded[1]).fill(2))] : []
          const wire = assemble({
            signatures: Array(required).fill(new Uint8Array(64)),
            prefix: legacy ? [] : [0x80],
            header: [required, signed, unsigned],
            keys: Array.from({ length: keys }, key),
            instructions: calls.map(({ program, accounts }) => call(program, accounts)),
            lookups: legacy ? null : loads,
          })
          if (agrees(Buffer.from(wire, 'base64'))) read += 1
        }),
        tries(2_000),
      )
      // One in forty of these shapes is a message.
      expect(read).toBeGreaterThan(5)
    },
    patience(6),
  )
})
