import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { needs } from '../../../devnet/test-kind'
import { connect, type Db } from '../../../server/db/database'
import { TEMPLATE } from '../../global-setup'

/** A migrated, empty database of one test; `close` drops it. */
export type FreshDatabase = { url: string; db: Db; close(): Promise<void> }

/** Makes a database by copying the migrated template, which is about as fast as opening a file. */
export function freshDatabase(): Promise<FreshDatabase> {
  return copyOf(TEMPLATE)
}

/** A copy of a database, like a restored backup. The source must have no connections. */
export function restoredFrom({ url }: Pick<FreshDatabase, 'url'>): Promise<FreshDatabase> {
  return copyOf(new URL(url).pathname.slice(1))
}

async function copyOf(source: string): Promise<FreshDatabase> {
  needs('db')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = inject('postgres') + name
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`)
  // A busy test machine may connect slowly.
  const { db, close } = connect({ url, waitMs: 10_000 })
  return {
    url,
    db,
    close: async () => {
      await close()
      await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

let admin: pg.Pool | undefined

/** Runs a statement on the worker's own connection to the server. A new one each time was a sixth of a run's connections. */
async function asAdmin(sql: string): Promise<void> {
  admin ??= openAdmin()
  await admin.query(sql)
}

function openAdmin(): pg.Pool {
  const pool = new pg.Pool({
    connectionString: `${inject('postgres')}postgres`,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  // The pool drops a connection that breaks while it is idle.
  pool.on('error', () => {})
  return pool
}

/** Runs statements that write many rows, in order. The service's own connections end such a statement on a busy machine. */
export async function withoutLimit(url: string, statements: readonly [sql: string, values?: unknown[]][]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const [sql, values] of statements) await client.query(sql, values)
  } finally {
    await client.end()
  }
}
