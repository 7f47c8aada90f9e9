import type { Db } from '../../db/database'
import type { Log } from '../../log'
import { releaseWatch, type SeenBlock, takeWatch } from '../statements/watching'

export type WatchRoleOptions = {
  db: Db
  network: string
  /** Names this process. */
  holder: string
  /** No other process can use this database, so no other instance can watch. */
  exclusive: boolean
  log: Log
}

/** Whether this instance watches a network. Watching twice is harmless: the lease saves calls and guards nothing. */
export type WatchRole = {
  /** As of the last time that the database was asked. */
  held(): boolean
  /** Asks the database when it is time to, and leaves word of the newest block there. */
  take(seen: SeenBlock | null): Promise<boolean>
  /** Leaves the role to others: there is nothing to watch, or no node to ask. */
  leave(): Promise<void>
}

/** A survivor waits no longer than this for a watcher that was killed. */
const LEASE_MS = 2_000
const RENEW_MS = LEASE_MS / 4
/** A node without a new block for so long may have stopped: another instance with work to watch takes over. */
const STILL_MS = 6_000

/** The lease to watch a network, not held yet. */
export function createWatchRole({ db, network, holder, exclusive, log }: WatchRoleOptions): WatchRole {
  let held = exclusive
  let renewedAt = Number.NEGATIVE_INFINITY
  let told: string | undefined
  let movedAt = Number.NEGATIVE_INFINITY
  return {
    held: () => held,
    async take(seen) {
      if (exclusive) return true
      const now = performance.now()
      const isNew = seen !== null && seen.hash !== told
      if (isNew || !held) movedAt = now
      // Not renewed but run out, and asked for again only then: nobody else may want it.
      const rest = now - movedAt > STILL_MS ? LEASE_MS + RENEW_MS : RENEW_MS
      if (held && !isNew && now - renewedAt < rest) return true
      renewedAt = now
      held = await takeWatch(db, network, { holder, leaseMs: LEASE_MS }, seen).catch((error: unknown) => {
        held = false
        throw error
      })
      told = seen?.hash
      return held
    },
    async leave() {
      if (exclusive || !held) return
      held = false
      // It runs out by itself when this is lost.
      await releaseWatch(db, network, holder).catch((error: unknown) =>
        log.debug({ err: error, network }, 'the watch of a network was not given up; it runs out'),
      )
    },
  }
}
