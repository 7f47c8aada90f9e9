import { hexToBytes } from 'viem'
import type { Caller } from '../accounts/caller'
import type { Quota } from '../accounts/metering'
import { type Counted, monthlyQuota, spentNow, unitOf } from '../accounts/metering'
import type { App } from '../app'
import { type FailedRow, recordFailedJudgement } from '../ledger/statements/history'
import type { KnownSettlement } from '../ledger/statements/settlements'
import { readUnpaid, UNPAID_LEAST } from '../ledger/statements/units-back'
import type { Meter } from '../ledger/statements/usage'
import { intentKey } from '../x402/intent'
import { assetIn } from '../x402/networks/assets'
import { isSigned, type Payment, payerIn } from '../x402/payment'
import { historyReason, type Reason } from '../x402/reasons/reasons'
import type { Failed } from './judging'

/** A payment that failed its judgement, by its form or on the chain. `quota`: what was left before. */
export type JudgedFailure = Counted & { payment: Payment; failed: Failed; by: 'form' | 'chain' }

/** Reasons for which the chain would reject a payment: no money, used, or a failing simulation. */
const UNPAYABLE: ReadonlySet<Reason> = new Set([
  'invalid_exact_evm_insufficient_balance',
  'invalid_exact_evm_nonce_already_used',
  'invalid_exact_evm_transaction_simulation_failed',
  'permit2_insufficient_balance',
  'permit2_allowance_required',
  'permit2_invalid_nonce',
  'permit2_simulation_failed',
  'invalid_batch_settlement_evm_insufficient_balance',
  'invalid_batch_settlement_evm_permit2_allowance_required',
  'invalid_batch_settlement_evm_deposit_simulation_failed',
  'invalid_exact_svm_transaction_simulation_failed',
  'invalid_exact_svm_smart_wallet_simulation_failed',
  'transaction_simulation_failed',
  'invalid_upto_svm_settlement_simulation',
  'invalid_upto_svm_channel_already_open',
])

/** Unpaid payments per day before unknown payers are slowed: a tenth of the month's limit. */
const dailyCap = (limit: number) => Math.max(UNPAID_LEAST, Math.ceil(limit / 10))

/**
 * Records a failed judgement with its cost, and its history row if given. A broken form, term or signature costs a unit of a plan and no
 * credit. An unpayable payment is free; in the sandbox up to a daily cap. Returns what is left, or the settlement that claimed the intent
 * meanwhile. Throws `too_many` without a unit.
 */
export async function recordFailure(
  app: App,
  { metering, payment, failed, by, quota }: JudgedFailure,
  row: FailedRow | null,
): Promise<{ known: KnownSettlement } | { quota: Quota | null }> {
  const { caller, meter } = metering
  const unpayable = quota !== null && by === 'chain' && UNPAYABLE.has(failed.reason)
  const cap = dailyCap(quota?.limit ?? 0)
  const recorded = await recordFailedJudgement(app.db, {
    intentKey: isSigned(payment) ? hexToBytes(intentKey(payment)) : null,
    // Without a key each address is a caller: after the cap its units count.
    unit: unpayable && caller.key ? null : unitOf(caller, meter),
    unpayable: unpayable ? { caller: caller.id, meter, free: cap } : null,
    row,
  })
  if (recorded.end === 'claimed') return recorded
  if (recorded.end === 'spent') throw await spentNow(app, metering, quota)
  const { used, unpaid } = recorded
  if (unpaid && unpaid.count >= cap) slowUnknown(app, { caller, meter, payment }, unpaid.until)
  return { quota: used ? monthlyQuota(caller.limits, meter, used) : quota }
}

/** Slows a caller's unknown payers after a payment that failed on the chain, when too many were not paid today. */
export async function slowAfterFailure(app: App, { metering, quota }: Counted, payment: Payment): Promise<void> {
  const { caller } = metering
  const unpaid = await readUnpaid(app.db, caller.id)
  if (unpaid && unpaid.count >= dailyCap(quota?.limit ?? 0)) {
    slowUnknown(app, { caller, meter: 'settlement', payment }, unpaid.until)
  }
}

type Slowed = { caller: Caller; meter: Meter; payment: Payment }

function slowUnknown({ unknownPayers }: App, { caller, meter, payment }: Slowed, until: Date): void {
  unknownPayers.slow(caller.id, meter, until)
  unknownPayers.treatAsUnknown(caller.id, payerIn(payment), until)
}

/** The minimum monthly rows of failed judgements per caller; more where a tenth of the plan is more. */
const FAILED_ROWS_LEAST = 1_000

/** The history row of a settle request that failed its judgement, under an id. */
export function failedRow(caller: Caller, payment: Payment, failed: Failed & { recorded?: string }, id: string): FailedRow {
  const { payTo, network, resource, amount, charge } = payment
  return {
    id,
    tenantId: caller.tenantId,
    caller: caller.id,
    tier: caller.tier,
    payer: failed.proven ? payerIn(payment) : '',
    payTo,
    network,
    resource,
    amount: charge ?? amount,
    maximum: charge === undefined ? null : amount,
    symbol: assetIn(payment).symbol,
    errorReason: failed.recorded ?? historyReason(failed.reason),
    rowsMax: Math.max(FAILED_ROWS_LEAST, Math.ceil(caller.limits.settlements / 10)),
  }
}
