import { PGlite } from '@electric-sql/pglite'
import type { Db } from '../../server/db/database'
import { type Statements, statementsBy } from '../../server/db/statements'
import { migratedImage } from './image'
import { serve } from './time'
import { answer, type Column, type Complaint, type Result, request } from './wire'

/** A statement with its values. */
export type Statement = { sql: string; values: readonly unknown[] }

/** A real PostgreSQL in this process, with the real schema: whole statements, one after the other, at once. */
export type Database = {
  /** Throws what the driver would throw. */
  run(statement: Statement): Result
  /** Rows of a statement of the simulation's own. */
  rows(sql: string, ...values: unknown[]): Record<string, unknown>[]
  /** Makes the database what it was after its migrations. */
  empty(): void
  statements(): number
}

/** So many runs leave enough dead rows behind to slow the next ones down. */
const SWEEP_EVERY = 50
/** Written by the migrations, and the same in every run. */
const KEPT = new Set(['Move', 'AnalyticsEpoch', 'RollupCursor'])
const TENANTS_KEPT = `'00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001'`

/** Opens a database with the migrations of the service, and statements of a mutation on top. */
export async function openDatabase(alterations: readonly string[] = []): Promise<Database> {
  const server = new PGlite({ loadDataDir: await migratedImage() })
  await server.waitReady
  for (const alteration of alterations) await server.exec(alteration)
  // As on a server, where each connection plans a named statement once.
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
      // It may have been parsed before it failed: its name is not used again.
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
      // No trigger has a say in this; the order serves the references of the few tables that have them.
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

/** An error in the shape that the driver gives what the database says. */
function failureOf({ code, message }: Complaint): Error {
  return Object.assign(new Error(message), { severity: 'ERROR', code })
}

/** An error of a connection that cannot be had or was lost. */
export function connectionLost(message: string): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' })
}

/** The database as the service knows it, each statement done by this function: one call, one statement. */
export function clientOf(run: (statement: Statement) => Promise<Result>): Db {
  return asDb(statementsBy(({ text, values }) => run({ sql: text, values })))
}

/** What is simulated uses no typed client and no transaction: anything else is missed loudly. */
const asDb = (statements: Statements): Db => statements as unknown as Db
