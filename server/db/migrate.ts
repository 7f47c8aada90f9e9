import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { enginePanic, type MigrationList, openSchemaEngine, postgresForEngine, type SchemaEngine } from './schema-engine'

const FOLDER = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))
const NO_FILTERS = { externalTables: [], externalEnums: [] }

// An arbitrary lock number: processes that start together take turns. (The embedded database has one process.)
const LOCK = 402_402_402

// The engine opens a row per migration, runs the script, then closes the row. Closing it inside the script's own implicit transaction
// makes "row still open" mean "nothing was applied", so a start-up killed half way can be retried.
const CLOSE_ROW = `
;UPDATE "_prisma_migrations" SET "finished_at" = now() WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL;`

// Development versions reached the baseline's schema in steps; this was the last one.
const BASELINE = '20261122100000_baseline'
const LAST_BEFORE = '20261122090100_key_rate'

/**
 * Applies the migrations in `prisma/migrations` and returns the applied names; each runs whole or not at all. With nothing to apply it
 * reads one table: Prisma's engine takes 0.1 s of CPU time to say so.
 */
export async function migrate(url: string, folder = FOLDER): Promise<string[]> {
  const names = await migrationNames(folder)
  return withClient(url, async (client) => {
    if (await areApplied(client, names)) return []
    return inTurn(client, async () => apply(url, await readMigrations(folder, names)))
  })
}

async function apply(url: string, migrationsList: MigrationList): Promise<string[]> {
  // The engine locks its session and never unlocks it, so its connection must not outlive it.
  const pool = new pg.Pool({ ...connection(url), max: 1 })
  pool.on('error', () => {})
  const engine = await openSchemaEngine(postgresForEngine(pool, { afterScript: CLOSE_ROW }))
  try {
    await adoptBaseline(pool, migrationsList)
    await reopenUnfinished(engine, migrationsList)
    return (await engine.applyMigrations({ migrationsList, filters: NO_FILTERS })).appliedMigrationNames
  } catch (cause) {
    throw new Error(explain(enginePanic() ?? messageOf(cause)), { cause })
  } finally {
    engine.free()
    await pool.end()
  }
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
async function adoptBaseline(pool: pg.Pool, { migrationDirectories }: MigrationList): Promise<void> {
  const script = migrationDirectories.find(({ path: name }) => name === BASELINE)?.migrationFile.content
  if (script?.tag !== 'ok' || !(await hasMigrations(pool))) return
  const { rows } = await pool.query<{ name: string; finished: boolean }>(
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
  await pool.query(
    `WITH "gone" AS (DELETE FROM "_prisma_migrations" WHERE "migration_name" COLLATE "C" < $1)
     INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
     VALUES (gen_random_uuid(), $2, $1, now(), now(), 1)`,
    [BASELINE, createHash('sha256').update(script.value).digest('hex')],
  )
}

async function hasMigrations(database: pg.Pool | pg.Client): Promise<boolean> {
  const { rows } = await database.query<{ there: boolean }>(`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS "there"`)
  return rows[0]?.there === true
}

async function reopenUnfinished(engine: SchemaEngine, migrationsList: MigrationList): Promise<void> {
  const history = await engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters: NO_FILTERS })
  for (const migrationName of history.failedMigrationNames) await engine.markMigrationRolledBack({ migrationName })
}

/** True if the database has exactly these migrations, each whole. Everything else is for the engine to judge. */
async function areApplied(client: pg.Client, names: readonly string[]): Promise<boolean> {
  if (!(await hasMigrations(client))) return false
  const { rows } = await client.query<{ name: string; finished: boolean }>(
    `SELECT "migration_name" AS "name", "finished_at" IS NOT NULL AS "finished" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`,
  )
  const found = new Set(rows.map(({ name }) => name))
  return rows.every(({ finished }) => finished) && found.size === names.length && names.every((name) => found.has(name))
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
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    return await work()
  } finally {
    // Ending the session would free the lock, but the embedded database has one session for all clients.
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {})
  }
}

const connection = (url: string) => ({
  connectionString: url,
  application_name: 'quittance-migrate',
  connectionTimeoutMillis: 10_000,
})

async function readMigrations(folder: string, names: readonly string[]): Promise<MigrationList> {
  return {
    baseDir: folder,
    shadowDbInitScript: '',
    lockfile: { path: 'migration_lock.toml', content: await readFile(path.join(folder, 'migration_lock.toml'), 'utf8') },
    migrationDirectories: await Promise.all(
      names.map(async (name) => {
        const value = await readFile(path.join(folder, name, 'migration.sql'), 'utf8')
        return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } } }
      }),
    ),
  }
}

/** Puts the migration's name first, because the engine has it only in its trace; the trace stays in `cause`. */
function explain(message: string): string {
  const name = /migration_name="([^"]+)"/.exec(message)?.[1]
  const [reason = message] = message.split(/\n\s+0: /)
  return `database migration ${name ? `"${name}" ` : ''}failed: ${reason.trim()}`
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
