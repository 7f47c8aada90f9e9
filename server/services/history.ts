import { type Bookmark, type HistoryFilter, type HistoryRow, type PageRequest, readHistory } from '../store/history-pages'
import { type AgentEntry, agentsOf } from './agent-identities'
import type { App } from './app'

/** Who reads: a merchant or an agent its own keys' settlements, a payer what it paid, the admin everything. */
export type Reader = 'merchant' | 'payer' | 'agent' | 'admin'

/** A row with the agents of its payer, where the reader may know of them. */
export type HistoryEntry = HistoryRow & { agents: AgentEntry[] }

/** A page of what a reader may see, newest first. */
export async function pageOfHistory(
  app: App,
  reader: Reader,
  filter: HistoryFilter,
  page: PageRequest,
): Promise<{ entries: HistoryEntry[]; bookmark: Bookmark | null; hasMore: boolean }> {
  const { rows, bookmark, hasMore } = await readHistory(app.db, filter, page)
  const payers = reader === 'payer' ? [] : [...new Set(rows.map(({ payer }) => payer).filter(Boolean))]
  const agents = payers.length === 0 ? new Map<string, AgentEntry[]>() : await agentsOf(app, payers)
  return { entries: rows.map((row) => ({ ...row, agents: agents.get(row.payer) ?? [] })), bookmark, hasMore }
}

/** What a reader who signed in may see: the owner's keys, or the wallet's payments. */
export const scopeOf = {
  merchant: (id: string): HistoryFilter => ({ owner: { kinds: ['oidc'], id } }),
  payer: (wallet: string): HistoryFilter => ({ payer: wallet }),
  agent: (wallet: string): HistoryFilter => ({ owner: { kinds: ['wallet'], id: wallet } }),
} as const satisfies Partial<Record<Reader, (id: string) => HistoryFilter>>
