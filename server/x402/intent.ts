import { bytesToHex, type Hex, sha256, stringToBytes } from 'viem'
import { networks } from './networks'
import { type Eip3009Payment, isSvm, type SignedPayment } from './payment'
import { normalSignature } from './signatures'

/**
 * The identity of a signed transfer, whoever relays it and however it is spelled: chain, asset, payer and nonce; on Solana the hash of
 * the signed message. Nothing a relayer can rewrite is in it.
 */
export function intentKey(payment: SignedPayment): Hex {
  if (isSvm(payment)) return payment.transfer.transaction.messageHash
  const { from, nonce } = payment.transfer.authorization
  return digest([chainId(payment), payment.asset, from, nonce])
}

/** The identity of "the same request": the intent with its requirements and everything signed. Binds every retry. */
export function requestHash(payment: SignedPayment): Hex {
  const { network, asset, payTo, amount, resource } = payment
  if (isSvm(payment))
    return digest([network, asset, payTo, amount.toString(), resource, payment.transfer.transaction.messageHash])
  const { authorization, signature } = payment.transfer
  return digest([
    chainId(payment),
    asset,
    payTo,
    amount.toString(),
    resource,
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
