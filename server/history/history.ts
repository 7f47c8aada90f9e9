import { type AgentEntry, agentsOf } from '../agents/identities'
import type { App } from '../app'
import { ServiceError } from '../errors'
import {
  findTimeline,
  type HistoryCursor,
  type HistoryFilter,
  type HistoryRow,
  type PageRequest,
  readEntry,
  readHistory,
  type Timeline,
} from './queries'

/** The reader: a merchant or an agent its own keys' settlements, a payer its payments, the admin all. */
export type Reader = 'merchant' | 'payer' | 'agent' | 'admin'

/** A row with the agents of its payer, where the reader may see them. */
export type HistoryEntry = HistoryRow & { agents: AgentEntry[] }

/** A page of a reader's history, newest first. */
export async function pageOfHistory(
  app: App,
  reader: Reader,
  filter: HistoryFilter,
  page: PageRequest,
): Promise<{ entries: HistoryEntry[]; cursor: HistoryCursor | null; hasMore: boolean }> {
  const { rows, cursor, hasMore } = await readHistory(app.db, filter, page)
  const payers = reader === 'payer' ? [] : [...new Set(rows.map(({ payer }) => payer).filter(Boolean))]
  const agents = payers.length === 0 ? new Map<string, AgentEntry[]>() : await agentsOf(app, payers)
  return { entries: rows.map((row) => ({ ...row, agents: agents.get(row.payer) ?? [] })), cursor, hasMore }
}

/** The history of a signed-in reader: the owner's keys, or the wallet's payments. */
export const scopeOf = {
  merchant: (id: string): HistoryFilter => ({ owner: { kinds: ['oidc'], id } }),
  payer: (wallet: string): HistoryFilter => ({ payer: wallet }),
  agent: (wallet: string): HistoryFilter => ({ owner: { kinds: ['wallet'], id: wallet } }),
} as const satisfies Partial<Record<Reader, (id: string) => HistoryFilter>>

/** All details of a settlement. `timeline` is null for a payment that was judged and never claimed. */
type SettlementDetails = { entry: HistoryEntry; timeline: Timeline | null }

/** A row of a reader's history by its id, with its timeline. Throws `not_found` for a foreign or missing id. */
export async function settlementDetails(app: App, reader: Reader, scope: HistoryFilter, id: string): Promise<SettlementDetails> {
  const row = await readEntry(app.db, scope, id)
  if (!row) throw new ServiceError('not_found', 'you have no settlement with this id')
  const agents = reader === 'payer' || row.payer === '' ? [] : ((await agentsOf(app, [row.payer])).get(row.payer) ?? [])
  return { entry: { ...row, agents }, timeline: await findTimeline(app.db, id) }
}
