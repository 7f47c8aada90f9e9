import type { Log } from './log'
import type { Catalog } from './services/discovery'
import { agentsEffect } from './services/effects/agents'
import { catalogEffect } from './services/effects/catalog'
import { webhooksEffect } from './services/effects/webhooks'
import { startEffects } from './services/effects/worker'
import { startCourier } from './services/webhooks/courier'
import type { Failpoint } from './settlement/failpoints'
import type { Db } from './store/database'
import type { AgentRegistry } from './upstream/agent-registry'
import { createBring } from './upstream/webhook-receiver'

type EffectsParts = {
  db: Db
  /** Null where none is configured: then nobody asks for its effect. */
  registry: AgentRegistry | null
  catalog: Catalog
  privateHosts: boolean
  /** Opens the secrets of webhooks. */
  webhookKey: Uint8Array
  exclusive: boolean
  failpoint: Failpoint
  log: Log
}

/** Starts doing what follows the ends of settlements, each kind at its own pace. */
export function startAllEffects({ registry, catalog, privateHosts, webhookKey, ...shared }: EffectsParts): {
  stop(): Promise<void>
} {
  const { db, log } = shared
  const listing = catalogEffect({ db, rules: { privateHosts }, log, changed: catalog.changed })
  const loops = [
    startEffects({ ...shared, kind: 'catalog', effect: listing, atOnce: 2 }),
    startEffects({ ...shared, kind: 'webhooks', effect: webhooksEffect(db), atOnce: 8 }),
    startCourier({ ...shared, bring: createBring({ privateHosts }), key: webhookKey }),
    // Mostly waiting for somebody else.
    ...(registry ? [startEffects({ ...shared, kind: 'agents', effect: agentsEffect(db, registry), atOnce: 8 })] : []),
  ]
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
