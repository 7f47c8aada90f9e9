import type { Log } from '../../base/log'
import type { Db } from '../../db/database'
import { releaseWatch, type SeenBlock, takeWatch } from '../statements/watching'

type WatchRoleOptions = {
  db: Db
  network: string
  /** The name of this process. */
  holder: string
  /** No other process can use this database, so no other instance can watch. */
  exclusive: boolean
  log: Log
}

/** Whether this instance watches a network. Watching twice is harmless: the lease saves calls and guards nothing. */
type WatchRole = {
  /** As of the last read of the database. */
  held(): boolean
  /** Renews the lease when it is due and publishes the newest block. */
  take(seen: SeenBlock | null): Promise<boolean>
  /** Releases the role: there is nothing to watch, or no node answers. */
  leave(): Promise<void>
}

/** The longest wait of another instance for a killed watcher. */
const LEASE_MS = 2_000
const RENEW_MS = LEASE_MS / 4
/** A node without a new block for this long may have stopped: another instance with work takes over. */
const STILL_MS = 6_000

/** The lease to watch a network, not held yet. */
export function createWatchRole({ db, network, holder, exclusive, log }: WatchRoleOptions): WatchRole {
  let held = exclusive
  let renewedAt = Number.NEGATIVE_INFINITY
  let published: string | undefined
  let movedAt = Number.NEGATIVE_INFINITY
  let publishing: Promise<unknown> = Promise.resolve()
  async function take(seen: SeenBlock | null, now: number): Promise<boolean> {
    published = seen?.hash
    renewedAt = now
    held = await takeWatch(db, network, { holder, leaseMs: LEASE_MS }, seen).catch((error: unknown) => {
      held = false
      throw error
    })
    return held
  }

  return {
    held: () => held,
    async take(seen) {
      if (exclusive) return true
      const now = performance.now()
      const isNew = seen !== null && seen.hash !== published
      if (isNew || !held) movedAt = now
      // After a standstill the lease must expire before it is taken again, so that another instance can take it.
      const rest = now - movedAt > STILL_MS ? LEASE_MS + RENEW_MS : RENEW_MS
      const isDue = !held || now - renewedAt >= rest
      if (!isDue && !isNew) return true
      const taking = take(seen, now)
      // A new block is published beside the check: the lease holds for a while.
      if (isDue) return taking
      publishing = taking.catch((error: unknown) =>
        log.debug({ err: error, network }, 'a new block was not published; the next one is'),
      )
      return true
    },
    async leave() {
      if (exclusive || !held) return
      // It would take the role again.
      await publishing
      held = false
      // The lease expires by itself when this fails.
      await releaseWatch(db, network, holder).catch((error: unknown) =>
        log.debug({ err: error, network }, 'the watch of a network was not released; it expires'),
      )
    },
  }
}
