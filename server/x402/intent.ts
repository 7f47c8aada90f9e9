import { bytesToHex, type Hex, sha256, stringToBytes } from 'viem'
import { networks } from './networks'
import type { Eip3009Payment } from './payment'
import { normalSignature } from './signature'

/**
 * The identity of a signed transfer, whoever relays it and however it is spelled: chain, asset, payer and nonce.
 * Nothing a relayer can rewrite is in it.
 */
export function intentKey(payment: Eip3009Payment): Hex {
  const { from, nonce } = payment.transfer.authorization
  return digest([chainId(payment), payment.asset, from, nonce])
}

/** The identity of "the same request": the intent with its requirements and everything signed. Binds every retry. */
export function requestHash(payment: Eip3009Payment): Hex {
  const { authorization, signature } = payment.transfer
  return digest([
    chainId(payment),
    payment.asset,
    payment.payTo,
    payment.amount.toString(),
    payment.resource,
    ...Object.values(authorization).map(String),
    normalSignature(signature),
  ])
}

function chainId(payment: Eip3009Payment): string {
  return String(networks[payment.network].chainId)
}

// A field can never run into the next one: each is prefixed with its length.
function digest(fields: string[]): Hex {
  return bytesToHex(sha256(stringToBytes(fields.map((field) => `${field.length}:${field}`).join('|')), 'bytes'))
}
