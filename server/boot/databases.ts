import path from 'node:path'
import type { Log } from '../base/log'
import type { Timing } from '../base/timing'
import { type ConnectOptions, connect, type Db } from '../db/database'
import { EMBEDDED_LIMITS, openEmbedded } from '../db/embedded'
import { migrate } from '../db/migrate'
import { type Listening, listen } from '../db/notices'
import { CATALOG_READS_AT_ONCE } from '../discovery/catalog'
import type { Env } from '../env/env'
import { LISTS_AT_ONCE } from '../history/list-slots'
import { listenForTransitions, type Transition } from '../ledger/transitions'
import { COUNTS_AT_ONCE, SUMS_AT_ONCE } from '../sums/coalesce'

/** The database pools of the process. The embedded database has one session, so all names mean the same pool there. */
export type Databases = {
  /** For requests: beyond its size they are refused after a moment. */
  requests: Db
  /** For the engine, which must proceed with signed money during any load of requests. */
  engine: Db
  /** For analytics, which may take longer than other statements. */
  sums: Db
  /** For lists and searches of settlements, which read many rows. */
  lists: Db
  /** For catalog pages, which anyone may request: a flood leaves the other pools alone. */
  catalog: Db
  /** Whether only this process uses the database. */
  exclusive: boolean
  /** Each process holds a lock by its name while it lives. */
  locksNames: boolean
  /** Listens for announcements of other processes on the same database, and for changed tenants; tells them that this one lives. */
  listen(listening: Listening): Promise<{ close(): Promise<void> }>
  close(): Promise<void>
}

// What a lone payment uses stays open: after a quiet minute it would wait for new connections and for plans of its statements.
const REQUEST_LIMITS = { poolMax: 10, kept: 2, waitMs: 2_000 }
const ENGINE_LIMITS = { poolMax: 8, kept: 3, waitMs: 5_000 }
// One per parallel computation, and one for the rollups and the status page.
const SUMS_LIMITS = { poolMax: SUMS_AT_ONCE + COUNTS_AT_ONCE + 1, waitMs: 5_000 }
const LISTS_LIMITS = { poolMax: LISTS_AT_ONCE, waitMs: 2_000 }
const CATALOG_LIMITS = { poolMax: CATALOG_READS_AT_ONCE, waitMs: 2_000 }

/** Observers of transitions and of the duration of statements. */
type Observers = { onMove: (move: Transition) => void; timing: Timing }

type Listeners = Pick<ConnectOptions, 'onPool' | 'timing'>

/** Opens PostgreSQL, or the embedded database when none is named, and applies the migrations. Leaves nothing open when it throws. */
export async function openDatabases(env: Env, log: Log, { onMove, timing }: Observers): Promise<Databases> {
  const listeners: Listeners = { onPool: (pool) => listenForTransitions(pool, { onTransition: onMove, log }), timing }
  if (env.DATABASE_URL) {
    // The owner of the tables is needed for the migrations only.
    await applyMigrations(env.MIGRATION_DATABASE_URL ?? env.DATABASE_URL, log)
    return openPostgres(env.DATABASE_URL, log, listeners)
  }
  const embedded = await openEmbedded(path.resolve(env.DATA_DIR, 'db'), { warn: (line) => log.warn(line) })
  try {
    await applyMigrations(embedded.url, log)
  } catch (error) {
    await embedded.close()
    throw error
  }
  const { db, close } = connect({ url: embedded.url, ...EMBEDDED_LIMITS, ...listeners })
  const listen = async () => ({ close: async () => {} })
  const pools = { requests: db, engine: db, sums: db, lists: db, catalog: db }
  return { ...pools, exclusive: true, locksNames: false, listen, close: () => close().then(embedded.close) }
}

function openPostgres(url: string, log: Log, listeners: Listeners): Databases {
  const requests = connect({ url, ...REQUEST_LIMITS, ...listeners, ownSessions: true })
  const engine = connect({ url, ...ENGINE_LIMITS, ...listeners, ownSessions: true })
  const sums = connect({ url, ...SUMS_LIMITS, ...listeners, sums: true })
  const lists = connect({ url, ...LISTS_LIMITS, ...listeners })
  const catalog = connect({ url, ...CATALOG_LIMITS, ...listeners })
  const close = async () => {
    await Promise.all([requests, engine, sums, lists, catalog].map((pool) => pool.close()))
  }
  return {
    requests: requests.db,
    engine: engine.db,
    sums: sums.db,
    lists: lists.db,
    catalog: catalog.db,
    exclusive: false,
    locksNames: true,
    listen: (listening) => listen(url, listening, log),
    close,
  }
}

async function applyMigrations(url: string, log: Log): Promise<void> {
  const applied = await migrate(url)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
}
