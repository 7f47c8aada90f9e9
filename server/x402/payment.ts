import { type EvmNetworkId, isEvmNetwork, type NetworkId, type SvmNetworkId } from './networks/networks'
import type {
  BatchEip3009Transfer,
  BatchPermit2Transfer,
  DepositTransfer,
  UnreadDeposit,
} from './schemes/batch-settlement/transfers'
import { payerOf, type SvmTransaction } from './schemes/exact/svm/transaction'
import type { Eip3009Transfer, ExactTransfer, Permit2Transfer, SvmSigned } from './schemes/exact/transfers'
import type { UptoStep, UptoSvmTransfer } from './schemes/upto/svm/transfers'
import type { UptoTransfer } from './schemes/upto/transfers'

/** What a wallet of an EVM network signed. */
export type EvmTransfer = ExactTransfer | UptoTransfer | DepositTransfer

/**
 * What the payer signed; a Solana transaction is null when it cannot be read. Other schemes keep only their name and fail as
 * "unsupported".
 */
export type Transfer = EvmTransfer | SvmSigned<SvmTransaction | null> | UptoSvmTransfer<SvmTransaction | null> | Unserved

/** `permit2`: it has the form of a Permit2 payment, where none is served; `unread`: it is a deposit that lacks its authorization. */
type Unserved = { kind: 'other'; payload: 'permit2' | null; unread?: UnreadDeposit }

/** What the merchant and the client declared besides the money, for discovery. The body limit bounds it. */
export type Declared = {
  description?: string
  mimeType?: string
  maxTimeoutSeconds?: number
  outputSchema?: Record<string, unknown>
  extra?: Record<string, unknown>
  extensions?: Record<string, unknown>
  resourceInfo?: Record<string, unknown>
  /** Of a deposit: what one answer costs at most, in atomic units. */
  price?: string
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
  /** What is asked for; of a payment that signs a maximum, that; of a deposit what it moves. */
  amount: bigint
  /** What is taken of the maximum; unset before it is known, and where the amount is all there is. */
  charge?: bigint
  /** What the requirements of a deposit ask for: the price when it is verified, the charge when it is settled. */
  price?: bigint
  asset: string
  payTo: string
  resource: string
  domain: { name: string; version: string } | null
  transfer: Transfer
  declared: Declared
}

/** A payment on an EVM network, hence with hex addresses. */
export type EvmPayment<T extends EvmTransfer = EvmTransfer> = Omit<Payment, 'network' | 'asset' | 'payTo' | 'transfer'> & {
  network: EvmNetworkId
  asset: `0x${string}`
  payTo: `0x${string}`
  transfer: T
}
export type Eip3009Payment = EvmPayment<Eip3009Transfer>
export type Permit2Payment = EvmPayment<Permit2Transfer>
export type UptoPayment = EvmPayment<UptoTransfer>
export type BatchEip3009Payment = EvmPayment<BatchEip3009Transfer>
export type BatchPermit2Payment = EvmPayment<BatchPermit2Transfer>
/** A payment by Permit2, through any proxy. */
export type AnyPermit2Payment = EvmPayment<Permit2Transfer | UptoTransfer | BatchPermit2Transfer>

/** The payment as settle reads it: of one that signs a maximum, what is asked for is the charge. */
export function asCharged(payment: Payment): Payment {
  const { amount: charge, transfer } = payment
  if (transfer.kind === 'svm-upto') return asStep(payment, transfer)
  return transfer.kind === 'upto' ? { ...payment, charge, amount: transfer.authorization.value } : payment
}

/** The payment as the step that settle is asked for: it first takes the maximum into a channel, and then the charge out of it. */
function asStep(payment: Payment, transfer: UptoSvmTransfer<SvmTransaction | null>): Payment {
  const { amount } = payment
  const { type, maximum } = transfer
  // Without a type it is refused.
  const step: UptoStep = type ?? 'deposit'
  const asked = { ...payment, transfer: { ...transfer, step } }
  return step === 'claim' ? { ...asked, charge: amount, amount: maximum ?? amount } : asked
}

/** Whether a payment takes its charge out of a channel that it opened before. */
export function isClaimStep({ transfer }: Pick<Payment, 'transfer'>): boolean {
  return transfer.kind === 'svm-upto' && transfer.step === 'claim'
}

/** Whether an EVM wallet signed the payment; parsePayment has checked its hex addresses. */
export function isEvmPayment(payment: Payment): payment is EvmPayment {
  return 'authorization' in payment.transfer && isEvmNetwork(payment.network)
}

/** Whether the payment has an EIP-3009 authorization. */
export function isEip3009(payment: Payment): payment is Eip3009Payment {
  return isEvmPayment(payment) && payment.transfer.kind === 'eip3009'
}

/** A payment with a readable Solana transaction. */
export type SvmPayment = Omit<Payment, 'network' | 'transfer'> & {
  network: SvmNetworkId
  transfer: SvmSigned<SvmTransaction> | UptoSvmTransfer<SvmTransaction>
}

/** Whether the payment has a readable Solana transaction. */
export function isSvm(payment: Payment): payment is SvmPayment {
  const { transfer, network } = payment
  return (transfer.kind === 'svm' || transfer.kind === 'svm-upto') && transfer.transaction !== null && !isEvmNetwork(network)
}

/** A payment that may be settled: its content has an identity. */
export type SignedPayment = EvmPayment | SvmPayment

/** Whether the signed content could be read. */
export function isSigned(payment: Payment): payment is SignedPayment {
  return isEvmPayment(payment) || isSvm(payment)
}

/** The payment with the payer that its judgement found. */
export function paidBy(payment: SvmPayment, payer: string): SvmPayment {
  return { ...payment, transfer: { ...payment.transfer, payer } }
}

/** The payer as the caller wrote it, unproven: for responses only. */
export function claimedPayer({ transfer }: Payment): string {
  if ('writtenFrom' in transfer) return transfer.writtenFrom
  if (transfer.kind === 'svm-upto') return transfer.payer
  if (transfer.kind !== 'svm' || !transfer.transaction) return ''
  return transfer.payer ?? payerOf(transfer.transaction)
}

/** The unproven payer as addresses are compared and stored; empty when it cannot be read. */
export function payerIn(payment: Payment): string {
  return 'authorization' in payment.transfer ? payment.transfer.authorization.from : claimedPayer(payment)
}
