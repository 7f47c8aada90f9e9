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

/**
 * What the payer signed; a Solana transaction is null when it cannot be read. Other schemes keep only their name and fail as
 * "unsupported".
 */
export type Transfer =
  | { kind: 'eip3009'; authorization: Authorization; signature: `0x${string}`; writtenFrom: string }
  | { kind: 'svm'; transaction: SvmTransaction | null }
  | { kind: 'permit2' }
  | { kind: 'other' }

/** What the merchant and the client declared besides the money, for discovery. The body limit bounds it. */
export type Declared = {
  description?: string
  mimeType?: string
  maxTimeoutSeconds?: number
  outputSchema?: Record<string, unknown>
  extra?: Record<string, unknown>
  extensions?: Record<string, unknown>
  resourceInfo?: Record<string, unknown>
}

/** One signed payment with its requirements: the only payment shape behind the HTTP layer. */
export type Payment = {
  x402Version: 1 | 2
  scheme: string
  /** Scheme and network as the payload names them; judged against the requirements. */
  claimed: { scheme: string; network: string }
  network: NetworkId
  /** The network as the caller wrote it, for responses. */
  spelling: string
  amount: bigint
  asset: string
  payTo: string
  resource: string
  domain: { name: string; version: string } | null
  transfer: Transfer
  declared: Declared
}

/** A payment with an EIP-3009 authorization: an EVM network, hence hex addresses. */
export type Eip3009Payment = Omit<Payment, 'network' | 'asset' | 'payTo' | 'transfer'> & {
  network: EvmNetworkId
  asset: `0x${string}`
  payTo: `0x${string}`
  transfer: Extract<Transfer, { kind: 'eip3009' }>
}

/** Whether the payment has an EIP-3009 authorization; parsePayment has checked its hex addresses. */
export function isEip3009(payment: Payment): payment is Eip3009Payment {
  return payment.transfer.kind === 'eip3009' && isEvmNetwork(payment.network)
}

/** A payment with a readable Solana transaction. */
export type SvmPayment = Omit<Payment, 'network' | 'transfer'> & {
  network: SvmNetworkId
  transfer: { kind: 'svm'; transaction: SvmTransaction }
}

/** Whether the payment has a readable Solana transaction. */
export function isSvm(payment: Payment): payment is SvmPayment {
  return payment.transfer.kind === 'svm' && payment.transfer.transaction !== null && !isEvmNetwork(payment.network)
}

/** A payment that may be settled: its content has an identity. */
export type SignedPayment = Eip3009Payment | SvmPayment

/** Whether the signed content could be read. */
export function isSigned(payment: Payment): payment is SignedPayment {
  return isEip3009(payment) || isSvm(payment)
}

/** The payer as the caller wrote it, unproven: for responses only. */
export function claimedPayer({ transfer }: Payment): string {
  if (transfer.kind === 'eip3009') return transfer.writtenFrom
  return transfer.kind === 'svm' && transfer.transaction ? payerOf(transfer.transaction) : ''
}

/** The unproven payer as addresses are compared and stored; empty when it cannot be read. */
export function payerIn(payment: Payment): string {
  return payment.transfer.kind === 'eip3009' ? payment.transfer.authorization.from : claimedPayer(payment)
}
