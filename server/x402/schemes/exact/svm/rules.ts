import { assetOn, type SvmAsset } from '../../../networks/networks'
import { isClaimStep, isSvm, type Payment, type SvmPayment } from '../../../payment'
import type { Failure } from '../../../reasons/reasons'
import { svmFailure } from '../../../reasons/reasons'
import { callsChannels } from '../../upto/svm/open'
import { brokenUptoSvmRules, isUptoSvm, type UptoSvmRead } from '../../upto/svm/rules'
import { associatedAccount } from './associated-account'
import { feeOf, unitLimitOf, unitPriceOf } from './fees'
import {
  extraRules,
  firstBroken,
  formRules,
  hasSignatures,
  isExtra,
  NEEDED,
  type Rule,
  type SvmRules,
  signingRules,
} from './form'
import {
  readTransferChecked,
  readUnitLimit,
  readUnitPrice,
  type SvmTransfer,
  type TransferChecked,
  tokenProgramTitle,
  untrustedInstruction,
} from './instructions'
import { mayBeSmartWallet, SMART_SIGNATURES_MAX, smartWalletRules } from './smart-wallet'
import { payerOf, type SvmInstruction, type SvmTransaction } from './transaction'

export type { SvmRules } from './form'
export type { SvmTransfer } from './instructions'

/** Micro-lamports per compute unit (official value). */
const MAX_UNIT_PRICE = 5_000_000n
const MAX_INSTRUCTIONS = { 1: 6, 2: 7 } as const

/**
 * Rules about the required instructions. The order is the official facilitator's: the first broken rule is the reason a caller sees. Our
 * own rules follow the related official ones.
 */
export const layoutRules = [
  {
    name: 'instruction_count',
    reason: 'invalid_exact_svm_payload_transaction_instructions_length',
    broken: ({ transfer, x402Version }) => {
      const { length } = transfer.transaction.instructions
      return length < NEEDED || length > MAX_INSTRUCTIONS[x402Version]
    },
  },
  {
    name: 'compute_limit',
    reason: 'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction',
    broken: (payment) => isOtherInstruction(payment, 0, readUnitLimit),
  },
  {
    name: 'compute_limit_max',
    needs: 'compute_limit',
    reason: 'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high',
    broken: ({ transfer }, { maxComputeUnits }) =>
      unitLimitOf(transfer.transaction) > maxComputeUnits && `A payment may use up to ${maxComputeUnits} compute units here.`,
  },
  {
    name: 'compute_price',
    reason: 'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction',
    broken: (payment) => isOtherInstruction(payment, 1, readUnitPrice),
  },
  {
    name: 'compute_price_max',
    needs: 'compute_price',
    reason: 'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
    broken: ({ transfer }) =>
      unitPriceOf(transfer.transaction) > MAX_UNIT_PRICE && `A compute unit may cost up to ${MAX_UNIT_PRICE} micro-lamports.`,
  },
  {
    name: 'fee_max',
    needs: 'compute_price_max',
    reason: 'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
    broken: ({ transfer }, { maxFeeLamports }) =>
      feeOf(transfer.transaction) > maxFeeLamports &&
      `A payment may cost up to ${maxFeeLamports} lamports here; lower its limit of compute units or their price.`,
  },
  {
    name: 'transfer',
    reason: 'invalid_exact_svm_payload_no_transfer_instruction',
    broken: (payment) => isOtherInstruction(payment, 2, readTransferChecked) || isOfOtherProgram(payment),
  },
] as const satisfies readonly Rule<SvmPayment>[]

/** A payment with the transfer of its third instruction. */
export type Paying = { payment: SvmPayment; call: TransferChecked }

/** Rules about the transfer. */
export const transferRules = [
  {
    name: 'payer_pays',
    reason: 'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
    broken: ({ call }, { ours }) => ours.has(call.authority),
  },
  {
    name: 'payer_signed',
    reason: 'invalid_exact_svm_payload_signature_invalid',
    broken: ({ payment }) =>
      !hasPayerSigned(payment.transfer.transaction) &&
      'The authority of the transfer must be the second signer of the transaction, after the fee payer.',
  },
  {
    name: 'mint',
    reason: 'invalid_exact_svm_payload_mint_mismatch',
    broken: ({ payment, call }) => call.mint !== payment.asset,
  },
  {
    name: 'decimals',
    reason: 'invalid_exact_svm_payload_mint_mismatch',
    broken({ payment, call }) {
      const asset = assetOf(payment)
      return call.decimals !== asset?.decimals && `The transfer must name ${asset?.decimals} decimals, as ${asset?.symbol} has.`
    },
  },
  {
    name: 'recipient',
    reason: 'invalid_exact_svm_payload_recipient_mismatch',
    broken: ({ payment, call }) => call.destination !== associatedAccount(payment.payTo, payment.asset, call.program),
  },
  {
    name: 'other_account',
    reason: 'invalid_exact_svm_payload_recipient_mismatch',
    broken: ({ call }) => call.source === call.destination && 'The transfer pays the account that it takes the money from.',
  },
  {
    name: 'amount',
    reason: 'invalid_exact_svm_payload_amount_mismatch',
    broken: ({ payment, call }) => call.amount !== payment.amount,
  },
] as const satisfies readonly Rule<Paying>[]

/**
 * The first rule that a Solana payment breaks, in the official order, without a node. `proven`: the payer's signature holds. Null when
 * all hold.
 */
export function brokenSvmRules(payment: Payment, rules: SvmRules): (Failure & { proven: boolean }) | null {
  if (isUptoSvm(payment)) {
    const broken = brokenUptoSvmRules(payment, rules)
    // What a claim gets wrong is its merchant's doing.
    return broken && { proven: !isClaimStep(payment) && isOfNamedPayer(payment), ...broken }
  }
  const form = firstBroken(formRules, payment, rules, payment)
  if (form) return { proven: false, ...form }
  if (!isSvm(payment)) {
    return { proven: false, ...svmFailure(payment, 'invalid_exact_svm_payload_transaction_could_not_be_decoded') }
  }
  const isSmart = takesSmartPath(payment, rules)
  const signing = firstBroken(isSmart ? smartSigningRules : signingRules, payment, rules, payment)
  if (signing) return { proven: false, ...signing }
  if (isSmart) {
    const broken = firstBroken(smartWalletRules, payment, rules, payment)
    return broken && { proven: false, ...broken }
  }
  const fault = ordinaryFault(payment, rules)
  return fault && { proven: hasPayerSigned(payment.transfer.transaction), ...fault }
}

/** Whether the payer that the payload names is the one that signed, where the scheme is served: the name alone is free text. */
function isOfNamedPayer({ transfer }: UptoSvmRead): boolean {
  const { transaction, payer, served } = transfer
  if (!transaction || !served) return false
  return transaction.accounts.slice(1, transaction.signatures.length).includes(payer) && hasSignatures(transaction)
}

const UNBOUNDED = 2n ** 64n

/** Whether a payment is judged by the rules of smart wallets: its layout is no ordinary payment's, and they are taken here. */
export function takesSmartPath(payment: SvmPayment, rules: SvmRules): boolean {
  if (rules.smartWallets.size === 0 || hasOrdinaryLayout(payment.transfer.transaction)) return false
  // The limits of ordinary payments are not those of smart wallets.
  const fault = ordinaryFault(payment, { ...rules, maxComputeUnits: UNBOUNDED, maxFeeLamports: UNBOUNDED })
  return fault !== null && mayBeSmartWallet(payment, fault.reason)
}

// Everything but the signatures.
function ordinaryFault(payment: SvmPayment, rules: SvmRules): Failure | null {
  const call = readTransferChecked(payment.transfer.transaction.instructions[2])
  return (
    firstBroken(layoutRules, payment, rules, payment) ??
    (call && firstBroken(transferRules, { payment, call }, rules, payment)) ??
    firstBroken(extraRules, payment, rules, payment)
  )
}

/**
 * Whether a transaction has the instructions of an ordinary payment: then its success proves the transfer. Any other one that we accepted
 * is a smart wallet's, and its transfer must be found among its effects.
 */
export function hasOrdinaryLayout({ instructions }: SvmTransaction): boolean {
  const [limit, price, transfer, ...extra] = instructions
  const named = [readUnitLimit(limit), readUnitPrice(price), readTransferChecked(transfer)]
  return named.every((one) => one !== null) && instructions.length <= MAX_INSTRUCTIONS[2] && extra.every(isExtra)
}

/** Whether a transaction's success shows what it moved: it is an ordinary payment, or a channel's. */
export const provesItself = (transaction: SvmTransaction): boolean => hasOrdinaryLayout(transaction) || callsChannels(transaction)

/** The rules about the signers of a smart wallet's transaction: members may sign beside the payer. */
export const smartSigningRules: readonly Rule<SvmPayment>[] = signingRules.map((rule) =>
  rule.name === 'signers'
    ? { ...rule, broken: ({ transfer }) => transfer.transaction.signatures.length > SMART_SIGNATURES_MAX }
    : rule,
)

/** The transfer of a transaction; null without one. */
export function transferIn(transaction: SvmTransaction): SvmTransfer | null {
  const call = readTransferChecked(transaction.instructions[2])
  if (!call) return null
  const { authority, source, mint, destination, amount } = call
  return { payer: authority, source, mint, destination, amount }
}

/** Whether a required instruction is missing at this position; a description when another known one is there. */
function isOtherInstruction(
  { transfer }: SvmPayment,
  index: number,
  read: (instruction: SvmInstruction | undefined) => unknown,
): boolean | string {
  const instruction = transfer.transaction.instructions[index]
  return read(instruction) === null && (untrustedInstruction(instruction, index) ?? true)
}

// A mint belongs to one program: the chain refuses a transfer by the other.
function isOfOtherProgram(payment: SvmPayment): boolean | string {
  const call = readTransferChecked(payment.transfer.transaction.instructions[2])
  const asset = assetOf(payment)
  if (!asset || call?.mint !== asset.address || call.program === asset.program) return false
  return `Instruction 3 calls ${tokenProgramTitle(call.program)}; ${asset.symbol} is a token of ${tokenProgramTitle(asset.program)}.`
}

const assetOf = ({ network, asset }: SvmPayment): SvmAsset | null => assetOn(network, asset)

// The payer is proven as second signer only: the first is the fee payer, and we make that signature.
function hasPayerSigned(transaction: SvmTransaction): boolean {
  const payer = payerOf(transaction)
  return transaction.signatures.length === 2 && transaction.accounts[1] === payer && transferIn(transaction)?.payer === payer
}
