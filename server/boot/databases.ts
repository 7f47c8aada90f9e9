import path from 'node:path'
import { type ConnectOptions, connect, type Db } from '../db/database'
import { EMBEDDED_LIMITS, openEmbedded } from '../db/embedded'
import { migrate } from '../db/migrate'
import { listen, type Notice } from '../db/notices'
import { READS_AT_ONCE } from '../discovery/read-slots'
import type { Env } from '../env'
import { listenForTransitions, type Transition } from '../ledger/transitions'
import type { Log } from '../log'
import type { Timing } from '../timing'

/** The database as the process uses it. The embedded one has a single session, so all names mean the same pool there. */
export type Databases = {
  /** For requests: a flood of them is refused here after a moment. */
  requests: Db
  /** For the engine, which must go on with signed money whatever requests do. */
  engine: Db
  /** For analytics, which may take longer than anybody else may. */
  sums: Db
  /** For pages of the catalog, which anyone may ask for: a flood of them leaves the other connections alone. */
  catalog: Db
  /** No other process can use this database. */
  exclusive: boolean
  /** Hears what other processes on the same database announce, and which tenants change. */
  listen(hear: (notice: Notice) => void): { close(): Promise<void> }
  close(): Promise<void>
}

const REQUEST_LIMITS = { poolMax: 10, waitMs: 2_000 }
const ENGINE_LIMITS = { poolMax: 8, waitMs: 5_000 }
// As many as compute at once, and one that sums finished days up.
const SUMS_LIMITS = { poolMax: 3, waitMs: 5_000 }
const CATALOG_LIMITS = { poolMax: READS_AT_ONCE, waitMs: 2_000 }

/** Who hears of every move of a settlement, and of how long statements take. */
type Ears = { onMove: (move: Transition) => void; timing: Timing }

type Listeners = Pick<ConnectOptions, 'onPool' | 'timing'>

/** Opens PostgreSQL, or the embedded database when none is named, and applies the migrations. Leaves nothing open when it throws. */
export async function openDatabases(env: Env, log: Log, { onMove, timing }: Ears): Promise<Databases> {
  const listeners: Listeners = { onPool: (pool) => listenForTransitions(pool, { hear: onMove, log }), timing }
  if (env.DATABASE_URL) {
    // The owner of the tables is needed for this moment only.
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
  const listen = () => ({ close: async () => {} })
  const pools = { requests: db, engine: db, sums: db, catalog: db }
  return { ...pools, exclusive: true, listen, close: () => close().then(embedded.close) }
}

function openPostgres(url: string, log: Log, listeners: Listeners): Databases {
  const requests = connect({ url, ...REQUEST_LIMITS, ...listeners, ownSessions: true })
  const engine = connect({ url, ...ENGINE_LIMITS, ...listeners, ownSessions: true })
  const sums = connect({ url, ...SUMS_LIMITS, ...listeners, sums: true })
  const catalog = connect({ url, ...CATALOG_LIMITS, ...listeners })
  const close = async () => {
    await Promise.all([requests.close(), engine.close(), sums.close(), catalog.close()])
  }
  return {
    requests: requests.db,
    engine: engine.db,
    sums: sums.db,
    catalog: catalog.db,
    exclusive: false,
    listen: (hear) => listen(url, hear, log),
    close,
  }
}

async function applyMigrations(url: string, log: Log): Promise<void> {
  const applied = await migrate(url)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
}
