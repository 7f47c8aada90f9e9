import { findAgents } from '../store/agents'
import type { App } from './app'

/** An agent of a wallet, as histories show it. */
export type AgentEntry = { token_id: string; name: string | null; url: string }

/**
 * The agents of these wallets (as history writes addresses), by wallet: one query for a page. Wallets without agents are not in it, and nobody is
 * where no registry is configured.
 */
export async function agentsOf(app: App, wallets: readonly string[]): Promise<Map<string, AgentEntry[]>> {
  const asked = app.config.linksAgents ? [...new Set(wallets)].filter(Boolean) : []
  const rows = asked.length > 0 ? await findAgents(app.db, asked) : []
  const entries = new Map<string, AgentEntry[]>()
  for (const { wallet, tokenId, name, url } of rows) {
    const entry = { token_id: tokenId, name, url }
    entries.set(wallet, [...(entries.get(wallet) ?? []), entry])
  }
  return entries
}
