import { agentsEffect } from '../agents/identities'
import type { AgentRegistry } from '../agents/registry'
import type { Failpoint } from '../base/failpoints'
import type { Log } from '../base/log'
import type { Db } from '../db/database'
import type { Catalog } from '../discovery/catalog'
import { catalogEffect, originsEffect } from '../discovery/entries'
import { createReadOrigin } from '../discovery/origin'
import { startEffects } from '../ledger/outbox-worker'
import { createSendWebhook } from '../webhooks/receiver'
import { startWebhookWorker, webhooksEffect } from '../webhooks/worker'

type EffectsParts = {
  db: Db
  /** Null if none is configured; then no agent lookup is written. */
  registry: AgentRegistry | null
  catalog: Catalog
  /** The public origin. */
  baseUrl: string
  privateHosts: boolean
  /** Decrypts the secrets of webhooks. */
  webhookKey: Uint8Array
  exclusive: boolean
  failpoint: Failpoint
  log: Log
}

/** The workers for the effects of settlements. */
export type Effects = {
  /** A settlement may have ended: its effects are looked for soon. */
  expect(): void
  stop(): Promise<void>
}

/** Starts the workers for the effects of settlements, one per kind. */
export function startAllEffects({ registry, catalog, baseUrl, privateHosts, webhookKey, ...shared }: EffectsParts): Effects {
  const { db, log } = shared
  const listings = { db, rules: { privateHosts }, log, changed: catalog.changed }
  const origins = originsEffect({ ...listings, read: createReadOrigin({ privateHosts }) })
  const loops = [
    startEffects({ ...shared, kind: 'catalog', effect: catalogEffect(listings), atOnce: 2 }),
    // Mostly waiting for strangers' servers.
    startEffects({ ...shared, kind: 'origins', effect: origins, atOnce: 4 }),
    startEffects({ ...shared, kind: 'webhooks', effect: webhooksEffect(db, baseUrl), atOnce: 8 }),
    startWebhookWorker({
      ...shared,
      post: createSendWebhook({ privateHosts }),
      // Often a receiver in the operator's own network.
      postToOperator: createSendWebhook({ privateHosts: true }),
      key: webhookKey,
    }),
    // Mostly waiting for another service.
    ...(registry ? [startEffects({ ...shared, kind: 'agents', effect: agentsEffect(db, registry), atOnce: 8 })] : []),
  ]
  return {
    expect() {
      for (const loop of loops) loop.expect()
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
