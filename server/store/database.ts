import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '../../generated/prisma/client'

/** The typed database client. */
export type Db = PrismaClient

type Options = {
  url: string
  poolMax?: number
  waitMs?: number
  /** Each connection is a session of its own, so statements can be planned once and kept: not so on the embedded database. */
  ownSessions?: boolean
}

const STATEMENT_MS = 5_000

/** Connections keep every named statement: texts beyond so many stay unnamed. */
const NAMED_MAX = 300

/** A name for each statement's text, so that it is parsed and planned once per connection. */
function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= NAMED_MAX) return known ?? ''
    const name = `q${names.size}`
    names.set(sql, name)
    return name
  }
}

/** Connects lazily, through a pool of `poolMax` that refuses after `waitMs`, to PostgreSQL or the embedded database behind its socket. */
export function connect({ url, poolMax = 10, waitMs = 1_000, ownSessions = false }: Options): { db: Db; close(): Promise<void> } {
  const adapter = new PrismaPg({
    connectionString: url,
    max: poolMax,
    application_name: 'quittance',
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: STATEMENT_MS,
    // a server that hangs, and the embedded database, which has no timers, never report the statement timeout
    query_timeout: STATEMENT_MS + 1_000,
    ...(ownSessions ? { statementNameGenerator: nameStatements() } : {}),
  })
  const db = new PrismaClient({ adapter })
  return { db, close: () => db.$disconnect() }
}
