import type { Log } from './log'
import type { Catalog } from './services/discovery'
import { agentsEffect } from './services/effects/agents'
import { catalogEffect } from './services/effects/catalog'
import { startEffects } from './services/effects/worker'
import type { Failpoint } from './settlement/failpoints'
import type { Db } from './store/database'
import type { AgentRegistry } from './upstream/agent-registry'

type EffectsParts = {
  db: Db
  /** Null where none is configured: then nobody asks for its effect. */
  registry: AgentRegistry | null
  catalog: Catalog
  privateHosts: boolean
  exclusive: boolean
  failpoint: Failpoint
  log: Log
}

/** Starts doing what follows successes, each kind at its own pace. */
export function startAllEffects({ registry, catalog, privateHosts, ...shared }: EffectsParts): { stop(): Promise<void> } {
  const { db, log } = shared
  const listing = catalogEffect({ db, rules: { privateHosts }, log, changed: catalog.forget })
  const loops = [
    startEffects({ ...shared, kind: 'catalog', effect: listing, atOnce: 2 }),
    // Mostly waiting for somebody else.
    ...(registry ? [startEffects({ ...shared, kind: 'agents', effect: agentsEffect(db, registry), atOnce: 8 })] : []),
  ]
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
