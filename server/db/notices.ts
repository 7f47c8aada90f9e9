import pg from 'pg'
import type { Log } from '../base/log'
import type { Db } from './database'
import { batchPerTick } from './database'
import { type Sql, sql, statementOf } from './sql'

const CHANNEL = 'quittance'
const RETRY_MS = 1_000

/**
 * Notices between instances on one database: a settlement may be answerable or will not be signed, there are claims to take, or slots to
 * watch.
 */
export type Announcement = { settlementId: string; how: 'woken' | 'underfunded' } | 'claims' | 'slots'

/**
 * Notices that a process receives: also the tenant whose settings or keys changed, null when any may have, and the block of a network
 * in which settlements became final.
 */
export type Notice = Announcement | { changed: string | null } | { network: string; final: bigint }

/** The call in a statement of the ledger that notifies all instances with its commit. */
export const notifying = (payload: Sql) => sql`pg_notify(${CHANNEL}, ${payload})`

// A commit with a notice waits for earlier such commits, so the outcomes of one block share one notice.
const announceBatched = batchPerTick(async (db: Db, announcements: readonly Announcement[]): Promise<true[]> => {
  const payloads = new Set(announcements.map((what) => (typeof what === 'string' ? what : `${what.how} ${what.settlementId}`)))
  await db.execute(sql`SELECT pg_notify(${CHANNEL}, "payload") FROM unnest(${[...payloads]}::text[]) AS notices("payload")`)
  return announcements.map(() => true)
})

/** Notifies the other instances. A lost notice only delays: they also poll. */
export async function announce(db: Db, what: Announcement): Promise<void> {
  await announceBatched(db, what)
}

function read(payload: string): Notice {
  if (payload === 'claims' || payload === 'slots') return payload
  const [how, settlementId = '', block = '0'] = payload.split(' ')
  if (how === 'final') return { network: settlementId, final: BigInt(block) }
  // Triggers of the tables write this one.
  if (how === 'tenant') return { changed: settlementId }
  return { settlementId, how: how === 'underfunded' ? how : 'woken' }
}

/** The name of this process among those on the database, and what it does with a notice. */
export type Listening = { instance: string; onNotice: (notice: Notice) => void }

/** An advisory lock that a process holds by its name. Shared, so that it reconnects while the database still has its old session. */
const lockOf = (instance: Sql) => sql`hashtextextended(${instance}, 0)`

/**
 * Whether the process with this name has ended: no session holds its lock. A living one whose connection broke seems gone for a second,
 * so this must never decide about money alone.
 */
export const isGone = (instance: Sql): Sql => sql`pg_try_advisory_xact_lock(${lockOf(instance)})`

/**
 * Receives notices on a separate connection that reconnects when it breaks, and holds the lock of `instance` on it. Resolves after the
 * first attempt to connect. Each connect reports a change of any tenant, because notices may have been missed.
 */
export async function listen(url: string, { instance, onNotice }: Listening, log: Log): Promise<{ close(): Promise<void> }> {
  const { text } = statementOf(sql`SELECT pg_advisory_lock_shared(${lockOf(sql`${instance}`)})`)
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const own = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'quittance-listen' })
    client = own
    own.on('notification', ({ payload }) => payload && onNotice(read(payload)))
    own.on('error', (error) => log.warn({ err: error }, 'the listening connection broke; reconnecting'))
    own.on('end', again)
    await own.connect()
    await own.query(text, [instance])
    await own.query(`LISTEN ${CHANNEL}`)
    onNotice({ changed: null })
  }

  function again(): void {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      connect().catch((error: unknown) => {
        log.debug({ err: error }, 'the listening connection cannot be opened')
        again()
      })
    }, RETRY_MS)
  }

  await connect().catch(again)
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
