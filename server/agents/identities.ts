import type { App } from '../app'
import type { Db } from '../db/database'
import type { Effect } from '../ledger/outbox-worker'
import { displayAddress } from '../x402/addresses'
import { networkIds, networkRow } from '../x402/networks/networks'
import { findAgents, writeAgents } from './queries'
import type { AgentRegistry } from './registry'

/** An agent of a wallet, as histories show it. */
export type AgentEntry = { token_id: string; name: string | null; url: string }

/** The agents of these wallets (addresses as in history), by wallet, in one query. Empty if no registry is configured. */
export async function agentsOf(app: App, wallets: readonly string[]): Promise<Map<string, AgentEntry[]>> {
  const known = app.config.linksAgents ? [...new Set(wallets)].filter(Boolean) : []
  const rows = known.length > 0 ? await findAgents(app.db, known) : []
  const entries = new Map<string, AgentEntry[]>()
  for (const { wallet, tokenId, name, url } of rows) {
    const entry = { token_id: tokenId, name, url }
    entries.set(wallet, [...(entries.get(wallet) ?? []), entry])
  }
  return entries
}

/** Looks up the agents of a payer on every network of its address family. */
export function agentsEffect(db: Db, registry: AgentRegistry): Effect {
  return async (wallet) => {
    const found = await Promise.all(
      slugsOf(wallet).map(async (slug) => {
        const agents = await registry(displayAddress(wallet), slug)
        // A registry may list a token twice.
        return [...new Map(agents.map((agent) => [agent.tokenId, { network: slug, ...agent }])).values()]
      }),
    )
    return (effectId) => writeAgents(db, effectId, wallet, found.flat())
  }
}

/** The registry uses the network names of x402 version 1. */
function slugsOf(wallet: string): string[] {
  const family = wallet.startsWith('0x') ? 'evm' : 'svm'
  return networkIds.filter((id) => networkRow(id).family === family).map((id) => networkRow(id).name)
}
