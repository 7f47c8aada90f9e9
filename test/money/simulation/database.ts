import { PGlite } from '@electric-sql/pglite'
import type { Db } from '../../../server/db/database'
import { type Statements, statementsBy } from '../../../server/db/statements'
import { migratedImage } from './image'
import { serve } from './time'
import { answer, type Column, type Complaint, type Result, request } from './wire'

/** A statement with its values. */
export type Statement = { sql: string; values: readonly unknown[] }

/** A real PostgreSQL with the real schema in this process; it runs one whole statement at a time, synchronously. */
export type Database = {
  /** Runs a statement; throws the driver's errors. */
  run(statement: Statement): Result
  /** The rows of a query by the simulation itself. */
  rows(sql: string, ...values: unknown[]): Record<string, unknown>[]
  /** Restores the state after the migrations. */
  empty(): void
  statements(): number
}

/** After this many runs, dead rows slow the database down. */
const SWEEP_EVERY = 50
/** Tables that only the migrations write. */
const KEPT = new Set(['Move', 'AnalyticsEpoch', 'RollupCursor'])
const TENANTS_KEPT = `'00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001'`

/** Opens a database with the service's migrations and a mutation's statements. */
export async function openDatabase(alterations: readonly string[] = []): Promise<Database> {
  const server = new PGlite({ loadDataDir: await migratedImage() })
  await server.waitReady
  for (const alteration of alterations) await server.exec(alteration)
  // Like a server's connection, which plans a named statement once.
  await server.exec(`SET plan_cache_mode = force_generic_plan; SET synchronous_commit = off; SET TIME ZONE 'UTC'`)
  const known = new Map<string, { name: string; columns: Column[] }>()
  let runs = 0
  let count = 0

  function run({ sql, values }: Statement): Result {
    count++
    const statement = known.get(sql)
    const name = statement?.name ?? `s${known.size}`
    const said = answer(
      serve(() => server.execProtocolRawSync(request(name, statement ? null : sql, values))),
      statement?.columns,
    )
    if ('error' in said) {
      // The statement may be parsed although it failed, so its name is not reused.
      if (!statement) known.set(`${sql} ${known.size}`, { name, columns: [] })
      throw failureOf(said.error)
    }
    if (!statement) known.set(sql, { name, columns: said.columns })
    return said.result
  }

  const rows = (sql: string, ...values: unknown[]) => run({ sql, values }).rows
  const tables = rows(`SELECT tablename::text AS "name" FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`)
    .map(({ name }) => String(name))
    .filter((name) => !KEPT.has(name) && !['Tenant', 'Owner', 'Settlement', 'Slot'].includes(name))

  return {
    run,
    rows,
    statements: () => count,
    empty() {
      // Disables triggers; the order of tables respects foreign keys.
      rows(`SET session_replication_role = replica`)
      for (const name of [...tables, 'Settlement', 'Slot']) rows(`DELETE FROM "${name}"`)
      rows(`DELETE FROM "Tenant" WHERE "id" NOT IN (${TENANTS_KEPT})`)
      rows(`SET session_replication_role = DEFAULT`)
      if (++runs % SWEEP_EVERY !== 0) return
      for (const name of [...tables, 'Settlement', 'Slot', 'Tenant']) rows(`VACUUM "${name}"`)
      rows('CHECKPOINT')
    },
  }
}

/** A database error in the driver's form. */
function failureOf({ code, message }: Complaint): Error {
  return Object.assign(new Error(message), { severity: 'ERROR', code })
}

/** The error of a failed or lost connection. */
export function connectionLost(message: string): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' })
}

/** The service's database client; this function runs each statement. */
export function clientOf(run: (statement: Statement) => Promise<Result>): Db {
  return asDb(statementsBy(({ text, values }) => run({ sql: text, values })))
}

/** The simulated parts use neither the typed client nor transactions; any other use throws. */
const asDb = (statements: Statements): Db => statements as unknown as Db
