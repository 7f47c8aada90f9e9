import type { Hex, LocalAccount } from 'viem'
import { type Authorization, authorization, sign } from '../../../devnet/authorization'
import type { Permit2Message } from '../../../devnet/permit2'

export const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'

export type SignedPayment = {
  /** Who pays whom how much; of a payment by Permit2 also its nonce in hex. */
  authorization: Authorization
  signature: Hex
  /** What the payer signed instead, for Permit2. */
  permit2?: Permit2Message
  /** What the payer sends along. */
  extensions?: Record<string, unknown>
}

/** A signed authorization of 0.001 USDC to `PAY_TO`, as the official client makes it; fields can be overridden. */
export async function signed(
  payer: LocalAccount,
  overrides: Partial<Authorization> = {},
  chainId = 84532,
): Promise<SignedPayment> {
  const message = authorization({ from: payer.address, to: PAY_TO, value: 1_000n, ...overrides })
  return { authorization: message, signature: await sign(chainId, payer, message) }
}

type Json = Record<string, unknown>

/** The requirements a v2 merchant sends. */
export function requirements(overrides: Json = {}): Json {
  return {
    scheme: 'exact',
    network: 'eip155:84532',
    amount: '1000',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    payTo: PAY_TO,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2' },
    ...overrides,
  }
}

/** The inner payload of a payment on the wire. */
export function innerPayload({ authorization, signature, permit2 }: SignedPayment): Json {
  if (permit2) return { signature, permit2Authorization: { from: authorization.from, ...asText(permit2) } }
  const { value, validAfter, validBefore, ...rest } = authorization
  return {
    signature,
    authorization: { ...rest, value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) },
  }
}

/** Amounts and times as the wire has them. */
export function asText(value: object): Json {
  return JSON.parse(JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item)))
}

/** A settle or verify body as today's official client and middleware send it. */
export function v2Body(payment: SignedPayment, changed: { accepted?: Json; requirements?: Json; payload?: Json } = {}): Json {
  const asked = requirements(changed.requirements)
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      payload: { ...innerPayload(payment), ...changed.payload },
      resource: { url: 'http://merchant.test/weather', description: 'Weather', mimeType: 'application/json' },
      accepted: { ...asked, ...changed.accepted },
      ...(payment.extensions ? { extensions: payment.extensions } : {}),
    },
    paymentRequirements: asked,
  }
}

/** A settle or verify body as legacy clients send it. */
export function v1Body(payment: SignedPayment, changed: { payload?: Json; requirements?: Json } = {}): Json {
  return {
    x402Version: 1,
    paymentPayload: {
      x402Version: 1,
      scheme: 'exact',
      network: 'base-sepolia',
      payload: innerPayload(payment),
      ...changed.payload,
    },
    paymentRequirements: {
      scheme: 'exact',
      network: 'base-sepolia',
      maxAmountRequired: '1000',
      resource: 'http://merchant.test/weather',
      description: 'Weather',
      mimeType: 'application/json',
      payTo: PAY_TO,
      maxTimeoutSeconds: 300,
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      extra: { name: 'USDC', version: '2' },
      ...changed.requirements,
    },
  }
}
