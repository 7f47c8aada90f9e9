import { HISTORY_CODES, type Reason, reasons } from './reasons'

/** Who could have prevented a failure: the payer or its merchant, the chain with its nodes, or this facilitator. */
export const causes = ['payer', 'chain', 'facilitator'] as const

export type Cause = (typeof causes)[number]

/** The code of a payment that was accepted and given up before anything was signed. It has no history row. */
export const NOT_SENT = 'not_sent'

type Code = Reason | keyof typeof HISTORY_CODES | typeof NOT_SENT

/** Failures that are never the payer's. */
const OTHERS: Partial<Record<Code, Cause>> = {
  asset_not_deployed_contract: 'chain',
  invalid_exact_evm_transaction_failed: 'chain',
  invalid_upto_evm_transaction_failed: 'chain',
  invalid_batch_settlement_evm_rpc_read_failed: 'chain',
  invalid_batch_settlement_evm_deposit_transaction_failed: 'chain',
  invalid_batch_settlement_evm_claim_transaction_failed: 'chain',
  invalid_batch_settlement_evm_refund_transaction_failed: 'chain',
  invalid_batch_settlement_evm_settle_transaction_failed: 'chain',
  invalid_exact_evm_transfer_event_mismatch: 'chain',
  landed_without_proof: 'chain',
  invalid_exact_svm_transaction_failed: 'chain',
  transaction_failed: 'chain',
  settle_exact_svm_block_height_exceeded: 'chain',
  settlement_reversed: 'chain',
  not_sent: 'facilitator',
  unknown: 'facilitator',
}

/** What a payer can do to a payment after we accepted it. */
const AFTERWARDS: ReadonlySet<Code> = new Set([
  'insufficient_funds',
  'invalid_exact_evm_insufficient_balance',
  'invalid_batch_settlement_evm_insufficient_balance',
  'invalid_exact_evm_nonce_already_used',
  'authorization_used_elsewhere',
  'post_settlement_transfer_not_confirmed',
])

/** The published code of a failure: one that the documentation explains, else `unknown`. */
export function codeOf(reason: string): Code {
  return isCode(reason) ? reason : 'unknown'
}

/** The cause of a failure. What happens to an accepted payment without a known cause counts as ours. */
export function causeOf(code: Code, accepted: boolean): Cause {
  return OTHERS[code] ?? (accepted && !AFTERWARDS.has(code) ? 'facilitator' : 'payer')
}

/** The codes that are the payer's fault: payments that failed so were never valid. */
export const payerCodes = (accepted: boolean): Code[] => ALL.filter((code) => causeOf(code, accepted) === 'payer')

const ALL = [...Object.keys(reasons), ...Object.keys(HISTORY_CODES)].filter(isCode)

function isCode(reason: string): reason is Code {
  return reason === NOT_SENT || Object.hasOwn(reasons, reason) || Object.hasOwn(HISTORY_CODES, reason)
}
