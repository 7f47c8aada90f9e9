import { displayAddress } from '../../x402/addresses'
import { type EvmNetworkId, networks } from '../../x402/networks'
import type { Authorization, Declared } from '../../x402/payment'

/** The forwarded parts of a payment: the parsed one, in canonical form. */
export type Forwarded = {
  network: EvmNetworkId
  asset: string
  payTo: string
  amount: bigint
  resource: string
  transfer: { authorization: Authorization; signature: string }
  declared: Declared
}

/** The body of `POST /settle` as official clients send it: x402 version 2. */
export type ForwardedRequest = { x402Version: 2; paymentPayload: object; paymentRequirements: object }

const TIMEOUT_SECONDS = 60

/** The only form in which a payment is forwarded: CAIP-2 network, v2 names, EIP-55 addresses, decimal strings. */
export function forward(payment: Forwarded): ForwardedRequest {
  const { network, asset, payTo, amount, declared } = payment
  const requirements = {
    scheme: 'exact',
    network,
    amount: amount.toString(),
    asset: displayAddress(asset),
    payTo: displayAddress(payTo),
    // Version 2 requires a positive number.
    maxTimeoutSeconds: declared.maxTimeoutSeconds || TIMEOUT_SECONDS,
    extra: { ...declared.extra, ...networks[network].domain },
  }
  const paymentPayload = {
    x402Version: 2,
    payload: signedPart(payment),
    ...resourcePart(payment),
    accepted: requirements,
    ...(declared.extensions ? { extensions: declared.extensions } : {}),
  }
  return { x402Version: 2, paymentPayload, paymentRequirements: requirements }
}

function signedPart({ transfer: { authorization, signature } }: Forwarded): object {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const digits = { value: value.toString(), validAfter: validAfter.toString(), validBefore: validBefore.toString() }
  return { signature, authorization: { from: displayAddress(from), to: displayAddress(to), ...digits, nonce } }
}

function resourcePart({ resource, declared }: Forwarded): { resource?: object } {
  const { description, mimeType, resourceInfo } = declared
  if (resource === '') return {}
  return {
    resource: { ...(description ? { description } : {}), ...(mimeType ? { mimeType } : {}), ...resourceInfo, url: resource },
  }
}
