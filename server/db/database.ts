import { PrismaPg } from '@prisma/adapter-pg'
import DataLoader from 'dataloader'
import pg from 'pg'
import { PrismaClient } from '../../generated/prisma/client'
import { type Timing, untimed } from '../base/timing'
import { type Statements, statementsOn, type Transact } from './statements'

/** Prisma's typed client, with statements that go to the same pool directly. */
export type Db = PrismaClient & Statements & { transaction: Transact }

/** How a pool is opened. */
export type ConnectOptions = {
  url: string
  poolMax?: number
  /** As many connections stay open while nothing uses them: a new one plans each statement anew. */
  kept?: number
  waitMs?: number
  /** Whether each connection is a separate session, so that prepared writes can be reused. The embedded database has one session. */
  ownSessions?: boolean
  /** For sums over many rows: a longer statement timeout and more memory. */
  sums?: boolean
  /** Called with the pool before its first connection, to listen to its connections. */
  onPool?: (pool: pg.Pool) => void
  timing?: Timing
}

const STATEMENT_MS = 5_000
/** The timeout of a statement that sums many rows. */
export const SUMS_MS = 60_000

// JIT compilation would take longer than these statements run; the memory lets distinct payers be counted without a sort on disk.
const SUMS_SETTINGS = '-c jit=off -c work_mem=128MB -c max_parallel_workers_per_gather=0'

/** Connections keep every named statement, so Prisma's texts beyond this many stay unnamed. */
const NAMED_MAX = 100

const WRITES = /\b(INSERT|UPDATE|DELETE)\b/

/**
 * Names each statement of Prisma that writes, so that a connection parses and plans it once. Reads stay unnamed: the plan of a page
 * depends on its owner.
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

/**
 * Connects lazily to PostgreSQL or the embedded database, through a pool of `poolMax`. A request for a connection fails after `waitMs`.
 */
export function connect({
  url,
  poolMax = 10,
  kept = 0,
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
    min: kept,
    application_name: 'quittance',
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: statementMs,
    // A hung server, and the embedded database without timers, never report the statement timeout.
    query_timeout: statementMs + 1_000,
    ...(sums ? { options: SUMS_SETTINGS } : {}),
  })
  // The pool drops an idle connection that breaks; the next statement reports a lost database.
  pool.on('error', () => {})
  onPool?.(pool)
  timeStatements(pool, timing)
  const naming = ownSessions ? { statementNameGenerator: nameStatements() } : {}
  const typed = () => new PrismaClient({ adapter: new PrismaPg(pool, naming) })
  const db = withTypedClient(statementsOn(pool, { ownSessions }), typed)
  // The client uses the pool's connections and has none of its own.
  return { db, close: () => pool.end() }
}

/** Statements, and behind all other names Prisma's client. It is made at its first use: it takes 8 MB, and payments never use it. */
function withTypedClient(
  { query, queryUnprepared, execute, transaction }: Omit<Db, keyof PrismaClient>,
  make: () => PrismaClient,
): Db {
  // One literal and one prototype: databases have one shape, for which V8 compiles.
  const db: Db = Object.setPrototypeOf({ query, queryUnprepared, execute, transaction }, TYPED)
  typedClients.set(db, once(make))
  return db
}

/** The typed client of each database. */
const typedClients = new WeakMap<object, () => PrismaClient>()

const TYPED = new Proxy(
  {},
  {
    get(_, name, db) {
      // An `await` and a printer only look whether there is such a name.
      if (name === 'then' || typeof name === 'symbol') return undefined
      const client = typedClients.get(db)?.()
      const value: unknown = client && Reflect.get(client, name)
      return typeof value === 'function' ? value.bind(client) : value
    },
  },
)

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** These statements as a database, which has no transactions and no Prisma client. */
export function dbOf(statements: Statements): Db {
  const refuse = () => {
    throw new Error('this database has statements only')
  }
  return withTypedClient({ ...statements, transaction: refuse }, refuse)
}

type PoolQuery = (...args: unknown[]) => Promise<unknown>

/** Measures how long the statements of a pool take, including the wait for a connection. */
function timeStatements(pool: pg.Pool, timing: Timing): void {
  if (!timing.traces) return
  const query = queryOf(pool)
  const timed: PoolQuery = (...args) =>
    timing.time({ name: 'database', facts: { statement: kindOf(args[0]) } }, () => query(...args))
  Object.assign(pool, { query: timed })
}

// The adapter and our statements use only the form of `query` that returns a promise.
const queryOf = (pool: pg.Pool): PoolQuery => pool.query.bind(pool) as PoolQuery

const TABLE = /(?:FROM|INTO|UPDATE)\s+"(?:public"\.")?(\w+)"/i
const VERB = /\b(SELECT|INSERT|UPDATE|DELETE)\b/i

/** The first verb and table of a statement; neither its text nor its values reach a trace. */
function kindOf(query: unknown): string {
  const text = typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : String(query)
  return [VERB.exec(text)?.[1]?.toUpperCase(), TABLE.exec(text)?.[1]].filter(Boolean).join(' ') || 'other'
}

/** A larger batch would make one statement slow for all its callers. */
const BATCH_MAX = 200

/** Batches the calls of one turn of the event loop into one statement. `act` returns a result or an error for each call, in order. */
export function batchPerTick<Call, Result>(
  act: (db: Db, calls: readonly Call[]) => Promise<(Result | Error)[]>,
): (db: Db, call: Call) => Promise<Result> {
  // Per database, so that a loader ends with its database and never mixes two.
  const loaders = new WeakMap<Db, DataLoader<Call, Result, Call>>()
  return (db, call) => {
    const loader = loaders.get(db) ?? new DataLoader<Call, Result, Call>((calls) => act(db, calls), OPTIONS)
    loaders.set(db, loader)
    return loader.load(call)
  }
}

/** So many statements of a kind run at a time: what is asked meanwhile shares the next one. */
const AT_A_TIME = 2

/**
 * Batches calls by load: one runs at once, and those that come while statements are running share the next one. For writes that contend for
 * the same rows. `act` returns a result or an error for each call, in order.
 */
export function whileBusy<Call, Result>(
  act: (db: Db, calls: readonly Call[]) => Promise<(Result | Error)[]>,
): (db: Db, call: Call) => Promise<Result> {
  type Waiting = { call: Call; resolve: (result: Result) => void; reject: (error: unknown) => void }
  const queues = new WeakMap<Db, { waiting: Waiting[]; running: number }>()

  async function run(db: Db, queue: { waiting: Waiting[]; running: number }): Promise<void> {
    while (queue.waiting.length > 0) {
      const some = queue.waiting.splice(0, BATCH_MAX)
      await act(
        db,
        some.map(({ call }) => call),
      ).then(
        (results) => {
          for (const [at, { resolve, reject }] of some.entries()) {
            const result = results[at]
            if (result instanceof Error || result === undefined) reject(result)
            else resolve(result)
          }
        },
        (error: unknown) => {
          for (const { reject } of some) reject(error)
        },
      )
    }
    queue.running--
  }

  return (db, call) => {
    const queue = queues.get(db) ?? { waiting: [], running: 0 }
    queues.set(db, queue)
    return new Promise((resolve, reject) => {
      queue.waiting.push({ call, resolve, reject })
      if (queue.running >= AT_A_TIME) return
      queue.running++
      setImmediate(() => void run(db, queue))
    })
  }
}

const OPTIONS = { cache: false, maxBatchSize: BATCH_MAX, batchScheduleFn: (run: () => void) => void setImmediate(run) }
