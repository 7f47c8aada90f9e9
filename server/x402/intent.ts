import { bytesToHex, type Hex, sha256, stringToBytes } from 'viem'
import { type EvmNetworkId, networkRow } from './networks'
import { type Authorization, type Eip3009Payment, isSvm, type SignedPayment } from './payment'
import { normalSignature } from './signatures'

/**
 * The identity of a signed transfer: chain, asset, payer and nonce, or on Solana the hash of the signed message. A relayer can change
 * none of it.
 */
export function intentKey(payment: SignedPayment): Hex {
  if (isSvm(payment)) return payment.transfer.transaction.messageHash
  return authorizationKey(payment.network, payment.asset, payment.transfer.authorization)
}

/** The identity of an EIP-3009 authorization of this asset. */
export function authorizationKey(
  network: EvmNetworkId,
  asset: string,
  { from, nonce }: Pick<Authorization, 'from' | 'nonce'>,
): Hex {
  return digest([String(networkRow(network).chainId), asset, from, nonce])
}

/** The identity of one request: the intent with its requirements and everything signed. A retry must match it. */
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
  return String(networkRow(payment.network).chainId)
}

// Each field is prefixed with its length, so that fields cannot run into each other.
function digest(fields: string[]): Hex {
  return bytesToHex(sha256(stringToBytes(fields.map((field) => `${field.length}:${field}`).join('|')), 'bytes'))
}
