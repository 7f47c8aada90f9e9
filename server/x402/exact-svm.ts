import type { Payment } from './payment'
import type { Failure } from './reasons'
import type { SvmTransaction } from './svm-transaction'

/** What a sponsor of Solana fees accepts. */
export type SvmRules = {
  /** The fee payers that serve this payment. */
  feePayers: ReadonlySet<string>
  /** All fee payers of this facilitator: none of them may appear in an instruction. */
  ours: ReadonlySet<string>
  maxComputeUnits: bigint
  maxFeeLamports: bigint
}

/** The transfer inside a transaction that keeps all rules. */
export type SvmTransfer = { payer: string; source: string; mint: string; destination: string; amount: bigint }

/**
 * The first rule that a payment on Solana breaks, in the official order, without asking a node (PROTOCOL: exact on SVM). `proven` says
 * that the payer's signature holds. Null when all hold.
 */
export function brokenSvmRules(payment: Payment, rules: SvmRules): (Failure & { proven: boolean }) | null {
  throw new Error(`not there yet: ${payment.scheme} ${rules.maxFeeLamports}`)
}

/** The transfer of a transaction that has one; null for any other. */
export function transferIn(transaction: SvmTransaction): SvmTransfer | null {
  throw new Error(`not there yet: ${transaction.version}`)
}

/** What a transaction costs its fee payer at most, in lamports: 5,000 for each signature and the priority fee of its compute budget. */
export function feeOf(transaction: SvmTransaction): bigint {
  throw new Error(`not there yet: ${transaction.version}`)
}
