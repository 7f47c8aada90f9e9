import { OPERATOR_TENANT } from '../accounts/caller'
import { creditsFor } from '../accounts/credit-price'
import type { AgentEntry } from '../agents/identities'
import { dateIn, offsetText, wallClock } from '../base/zones'
import { wireNames } from '../http/schemas'
import type { State } from '../ledger/states'
import { displayAddress } from '../x402/addresses'
import { exactAmount } from '../x402/networks/amounts'
import { addressNamed, tokenNamed, USDC } from '../x402/networks/assets'
import { transactionUrl } from '../x402/networks/explorers'
import { networkTitle } from '../x402/networks/networks'
import { reasonTitle } from '../x402/reasons/titles'
import type { HistoryRow } from './queries'

/** A row with the agents of its payer, if the reader may see them. */
export type HistoryEntry = HistoryRow & { agents: AgentEntry[] }

/** What only some readers see: the name of the key, and the owner of the tenant. */
export type Insight = { keyName: string; owner: { kind: string; id: string } | null }

/** A settlement ready for JSON: amounts are digits of atomic units, times ISO 8601. */
function presentEntry({ agents, ...row }: HistoryEntry) {
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    success: row.success,
    txHash: row.txHash,
    network: row.network,
    amount: row.amount,
    maximum: row.maximum,
    asset: row.symbol,
    decimals: tokenNamed(row.symbol).decimals,
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
export type Shown = ReturnType<typeof presentShown>

/**
 * A settlement for a screen, with the short title of its reason: the browser does not load all titles for a list. `resourceName` and
 * `payToName` stand for what we sell ourselves.
 */
export function presentShown(entry: HistoryEntry, { keyName, owner }: Insight) {
  const shown = presentEntry(entry)
  const title = shown.errorReason === null ? null : reasonTitle(shown.errorReason)
  // The operator's tenant sells nothing else.
  const own = entry.tenantId === OPERATOR_TENANT
  const names = { resourceName: own ? creditsText(entry.amount) : null, payToName: own ? 'Quittance' : null }
  return { ...shown, ...names, reasonTitle: title, settlementId: entry.settlementId, keyName, owner }
}

const creditsText = (amount: string) => `${creditsFor(BigInt(amount)).toLocaleString('en')} agent credits`

/** A payment without an outcome has no reason either. */
export const WITHOUT_REASON = { errorReason: null, reasonTitle: null } as const

/** A payment without an outcome, for a screen. */
export type Pending = ReturnType<typeof presentPending>

/** An entry of history for a screen while its payment has no outcome: with its state in the ledger. */
export function presentPending(entry: HistoryEntry & { state: State }, insight: Insight) {
  return { ...presentShown(entry, insight), ...WITHOUT_REASON, state: entry.state }
}

/** A settlement as the API sends it: without its id, and without `agents` if the payer has none. */
export function wireEntry(entry: HistoryEntry) {
  const { id: _, amount, maximum, agents, ...fields } = presentEntry(entry)
  const signed = maximum === null ? {} : { maximum }
  return { ...wireNames(fields), payer_amount: amount, ...signed, ...(agents.length > 0 ? { agents } : {}) }
}

/** A settlement as a row of a file: texts only. `zone` is that of its date and time. */
export function presentExported(entry: HistoryEntry, { keyName }: Insight, zone: string) {
  const shown = presentEntry(entry)
  const { createdAt, success, amount, maximum, asset, decimals, network, payer, payTo } = shown
  const { resource, txHash, errorReason, plan, tenantId } = shown
  const clock = wallClock(entry.createdAt, zone)
  const exact = exactAmount(BigInt(amount), decimals)
  return {
    created_at: createdAt,
    outcome: success ? 'settled' : 'failed',
    // A file of dollars that adds them up must not add euros.
    amount_usdc: asset === USDC.symbol ? exact : '',
    amount_atomic: amount,
    network,
    payer,
    pay_to: payTo,
    resource,
    tx_hash: txHash,
    error_reason: errorReason ?? '',
    plan,
    tenant_id: tenantId,
    date: dateIn(zone, entry.createdAt),
    time: clock.time,
    time_zone: zone,
    utc_offset: `UTC${offsetText(clock.offset)}`,
    id: entry.id,
    settlement_id: entry.settlementId ?? '',
    key_name: keyName,
    network_name: networkTitle(network),
    asset,
    asset_address: addressNamed(network, asset) ?? '',
    explorer_url: transactionUrl(network, txHash) ?? '',
    amount: exact,
    maximum: maximum === null ? '' : exactAmount(BigInt(maximum), decimals),
  }
}
