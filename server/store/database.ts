import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '../../generated/prisma/client'

/** The typed database client. */
export type Db = PrismaClient

type Options = { url: string; poolMax?: number; waitMs?: number }

const STATEMENT_MS = 5_000

/** Connects lazily, through a pool of `poolMax` that refuses after `waitMs`, to PostgreSQL or the embedded database behind its socket. */
export function connect({ url, poolMax = 10, waitMs = 1_000 }: Options): { db: Db; close(): Promise<void> } {
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
  })
  const db = new PrismaClient({ adapter })
  return { db, close: () => db.$disconnect() }
}
