import type { App } from './app'

/** An ERC-8004 agent token that a wallet owns (SPEC "Agent entry"). */
export type AgentEntry = { token_id: string; name: string | null; url: string }

/** The agents of these wallets, as far as they are known; wallets without one are not in the answer. */
export async function agentsOf(app: App, wallets: readonly string[]): Promise<Map<string, AgentEntry[]>> {
  app.log.trace({ wallets: wallets.length }, 'no agents are known yet')
  return new Map()
}
