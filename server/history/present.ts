import type { AgentEntry } from '../agents/identities'
import { wireNames } from '../http/schemas'
import { displayAddress } from '../x402/addresses'
import { displayAmount } from '../x402/amounts'
import type { HistoryRow } from './queries'

/** A row with the agents of its payer, if the reader may see them. */
export type HistoryEntry = HistoryRow & { agents: AgentEntry[] }

/** A settlement ready for JSON: amounts are digits of atomic units, times ISO 8601. */
export function presentEntry({ agents, ...row }: HistoryEntry) {
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    success: row.success,
    txHash: row.txHash,
    network: row.network,
    amount: row.amount,
    tenantId: row.tenantId,
    payer: displayAddress(row.payer),
    resource: row.resource,
    payTo: displayAddress(row.payTo),
    plan: row.plan,
    errorReason: row.success ? null : (row.errorReason ?? 'unknown'),
    agents,
  }
}

/** A settlement on a screen. */
export type Shown = ReturnType<typeof presentEntry>

/** A settlement as the API sends it: without its id, and without `agents` if the payer has none. */
export function wireEntry(entry: HistoryEntry) {
  const { id: _, amount, agents, ...fields } = presentEntry(entry)
  return { ...wireNames(fields), payer_amount: amount, ...(agents.length > 0 ? { agents } : {}) }
}

/** A settlement as a row of a file: texts only. */
export function presentExported(entry: HistoryEntry) {
  const { createdAt, success, amount, network, payer, payTo, resource, txHash, errorReason, plan, tenantId } = presentEntry(entry)
  return {
    ...{ created_at: createdAt, outcome: success ? 'settled' : 'failed' },
    ...{ amount_usdc: displayAmount(BigInt(amount)), amount_atomic: amount, network, payer, pay_to: payTo, resource },
    ...{ tx_hash: txHash, error_reason: errorReason ?? '', plan, tenant_id: tenantId },
  }
}
