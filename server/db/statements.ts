import { isDate } from 'node:util/types'
import pg from 'pg'
import { isSql, type Sql, type SqlValue, sql, statementOf } from './sql'

/** The rows of a statement, given as a template or as a piece of SQL. */
type Query = {
  <Row = Record<string, unknown>>(parts: TemplateStringsArray, ...between: readonly (SqlValue | Sql)[]): Promise<Row[]>
  <Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>
}

/** How many rows a statement wrote or found. */
type Execute = (statement: TemplateStringsArray | Sql, ...between: readonly (SqlValue | Sql)[]) => Promise<number>

/**
 * Statements that go to the driver directly, at a third of their cost through Prisma. `bigint` columns are bigint, `numeric` is text,
 * times and dates are Date, `bytea` is bytes, JSON is parsed.
 */
export type Statements = {
  /** Planned once per connection: for a statement that finds about the same number of rows for all values. */
  query: Query
  /** Planned each time: for a statement whose best plan depends on its values, such as a page of one owner. */
  queryUnprepared: Query
  execute: Execute
}

/** Runs the statements of `work` in a transaction: all or none. No statement begins after `timeoutMs`. */
export type Transact = <Result>(
  work: (within: Statements) => Promise<Result>,
  options?: { timeoutMs?: number },
) => Promise<Result>

/** Runs one statement. Connections keep only those with a name. */
export type Run = (statement: {
  text: string
  name?: string
  values: SqlValue[]
}) => Promise<{ rows: unknown[]; affected: number }>

/** The statements over a function that runs one. */
export function statementsBy(run: Run): Statements {
  const pieceOf = (first: TemplateStringsArray | Sql, between: readonly (SqlValue | Sql)[]) =>
    isSql(first) ? first : sql(first, ...between)
  const rowsBy =
    (named: (piece: Sql) => Parameters<Run>[0]): Query =>
    async <Row>(first: TemplateStringsArray | Sql, ...between: readonly (SqlValue | Sql)[]) =>
      rowsOf<Row>(await run(named(pieceOf(first, between))))
  return {
    query: rowsBy(statementOf),
    queryUnprepared: rowsBy((piece) => ({ text: statementOf(piece).text, values: statementOf(piece).values })),
    execute: async (first, ...between) => (await run(statementOf(pieceOf(first, between)))).affected,
  }
}

// A caller names the columns of its own statement: tests check that, the database cannot.
const rowsOf = <Row>({ rows }: { rows: unknown[] }): Row[] => rows as Row[]

/** Connections keep every named statement, so texts beyond this many stay unnamed. */
const NAMED_MAX = 400

/** Statements on this pool. Only connections with separate sessions can keep them by name. */
export function statementsOn(pool: pg.Pool, { ownSessions }: { ownSessions: boolean }): Statements & { transaction: Transact } {
  const names = new Set<string>()
  const nameOf = (name: string | undefined) => {
    if (!ownSessions || name === undefined || (!names.has(name) && names.size >= NAMED_MAX)) return {}
    names.add(name)
    return { name }
  }
  const runOn =
    (connection: Pick<pg.Pool, 'query'>): Run =>
    async ({ text, name, values }) => {
      const { rows, rowCount } = await connection.query({ ...nameOf(name), text, values: values.map(bound), types: READERS })
      return { rows, affected: rowCount ?? 0 }
    }
  return { ...statementsBy(runOn(pool)), transaction: (work, options) => transact(pool, runOn, work, options) }
}

async function transact<Result>(
  pool: pg.Pool,
  runOn: (client: pg.PoolClient) => Run,
  work: (within: Statements) => Promise<Result>,
  { timeoutMs = 5_000 }: { timeoutMs?: number } = {},
): Promise<Result> {
  const client = await pool.connect()
  const lost = () => {} // Lost between two statements: the next one reports it.
  client.on('error', lost)
  const until = performance.now() + timeoutMs
  const run = runOn(client)
  let broken: Error | boolean = false
  try {
    await client.query('BEGIN')
    const within = statementsBy((statement) => {
      if (performance.now() < until) return run(statement)
      throw new Error(`Query read timeout: a transaction took longer than ${timeoutMs} ms`)
    })
    const result = await work(within)
    await client.query('COMMIT')
    return result
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    )
    throw error
  } finally {
    client.off('error', lost)
    client.release(broken)
  }
}

// The driver writes dates in the zone of the process, which a column without a zone would keep.
function bound(value: SqlValue): SqlValue {
  if (isDate(value)) return value.toISOString()
  return Array.isArray(value) ? value.map(bound) : value
}

const time = (text: string) => new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
const timeWithoutZone = (text: string) => time(`${text}Z`)
const TEXTS: number = 1009
const listOf = (read: (text: string) => unknown) => (text: string) => {
  const items: (string | null)[] = pg.types.getTypeParser(TEXTS)(text)
  return items.map((item) => (item === null ? null : read(item)))
}
const same = (text: string) => text

// For these statements only: Prisma's adapter reads the same connections by its own rules.
const BY_TYPE: Readonly<Record<number, (text: string) => unknown>> = {
  20: BigInt,
  1700: same,
  1082: (day: string) => new Date(day),
  1114: timeWithoutZone,
  1184: time,
  1016: listOf(BigInt),
  1231: listOf(same),
  1185: listOf(time),
}

const READERS: pg.CustomTypesConfig = { getTypeParser: (oid: number) => BY_TYPE[oid] ?? pg.types.getTypeParser(oid) }
