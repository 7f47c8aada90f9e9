import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, test } from 'vitest'
import { localNetwork } from '../../devnet/networks'
import { changed, mixedBody, solanaBody } from '../../test/support/payloads/bodies'
import { type SignedPayment, signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { permit2Body, sponsoringOn } from '../../test/support/permit2/permit2'
import { isServiceError } from '../base/errors'
import { parseJson } from './json'
import { parsePayment } from './parse'

let payment: SignedPayment
let byPermit2: Record<string, unknown>
beforeAll(async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  payment = await signed(owner)
  const payer = { owner, from: owner.address, token: localNetwork(84532).usdc }
  byPermit2 = await permit2Body(84532, payer, { extensions: sponsoringOn(84532).permitting() })
})

describe('any untrusted body', () => {
  const isPaymentOrRefusal = (body: unknown): boolean => {
    try {
      return typeof parsePayment(body).amount === 'bigint'
    } catch (error) {
      if (isServiceError(error)) return error.refusal === 'bad_request' || error.refusal === 'forbidden'
      throw error
    }
  }

  test('is a payment or a refusal', () => {
    const bodies = fc.record(
      {
        paymentPayload: fc.jsonValue(),
        paymentRequirements: fc.jsonValue(),
        paymentHeader: fc.string(),
        x402Version: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), bodies), isPaymentOrRefusal))
  })

  test('is a payment or a refusal when it is nearly a payment', () => {
    const valid = [v1Body(payment), v2Body(payment), mixedBody(payment), byPermit2, solanaBody()]
    const mutated = fc
      .constantFrom(...valid)
      .chain((body) =>
        fc
          .record({ path: fc.constantFrom(...pathsOf(body)), value: fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })) })
          .map(({ path, value }) => changed(body, path, value)),
      )
    fc.assert(fc.property(mutated, isPaymentOrRefusal), { numRuns: 1_000 })
  })

  test('is a payment or a refusal after any damage to its text', () => {
    const text = JSON.stringify(v2Body(payment))
    const damage = fc.record({ at: fc.nat(text.length), remove: fc.nat(30), insert: fc.string({ unit: 'binary', maxLength: 5 }) })
    fc.assert(
      fc.property(damage, ({ at, remove, insert }) => {
        let body: unknown
        try {
          body = parseJson(text.slice(0, at) + insert + text.slice(at + remove), 'the body')
        } catch (error) {
          return isServiceError(error)
        }
        return isPaymentOrRefusal(body)
      }),
    )
  })
})

/** Every path into a JSON object, outer ones included. */
function pathsOf(value: object): string[] {
  return Object.entries(value).flatMap(([key, inner]) => [
    key,
    ...(typeof inner === 'object' && inner !== null ? pathsOf(inner).map((path) => `${key}.${path}`) : []),
  ])
}
