import type { SvmPayment } from '../../../payment'
import { type Failure, failure, type Reason } from '../../../reasons/reasons'
import { CHANNEL_PROGRAM } from '../../upto/svm/program'
import { associatedAccount } from './associated-account'
import { feeOf } from './fees'
import { memoRules, type Rule } from './form'
import type { SvmTransfer, TransferChecked } from './instructions'
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM, MEMO_PROGRAM } from './programs'
import type { SvmInstruction } from './transaction'

/** The caps of a smart wallet's transaction (official values). The price is in micro-lamports per compute unit. */
const MAX_UNITS = 400_000n
const MAX_UNIT_PRICE = 50_000n

/**
 * The layout failures after which a transaction may still be a smart wallet's: its programs transfer by calls of their own. The list is
 * the official facilitator's.
 */
const RECOVERABLE: ReadonlySet<Reason> = new Set([
  'invalid_exact_svm_payload_transaction_instructions_length',
  'invalid_exact_svm_payload_no_transfer_instruction',
  'invalid_exact_svm_payload_unknown_fourth_instruction',
  'invalid_exact_svm_payload_unknown_fifth_instruction',
  'invalid_exact_svm_payload_unknown_sixth_instruction',
  'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction',
  'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction',
])

type BudgetFault = { reason: Reason; message: string }

const SMART = 'invalid_exact_svm_smart_wallet'

/** The fault of the first compute budget instruction that has one. */
function budgetFault({ transfer }: SvmPayment): BudgetFault | null {
  const { instructions } = transfer.transaction
  for (const [at, { program, data }] of instructions.entries()) {
    const fault = program === COMPUTE_BUDGET_PROGRAM ? faultOf(data) : null
    if (fault) return { ...fault, message: `Instruction ${at + 1} ${fault.message}.` }
  }
  return null
}

// The exact length, as in ordinary payments: the chain ignores trailing bytes, and no payment needs them.
function faultOf(data: SvmInstruction['data']): BudgetFault | null {
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  if (data.length === 0)
    return { reason: `${SMART}_malformed_compute_budget`, message: 'is of the compute budget program and empty' }
  if (data[0] === 2) {
    if (data.length !== 5) return { reason: `${SMART}_malformed_compute_limit`, message: 'is no SetComputeUnitLimit of 5 bytes' }
    const units = BigInt(view.getUint32(1, true))
    if (units <= MAX_UNITS) return null
    return { reason: `${SMART}_compute_units_too_high`, message: `asks for ${units} compute units; ${MAX_UNITS} are the maximum` }
  }
  if (data[0] === 3) {
    if (data.length !== 9) return { reason: `${SMART}_malformed_compute_price`, message: 'is no SetComputeUnitPrice of 9 bytes' }
    const price = view.getBigUint64(1, true)
    if (price <= MAX_UNIT_PRICE) return null
    return {
      reason: `${SMART}_priority_fee_too_high`,
      message: `pays ${price} micro-lamports a unit; ${MAX_UNIT_PRICE} are the maximum`,
    }
  }
  const message = 'is of the compute budget program, and sets neither the limit nor the price'
  return { reason: `${SMART}_unsupported_compute_budget_instruction`, message }
}

const budgetRule = (name: string, reason: BudgetFault['reason']) => ({
  name,
  reason,
  broken(payment: SvmPayment) {
    const fault = budgetFault(payment)
    return fault?.reason === reason && fault.message
  },
})

/** The rules of a smart wallet's transaction that need no node, in the official order. */
export const smartWalletRules = [
  {
    name: 'wallet_programs',
    reason: `${SMART}_program_not_allowed`,
    broken({ transfer }, { smartWallets }) {
      // A call of the channel program counts as proof of a transfer. So the program is never a wallet, even if the operator lists it.
      const programs = transfer.transaction.instructions.map(({ program }) => program)
      const other = programs.find((one) => one === CHANNEL_PROGRAM || (!BESIDE.has(one) && !smartWallets.has(one)))
      return other !== undefined && `The program ${other} is none of the smart wallets that this facilitator takes.`
    },
  },
  {
    name: 'wallet_isolation',
    reason: `${SMART}_fee_payer_not_isolated`,
    broken({ transfer }, { ours }) {
      const uses = ({ program, accounts }: SvmInstruction) => [program, ...accounts].some((one) => ours.has(one))
      const index = transfer.transaction.instructions.findIndex(uses)
      return index >= 0 && `Instruction ${index + 1} names a fee payer of this facilitator.`
    },
  },
  budgetRule('wallet_budget', `${SMART}_malformed_compute_budget`),
  budgetRule('wallet_limit', `${SMART}_malformed_compute_limit`),
  budgetRule('wallet_limit_max', `${SMART}_compute_units_too_high`),
  budgetRule('wallet_price', `${SMART}_malformed_compute_price`),
  budgetRule('wallet_price_max', `${SMART}_priority_fee_too_high`),
  budgetRule('wallet_budget_kind', `${SMART}_unsupported_compute_budget_instruction`),
  {
    name: 'wallet_fee_max',
    reason: `${SMART}_priority_fee_too_high`,
    broken: ({ transfer }, { maxFeeLamports }) =>
      feeOf(transfer.transaction) > maxFeeLamports &&
      `A payment may cost up to ${maxFeeLamports} lamports here; lower its signatures, its limit of compute units or their price.`,
  },
  ...memoRules(0),
] as const satisfies readonly Rule<SvmPayment>[]

/** What any payment may carry. */
const BESIDE: ReadonlySet<string> = new Set([COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, LIGHTHOUSE_PROGRAM])

/** The signatures that a smart wallet's transaction may need: the fee payer's, and those of some members. */
export const SMART_SIGNATURES_MAX = 4

/** What a transfer must pay. Amounts are atomic units. */
type Terms = Pick<SvmPayment, 'asset' | 'payTo' | 'amount'>

/** The transfers that pay the terms: of the asset, from another wallet to the account of payTo, of the amount or more. */
export function payingTransfers({ asset, payTo, amount }: Terms, transfers: readonly TransferChecked[]): TransferChecked[] {
  return transfers.filter(
    (one) =>
      one.mint === asset &&
      one.destination === associatedAccount(payTo, asset, one.program) &&
      one.source !== one.destination &&
      one.authority !== payTo &&
      one.amount >= amount,
  )
}

/** The one transfer that pays, among all that a transaction makes. A failure when there is none, or more than one. */
export function payingTransfer(terms: Terms, transfers: readonly TransferChecked[]): { paid: SvmTransfer } | { failed: Failure } {
  const [first, ...others] = payingTransfers(terms, transfers)
  if (!first) return { failed: failure(`${SMART}_${transfers.length === 0 ? 'no_transfer_in_simulation' : 'transfer_mismatch'}`) }
  if (others.length > 0) return { failed: failure(`${SMART}_multiple_matching_transfers`) }
  const { authority, source, mint, destination, amount } = first
  return { paid: { payer: authority, source, mint, destination, amount } }
}

/** Whether a payment may be a smart wallet's, where its layout failed for this reason. Version 1 has no smart wallets. */
export function mayBeSmartWallet({ x402Version }: SvmPayment, reason: Reason): boolean {
  return x402Version === 2 && RECOVERABLE.has(reason)
}
