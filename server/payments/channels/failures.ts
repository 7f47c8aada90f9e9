import { type Counted, monthlyQuota, type Quota, spentNow, unitOf } from '../../accounts/metering'
import type { App } from '../../app'
import { takeUnit } from '../../ledger/statements/usage'
import type { Failure, Reason } from '../../x402/reasons/reasons'

/** Failures that we know only after calls of a node. */
const DEAR: ReadonlySet<Reason> = new Set([
  'invalid_batch_settlement_evm_claim_simulation_failed',
  'invalid_batch_settlement_evm_refund_simulation_failed',
  'invalid_batch_settlement_evm_settle_simulation_failed',
  'invalid_batch_settlement_evm_nothing_to_settle',
  'invalid_batch_settlement_evm_refund_no_balance',
])

/**
 * Takes what a judged failure of an act costs: a unit of a plan and no credit, where a node was asked to know. Returns what is left.
 * Throws `too_many` without a unit.
 */
export async function takeForFailure(app: App, { metering, quota }: Counted, { reason }: Failure): Promise<Quota | null> {
  const { caller, meter } = metering
  const unit = DEAR.has(reason) ? unitOf(caller, meter) : null
  if (!unit) return quota
  const used = await takeUnit(app.db, unit)
  if (!used) throw await spentNow(app, metering, quota)
  return monthlyQuota(caller.limits, meter, used)
}
