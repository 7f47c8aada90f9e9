import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const FOLDER = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

// An arbitrary lock number: processes that start together take turns. (The embedded database has one process.)
const LOCK = 402_402_402

// A migration that waits for a lock makes the statements of running instances wait behind it. So it gives up soon, and tries again.
const LOCK_TIMEOUT = '3s'
const LOCK_TRIES = 60
const PAUSE_MS = { lock: 1_000, turn: 100 }

// Development versions reached the baseline's schema in steps; this was the last one.
const BASELINE = '20261122100000_baseline'
const LAST_BEFORE = '20261122090100_key_rate'

/**
 * Applies the migrations in `prisma/migrations` and returns the applied names; each runs whole or not at all. They are recorded in the
 * table of Prisma's own tools. With nothing to apply it reads one table. Running instances wait for no migration longer than three seconds
 * at a time. Throws an error that names the migration that failed.
 */
export async function migrate(url: string, folder = FOLDER): Promise<string[]> {
  const names = await migrationNames(folder)
  return withClient(url, async (client) => {
    if ((await pending(client, names)).length === 0) return []
    return inTurn(client, () => apply(client, names, folder))
  })
}

async function apply(client: pg.Client, names: readonly string[], folder: string): Promise<string[]> {
  await client.query(RECORDS)
  await adoptBaseline(client, folder)
  // Development tools leave such a row when they end half way. None of its changes was kept.
  await client.query(
    `UPDATE "_prisma_migrations" SET "rolled_back_at" = now()
     WHERE "migration_name" = ANY($1) AND "finished_at" IS NULL AND "rolled_back_at" IS NULL`,
    [names],
  )
  const missing = await pending(client, names)
  for (const name of missing) await applyOne(client, name, await readFile(scriptOf(folder, name), 'utf8'))
  return missing
}

/** Runs a script and records it. Waits for the locks of others, but never long at once. */
async function applyOne(client: pg.Client, name: string, script: string): Promise<void> {
  const index = concurrentIndexIn(script)
  for (let tries = 1; ; tries += 1) {
    try {
      return index === null ? await applyAtOnce(client, name, script) : await buildBeside(client, name, script, index)
    } catch (cause) {
      await client.query('ROLLBACK').catch(() => {})
      if (tries < LOCK_TRIES && isLockTimeout(cause)) await sleep(PAUSE_MS.lock)
      else throw failed(name, cause)
    }
  }
}

/** In one transaction, so that a start-up killed half way can be retried. */
async function applyAtOnce(client: pg.Client, name: string, script: string): Promise<void> {
  await client.query('BEGIN')
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
  await client.query(script)
  await client.query(RECORD, [name, checksumOf(script)])
  await client.query('COMMIT')
}

/** Builds an index while others write to its table. One that was killed half way is there and useless, so it is built again. */
async function buildBeside(client: pg.Client, name: string, script: string, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1)) AND NOT indisvalid',
    [index],
  )
  if (rowCount !== 0) await client.query(`DROP INDEX CONCURRENTLY "${index}"`)
  await client.query(script)
  await client.query(RECORD, [name, checksumOf(script)])
}

/** The index that a script of this one statement builds concurrently, which no transaction may hold; null for other scripts. */
export function concurrentIndexIn(script: string): string | null {
  const statement = script.replaceAll(/^--.*$/gm, '').trim()
  return /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "(\w+)"[^;]*;?$/.exec(statement)?.[1] ?? null
}

const isLockTimeout = (cause: unknown) => cause instanceof Error && 'code' in cause && cause.code === '55P03'

const failed = (name: string, cause: unknown) =>
  new Error(`database migration "${name}" failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })

// As Prisma's own tools create it.
const RECORDS = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" varchar(36) PRIMARY KEY NOT NULL, "checksum" varchar(64) NOT NULL, "finished_at" timestamptz, "migration_name" varchar(255) NOT NULL,
    "logs" text, "rolled_back_at" timestamptz, "started_at" timestamptz NOT NULL DEFAULT now(), "applied_steps_count" integer NOT NULL DEFAULT 0
  )`

const RECORD = `
  INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
  VALUES (gen_random_uuid(), $2, $1, now(), 1)`

const checksumOf = (script: string) => createHash('sha256').update(script).digest('hex')

const scriptOf = (folder: string, name: string) => path.join(folder, name, 'migration.sql')

/** The migrations that this database lacks, in their order. */
async function pending(client: pg.Client, names: readonly string[]): Promise<string[]> {
  if (!(await hasMigrations(client))) return [...names]
  const { rows } = await client.query<{ name: string }>(
    `SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL AND "finished_at" IS NOT NULL`,
  )
  const applied = new Set(rows.map(({ name }) => name))
  return names.filter((name) => !applied.has(name))
}

async function hasMigrations(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS "there"`)
  return rows[0]?.there === true
}

/** The names of the migrations in `prisma/migrations`, in their order. */
export async function migrationNames(folder = FOLDER): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/**
 * Replaces the rows of the development steps by the baseline's row, because both make the same schema. Throws when the last step is
 * missing, with what to do.
 */
async function adoptBaseline(client: pg.Client, folder: string): Promise<void> {
  const { rows } = await client.query<{ name: string; finished: boolean }>(
    `SELECT "migration_name" AS "name", "finished_at" IS NOT NULL AS "finished" FROM "_prisma_migrations"
     WHERE "migration_name" COLLATE "C" < $1 AND "rolled_back_at" IS NULL`,
    [BASELINE],
  )
  if (rows.length === 0) return
  if (!rows.some(({ name, finished }) => name === LAST_BEFORE && finished)) {
    throw new Error(
      'this database was made by an older development version: run the last version before this one on it once, or use an empty database (with the embedded one, delete its data folder)',
    )
  }
  // One statement, so that a start-up killed here can be retried.
  await client.query(`WITH "gone" AS (DELETE FROM "_prisma_migrations" WHERE "migration_name" COLLATE "C" < $1) ${RECORD}`, [
    BASELINE,
    checksumOf(await readFile(scriptOf(folder, BASELINE), 'utf8')),
  ])
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection(url))
  client.on('error', () => {}) // A connection lost meanwhile also fails the work, which reports it.
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function inTurn<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  // Asked again and again: an index that is built beside others would wait for a statement that waits for us.
  while (!(await isOurTurn(client))) await sleep(PAUSE_MS.turn)
  try {
    return await work()
  } finally {
    // Ending the session would free the lock, but the embedded database has one session for all clients.
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {})
  }
}

async function isOurTurn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_lock($1) AS "ours"', [LOCK])
  return rows[0]?.ours === true
}

const connection = (url: string) => ({
  connectionString: url,
  application_name: 'quittance-migrate',
  connectionTimeoutMillis: 10_000,
})
