import { writeAgents } from '../../store/agents'
import type { Db } from '../../store/database'
import type { AgentRegistry } from '../../upstream/agent-registry'
import { displayAddress } from '../../x402/addresses'
import { networkIds, networks } from '../../x402/networks'
import type { Effect } from './worker'

/** Looks for the agents of a payer on every network that its address can have. */
export function agentsEffect(db: Db, registry: AgentRegistry): Effect {
  return async (wallet) => {
    const found = await Promise.all(
      slugsOf(wallet).map(async (slug) => {
        const agents = await registry(displayAddress(wallet), slug)
        // A registry that names a token twice means it once.
        return [...new Map(agents.map((agent) => [agent.tokenId, { network: slug, ...agent }])).values()]
      }),
    )
    return (effectId) => writeAgents(db, effectId, wallet, found.flat())
  }
}

/** The registry calls networks by the names that v1 of the protocol gave them. */
function slugsOf(wallet: string): string[] {
  const family = wallet.startsWith('0x') ? 'evm' : 'svm'
  return networkIds.filter((id) => networks[id].family === family).map((id) => networks[id].name)
}
