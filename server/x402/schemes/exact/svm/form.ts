import { bytes32 } from '../../../encodings'
import type { Payment, SvmPayment } from '../../../payment'
import { type Failure, type Reason, svmFailure } from '../../../reasons/reasons'
import { isSignedBy } from '../../../signatures'
import { OTHER_SVM_SCHEMES } from '../../scheme-names'
import { areExact } from '../scheme'
import { untrustedInstruction } from './instructions'
import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM } from './programs'
import type { SvmInstruction, SvmTransaction } from './transaction'

/** What we accept as sponsor of Solana fees. */
export type SvmRules = {
  /** The fee payers that serve this payment. */
  feePayers: ReadonlySet<string>
  /** All fee payers of this facilitator: no instruction may name them. */
  ours: ReadonlySet<string>
  maxComputeUnits: bigint
  maxFeeLamports: bigint
  /** The programs of smart wallets whose transactions are taken; empty: none. */
  smartWallets: ReadonlySet<string>
}

/**
 * One rule about a Solana payment. `broken` returns whether it is broken, or a sentence that says how. A judge reads the first broken rule
 * of a list; an explanation reads all. `needs`: a broken rule after which this one says nothing new.
 */
export type Rule<Subject> = {
  name: string
  needs?: string
  reason: Reason
  broken: (subject: Subject, rules: SvmRules) => boolean | string
}

/** The failure of the first broken rule, in the codes of the payment's version. Null when all hold. */
export function firstBroken<Subject>(
  list: readonly Rule<Subject>[],
  subject: Subject,
  rules: SvmRules,
  payment: Payment,
): Failure | null {
  for (const { reason, broken } of list) {
    const how = broken(subject, rules)
    if (how) return svmFailure(payment, reason, how === true ? undefined : how)
  }
  return null
}

/** The signatures of fee payer and payer: each costs as much as the whole transfer. */
const MAX_SIGNATURES = 2

/** Rules before the transaction is read: scheme, network, fee payer. The order is the official facilitator's. */
export const formRules = [
  {
    name: 'payload_type',
    reason: 'unsupported_payload_type',
    broken: ({ transfer }) =>
      transfer.kind === 'other' && transfer.payload === 'permit2' && 'There is no Permit2 on Solana; send payload.transaction.',
  },
  { name: 'scheme_served', reason: 'unsupported_scheme', broken: ({ scheme }) => OTHER_SVM_SCHEMES.has(scheme) },
  {
    name: 'scheme',
    needs: 'scheme_served',
    reason: 'invalid_exact_svm_unsupported_scheme',
    broken: (payment) => !areExact(payment),
  },
  {
    name: 'network',
    reason: 'invalid_exact_svm_network_mismatch',
    broken: ({ claimed, network }) => claimed.network !== network,
  },
  {
    name: 'fee_payer',
    reason: 'invalid_exact_svm_payload_missing_fee_payer',
    broken: (payment) => feePayerOf(payment) === '',
  },
  {
    name: 'fee_payer_served',
    needs: 'fee_payer',
    reason: 'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
    broken: (payment, { feePayers }) => !feePayers.has(feePayerOf(payment)),
  },
] as const satisfies readonly Rule<Payment>[]

/** Rules about the signers. A lookup table could change what was signed after we judged it. */
export const signingRules = [
  {
    name: 'signers',
    reason: 'invalid_exact_svm_payload_excessive_signers',
    broken: ({ transfer }) => transfer.transaction.signatures.length > MAX_SIGNATURES,
  },
  {
    name: 'fee_payer_first',
    needs: 'fee_payer',
    reason: 'invalid_exact_svm_fee_payer_mismatch',
    broken: (payment) => payment.transfer.transaction.accounts[0] !== feePayerOf(payment),
  },
  {
    name: 'signature',
    reason: 'invalid_exact_svm_payload_signature_invalid',
    broken: ({ transfer }) => !hasSignatures(transfer.transaction),
  },
  {
    name: 'lookup_tables',
    reason: 'invalid_exact_svm_smart_wallet_alt_resolution_not_available',
    broken: ({ transfer }) =>
      transfer.transaction.lookups > 0 && 'Address lookup tables are not taken; name every account in the transaction itself.',
  },
] as const satisfies readonly Rule<SvmPayment>[]

/** The fee payer of the requirements; empty without one. */
export function feePayerOf({ declared }: Payment): string {
  const feePayer = declared.extra?.feePayer
  return typeof feePayer === 'string' ? feePayer : ''
}

// Judged at the request and again before the send: the curve check is the most expensive part of both.
const signed = new WeakMap<SvmTransaction, boolean>()

/** Whether all required signers but the fee payer have signed. */
export function hasSignatures(transaction: SvmTransaction): boolean {
  const known = signed.get(transaction)
  if (known !== undefined) return known
  const { signatures, accounts, message } = transaction
  const holds = signatures.every((signature, index) => {
    const key = bytes32(accounts[index] ?? '')
    return index === 0 || (key !== null && isSignedBy(key, signature, message))
  })
  signed.set(transaction, holds)
  return holds
}

/** The number of required instructions; later ones are extra. */
export const NEEDED = 3

const EXTRA_PROGRAMS: ReadonlySet<string> = new Set([LIGHTHOUSE_PROGRAM, MEMO_PROGRAM])

const UNKNOWN = [
  { name: 'instruction_4', reason: 'invalid_exact_svm_payload_unknown_fourth_instruction' },
  { name: 'instruction_5', reason: 'invalid_exact_svm_payload_unknown_fifth_instruction' },
  { name: 'instruction_6', reason: 'invalid_exact_svm_payload_unknown_sixth_instruction' },
  { name: 'instruction_7', reason: 'invalid_exact_svm_payload_unknown_seventh_instruction' },
] as const

/** The rules about the memo that a merchant wants, among the instructions from a place on. */
export function memoRules(from: number) {
  return [
    {
      name: 'memo_count',
      reason: 'invalid_exact_svm_payload_memo_count',
      broken: (payment) => Boolean(wantedMemo(payment)) && memosOf(payment, from).length !== 1,
    },
    {
      name: 'memo',
      needs: 'memo_count',
      reason: 'invalid_exact_svm_payload_memo_mismatch',
      broken: (payment) => Boolean(wantedMemo(payment)) && memosOf(payment, from)[0] !== wantedMemo(payment),
    },
  ] as const satisfies readonly Rule<SvmPayment>[]
}

/** Rules about the instructions after the transfer; the last one forbids any use of our fee payers. */
export const extraRules = [
  ...UNKNOWN.map((row, extra) => ({ ...row, broken: (payment: SvmPayment) => isUnknown(payment, NEEDED + extra) })),
  ...memoRules(NEEDED),
  {
    name: 'fee_payer_unused',
    reason: 'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
    broken: ({ transfer }, { ours }) => {
      const { instructions } = transfer.transaction
      const index = instructions.findIndex(({ accounts }) => accounts.some((account) => ours.has(account)))
      return index >= 0 && `Instruction ${index + 1} names a fee payer of this facilitator among its accounts.`
    },
  },
] as const satisfies readonly Rule<SvmPayment>[]

/** Whether an instruction may follow the transfer of an ordinary payment. */
export const isExtra = ({ program }: SvmInstruction): boolean => EXTRA_PROGRAMS.has(program)

function isUnknown({ transfer }: SvmPayment, index: number): boolean | string {
  const instruction = transfer.transaction.instructions[index]
  if (!instruction || isExtra(instruction)) return false
  return untrustedInstruction(instruction, index) ?? true
}

// As the official facilitator does: any value but undefined or null requires a memo.
const wantedMemo = ({ declared }: SvmPayment): unknown => declared.extra?.memo

/** The texts of all memos; null for one that is not UTF-8. */
function memosOf({ transfer }: SvmPayment, from: number): (string | null)[] {
  const memos = transfer.transaction.instructions.slice(from).filter(({ program }) => program === MEMO_PROGRAM)
  return memos.map(({ data }) => textOf(data))
}

function textOf(data: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data)
  } catch {
    // Not UTF-8, so not the required memo.
    return null
  }
}
