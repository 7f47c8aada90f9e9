import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { enginePanic, type MigrationList, openSchemaEngine, postgresForEngine, type SchemaEngine } from './schema-engine'

const FOLDER = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))
const NO_FILTERS = { externalTables: [], externalEnums: [] }

// Any number that nobody else uses: processes that start together take turns on it. (The embedded database has one process.)
const LOCK = 402_402_402

// The engine opens a row per migration, runs the script, then closes the row. Closing it inside the script's own implicit
// transaction makes "row still open" mean "nothing of it happened", so a start-up killed half way can simply try again.
const CLOSE_ROW = `
;UPDATE "_prisma_migrations" SET "finished_at" = now() WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL;`

/** Brings the database up to the migrations in `prisma/migrations` and returns the names it applied; each runs whole or not at all. */
export async function migrate(url: string, folder = FOLDER): Promise<string[]> {
  const migrationsList = await readMigrations(folder)
  return inTurn(url, async () => {
    // the engine locks its session and never unlocks, so its connection must not outlive it
    const pool = new pg.Pool({ ...connection(url), max: 1 })
    pool.on('error', () => {})
    const engine = await openSchemaEngine(postgresForEngine(pool, { afterScript: CLOSE_ROW }))
    try {
      await reopenUnfinished(engine, migrationsList)
      return (await engine.applyMigrations({ migrationsList, filters: NO_FILTERS })).appliedMigrationNames
    } catch (cause) {
      throw new Error(explain(enginePanic() ?? messageOf(cause)), { cause })
    } finally {
      engine.free()
      await pool.end()
    }
  })
}

/** The names of the migrations in `prisma/migrations`, in their order. */
export async function migrationNames(folder = FOLDER): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

async function reopenUnfinished(engine: SchemaEngine, migrationsList: MigrationList): Promise<void> {
  const history = await engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters: NO_FILTERS })
  for (const migrationName of history.failedMigrationNames) await engine.markMigrationRolledBack({ migrationName })
}

async function inTurn<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client(connection(url))
  client.on('error', () => {}) // a connection lost meanwhile also fails the work, which reports it
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    return await work()
  } finally {
    // ending the session would free the lock, but the embedded database has only one session for everybody
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {})
    await client.end().catch(() => {})
  }
}

const connection = (url: string) => ({
  connectionString: url,
  application_name: 'quittance-migrate',
  connectionTimeoutMillis: 10_000,
})

async function readMigrations(folder: string): Promise<MigrationList> {
  const names = await migrationNames(folder)
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

/** The engine names the migration only in its trace: bring the name to the front and leave the trace to `cause`. */
function explain(message: string): string {
  const name = /migration_name="([^"]+)"/.exec(message)?.[1]
  const [reason = message] = message.split(/\n\s+0: /)
  return `database migration ${name ? `"${name}" ` : ''}failed: ${reason.trim()}`
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
