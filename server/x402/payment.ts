import { type EvmNetworkId, isEvmNetwork, type NetworkId, type SvmNetworkId } from './networks'
import { payerOf, type SvmTransaction } from './schemes/exact-svm/transaction'

/** An EIP-3009 authorization. Addresses are lower case; times are Unix seconds. */
export type Authorization = {
  from: `0x${string}`
  to: `0x${string}`
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: `0x${string}`
}

/** What the payer signed; a Solana transaction is null when it cannot be read. Anything else is carried by name only, to be judged "unsupported". */
export type Transfer =
  | { kind: 'eip3009'; authorization: Authorization; signature: `0x${string}`; writtenFrom: string }
  | { kind: 'svm'; transaction: SvmTransaction | null }
  | { kind: 'permit2' }
  | { kind: 'other' }

/** What the merchant and the client declared besides the money, kept for discovery. Bounded by the body limit. */
export type Declared = {
  description?: string
  mimeType?: string
  maxTimeoutSeconds?: number
  outputSchema?: Record<string, unknown>
  extra?: Record<string, unknown>
  extensions?: Record<string, unknown>
  resourceInfo?: Record<string, unknown>
}

/** One signed payment with the requirements it answers: the only shape known behind the door. */
export type Payment = {
  x402Version: 1 | 2
  scheme: string
  /** Scheme and network that the payload names for itself; judged against the requirements. */
  claimed: { scheme: string; network: string }
  network: NetworkId
  /** The network as this caller writes it, echoed in answers. */
  spelling: string
  amount: bigint
  asset: string
  payTo: string
  resource: string
  domain: { name: string; version: string } | null
  transfer: Transfer
  declared: Declared
}

/** A payment that carries an EIP-3009 authorization: an EVM network, hence hex addresses. */
export type Eip3009Payment = Omit<Payment, 'network' | 'asset' | 'payTo' | 'transfer'> & {
  network: EvmNetworkId
  asset: `0x${string}`
  payTo: `0x${string}`
  transfer: Extract<Transfer, { kind: 'eip3009' }>
}

/** Whether the payment carries an EIP-3009 authorization. parsePayment has read its addresses as hex. */
export function isEip3009(payment: Payment): payment is Eip3009Payment {
  return payment.transfer.kind === 'eip3009' && isEvmNetwork(payment.network)
}

/** A payment that carries a Solana transaction which can be read. */
export type SvmPayment = Omit<Payment, 'network' | 'transfer'> & {
  network: SvmNetworkId
  transfer: { kind: 'svm'; transaction: SvmTransaction }
}

/** Whether the payment carries a Solana transaction that can be read. */
export function isSvm(payment: Payment): payment is SvmPayment {
  return payment.transfer.kind === 'svm' && payment.transfer.transaction !== null && !isEvmNetwork(payment.network)
}

/** A payment that may be settled: what it carries has an identity of its own. */
export type SignedPayment = Eip3009Payment | SvmPayment

/** Whether what the payer signed could be read. */
export function isSigned(payment: Payment): payment is SignedPayment {
  return isEip3009(payment) || isSvm(payment)
}

/** The payer as the caller wrote it, before anything is proven: for answers only. */
export function claimedPayer({ transfer }: Payment): string {
  if (transfer.kind === 'eip3009') return transfer.writtenFrom
  return transfer.kind === 'svm' && transfer.transaction ? payerOf(transfer.transaction) : ''
}

/** The payer as addresses are compared and kept, before anything is proven; empty when none can be read. */
export function payerIn(payment: Payment): string {
  return payment.transfer.kind === 'eip3009' ? payment.transfer.authorization.from : claimedPayer(payment)
}
