import { PrismaPg } from '@prisma/adapter-pg'
import DataLoader from 'dataloader'
import pg from 'pg'
import { PrismaClient } from '../../generated/prisma/client'
import { type Timing, untimed } from '../timing'
import { type Statements, statementsOn, type Transact } from './statements'

/** The database: Prisma's typed client for ordinary reads and writes, and statements that go to the same pool directly. */
export type Db = PrismaClient & Statements & { transaction: Transact }

/** How a pool is opened. */
export type ConnectOptions = {
  url: string
  poolMax?: number
  waitMs?: number
  /** Each connection is a session of its own, so statements that write can be planned once and kept: not so on the embedded database. */
  ownSessions?: boolean
  /** For sums over many rows: statements may take longer and use more memory. */
  sums?: boolean
  /** Gets the pool before its first connection: for what listens to its connections. */
  onPool?: (pool: pg.Pool) => void
  timing?: Timing
}

const STATEMENT_MS = 5_000
const SUMS_MS = 60_000

// Compiling a statement of so many parts takes longer than running it does, and distinct payers are counted in memory where they fit.
const SUMS_SETTINGS = '-c jit=off -c work_mem=128MB -c max_parallel_workers_per_gather=0'

/** Connections keep every named statement: texts of Prisma beyond so many stay unnamed. */
const NAMED_MAX = 100

const WRITES = /\b(INSERT|UPDATE|DELETE)\b/

/**
 * A name for the text of each statement of Prisma that writes, so that it is parsed and planned once per connection. What reads stays
 * unnamed: the plan of a page depends on whose it is.
 */
function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= NAMED_MAX || !WRITES.test(sql)) return known ?? ''
    const name = `q${names.size}`
    names.set(sql, name)
    return name
  }
}

/** Connects lazily, through a pool of `poolMax` that refuses after `waitMs`, to PostgreSQL or the embedded database behind its socket. */
export function connect({
  url,
  poolMax = 10,
  waitMs = 1_000,
  ownSessions = false,
  sums = false,
  onPool,
  timing = untimed,
}: ConnectOptions): {
  db: Db
  close(): Promise<void>
} {
  const statementMs = sums ? SUMS_MS : STATEMENT_MS
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    application_name: 'quittance',
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: statementMs,
    // a server that hangs, and the embedded database, which has no timers, never report the statement timeout
    query_timeout: statementMs + 1_000,
    ...(sums ? { options: SUMS_SETTINGS } : {}),
  })
  // The pool drops a connection that breaks while it is idle; the next statement reports a database that is gone.
  pool.on('error', () => {})
  onPool?.(pool)
  timeStatements(pool, timing)
  const naming = ownSessions ? { statementNameGenerator: nameStatements() } : {}
  const adapter = new PrismaPg(pool, naming)
  const db = Object.assign(new PrismaClient({ adapter }), statementsOn(pool, { ownSessions }))
  const close = async () => {
    await db.$disconnect()
    await pool.end()
  }
  return { db, close }
}

type Ask = (...asked: unknown[]) => Promise<unknown>

/** Measures how long the statements of a pool take, with the wait for a connection. */
function timeStatements(pool: pg.Pool, timing: Timing): void {
  if (!timing.traces) return
  const query = promising(pool)
  const timed: Ask = (...asked) =>
    timing.time({ name: 'database', facts: { statement: kindOf(asked[0]) } }, () => query(...asked))
  Object.assign(pool, { query: timed })
}

// The adapter and our statements use the one form of `query` that answers with a promise.
const promising = (pool: pg.Pool): Ask => pool.query.bind(pool) as Ask

const TABLE = /(?:FROM|INTO|UPDATE)\s+"(?:public"\.")?(\w+)"/i
const VERB = /\b(SELECT|INSERT|UPDATE|DELETE)\b/i

/** The first verb and table of a statement; its text and values stay where they are. */
function kindOf(asked: unknown): string {
  const text = typeof asked === 'object' && asked !== null && 'text' in asked ? String(asked.text) : String(asked)
  return [VERB.exec(text)?.[1]?.toUpperCase(), TABLE.exec(text)?.[1]].filter(Boolean).join(' ') || 'other'
}

/** More would make one statement slow for all its callers. */
const TOGETHER_MAX = 200

/**
 * One statement for all calls of a moment instead of one each: a moment is a turn of the event loop, so a call alone waits for nothing.
 * `act` gets the calls of that moment and answers in their order, each with a result or an error of its own.
 */
export function batchPerTick<Call, Result>(
  act: (db: Db, calls: readonly Call[]) => Promise<(Result | Error)[]>,
): (db: Db, call: Call) => Promise<Result> {
  // By the database, so that nothing outlives it and no two are mixed.
  const loaders = new WeakMap<Db, DataLoader<Call, Result, Call>>()
  return (db, call) => {
    const loader = loaders.get(db) ?? new DataLoader<Call, Result, Call>((calls) => act(db, calls), OPTIONS)
    loaders.set(db, loader)
    return loader.load(call)
  }
}

const OPTIONS = { cache: false, maxBatchSize: TOGETHER_MAX, batchScheduleFn: (run: () => void) => void setImmediate(run) }
