import { bytesToHex, type Hex, sha256, stringToBytes } from 'viem'
import { type EvmNetworkId, networkRow } from './networks/networks'
import { isClaimStep, isSvm, type SignedPayment, type SvmPayment } from './payment'
import { methodOf } from './schemes/evm-methods'
import { identityOf } from './schemes/exact/eip3009/method'
import { permit2Identity } from './schemes/permit2/method'
import { stepIdentity } from './schemes/upto/svm/program'

/**
 * The identity of a signed transfer: chain, contract, payer and nonce, or on Solana the hash of the signed message. A relayer can change
 * none of it. What goes through a channel on Solana is identified by the channel and the step, so that each step succeeds once.
 */
export function intentKey(payment: SignedPayment): Hex {
  return isSvm(payment) ? svmIntent(payment) : digest(methodOf(payment).identity(payment))
}

function svmIntent({ network, transfer }: SvmPayment): Hex {
  if (transfer.kind === 'svm') return transfer.transaction.messageHash
  return stepKey(network, transfer.channelId, transfer.step === 'claim' ? 'claim' : 'open')
}

/** The identities under which a signed payment may be known: of a channel on Solana those of the step that it names, or of both. */
export function intentKeysIn(payment: SignedPayment): Hex[] {
  const { transfer, network } = payment
  if (transfer.kind !== 'svm-upto') return [intentKey(payment)]
  const steps =
    transfer.type === null ? (['open', 'claim'] as const) : [transfer.type === 'claim' ? ('claim' as const) : ('open' as const)]
  return steps.map((step) => stepKey(network, transfer.channelId, step))
}

/** The identity of a step on a channel on Solana. */
export const stepKey = (network: string, channelId: string, step: 'open' | 'claim' | 'reclaim'): Hex =>
  digest(stepIdentity(network, channelId, step))

/** The identities that a payer's nonce can have on a network: an authorization of each of its tokens, and one of Permit2. */
export function intentKeysOf(network: EvmNetworkId, from: Hex, nonce: Hex): Hex[] {
  const { chainId, assets } = networkRow(network)
  const ofTokens = assets.map(({ address }) => identityOf(chainId, address, { from, nonce }))
  return [...ofTokens, permit2Identity(chainId, { from, nonce: BigInt(nonce) })].map(digest)
}

/** The identity of one request: the intent with its requirements and everything signed. A retry must match it. */
export function requestHash(payment: SignedPayment): Hex {
  const { network, asset, payTo, amount, resource } = payment
  if (isSvm(payment))
    return digest([
      network,
      asset,
      payTo,
      amount.toString(),
      resource,
      payment.transfer.transaction.messageHash,
      ...stepOf(payment),
    ])
  const { chainId } = networkRow(payment.network)
  return digest([String(chainId), asset, payTo, amount.toString(), resource, ...methodOf(payment).terms(payment)])
}

const stepOf = (payment: SvmPayment) => (isClaimStep(payment) ? ['claim'] : [])

/** The identity of an act of channels: its kind, its network, and what it does once. */
export const actKey = (fields: readonly string[]): Hex => digest(fields)

// Each field is prefixed with its length, so that fields cannot run into each other.
function digest(fields: readonly string[]): Hex {
  return bytesToHex(sha256(stringToBytes(fields.map((field) => `${field.length}:${field}`).join('|')), 'bytes'))
}
