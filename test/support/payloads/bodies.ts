import { isServiceError } from '../../../server/base/errors'
import { parsePayment } from '../../../server/x402/parse'
import { requirements, type SignedPayment, v1Body } from './payments'

type Json = Record<string, unknown>

export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** A settle request that mixes the versions: base64 payload, CAIP-2 network and maxAmountRequired. */
export function mixedBody(payment: SignedPayment, encoded = encode(v1Body(payment).paymentPayload)): Json {
  const asked = {
    network: 'eip155:84532',
    maxAmountRequired: '1000',
    amount: undefined,
    resource: 'http://merchant.test/weather',
  }
  return { paymentPayload: encoded, paymentRequirements: requirements(asked) }
}

/** A Solana devnet payment whose transaction is a placeholder. */
export function solanaBody(): Json {
  const asked = requirements({
    network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    asset: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    payTo: '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs',
    extra: { feePayer: '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs' },
  })
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: asked, payload: { transaction: 'AQ==' } },
    paymentRequirements: asked,
  }
}

/** A copy of a body with one value replaced; undefined removes it. */
export function changed(body: Json, path: string, value: unknown): Json {
  const copy: Json = structuredClone(body)
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  const at = keys.reduce<object>((inner, key) => Reflect.get(inner, key) as object, copy)
  if (value === undefined) Reflect.deleteProperty(at, last)
  else Reflect.set(at, last, value)
  return copy
}

/** Requirements for Base in place of Base Sepolia. */
export const onBase: Json = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  extra: { name: 'USD Coin', version: '2' },
}

/** The refusal of a body that cannot be parsed. Throws when it is parsed. */
export function parseRefusal(body: unknown): { refusal: string; message: string; reason: string | undefined } {
  try {
    parsePayment(body)
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { refusal: error.refusal, message: error.message, reason: error.facts.reason }
  }
  throw new Error('it was parsed')
}
