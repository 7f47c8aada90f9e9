import { ServiceError } from '../errors'
import { type HistoryFilter, readEntry } from '../store/history-pages'
import { findTimeline, type Timeline } from '../store/timelines'
import { agentsOf } from './agent-identities'
import type { App } from './app'
import type { HistoryEntry, Reader } from './history'

/** All that is known of a settlement. `timeline` is null for a payment that was judged and never claimed. */
export type SettlementDetails = { entry: HistoryEntry; timeline: Timeline | null }

/** A row of what a reader may see, by its id, with how it came about. Throws `not_found` for another's and for none. */
export async function settlementDetails(app: App, reader: Reader, scope: HistoryFilter, id: string): Promise<SettlementDetails> {
  const row = await readEntry(app.db, scope, id)
  if (!row) throw new ServiceError('not_found', 'there is no settlement with this id among yours')
  const agents = reader === 'payer' || row.payer === '' ? [] : ((await agentsOf(app, [row.payer])).get(row.payer) ?? [])
  return { entry: { ...row, agents }, timeline: await findTimeline(app.db, id) }
}
