import pg from 'pg'
import type { Log } from '../log'
import type { Db } from './database'
import { batchPerTick } from './database'
import { sql, uuids } from './sql'

const CHANNEL = 'quittance'
const RETRY_MS = 1_000

/** What instances on one database tell each other: a settlement may be answerable or will not be signed, there are claims to take, or slots to watch. */
export type Announcement = { settlementId: string; how: 'woken' | 'underfunded' } | 'claims' | 'slots'

/** What a process on this database hears: also of which tenant the settings or keys changed, null when any may have. */
export type Notice = Announcement | { changed: string | null }

// The outcomes of a block come together, and each commit with a notice waits for those before it: one notice holds them all.
const announceBatched = batchPerTick(async (db: Db, told: readonly Announcement[]): Promise<true[]> => {
  const payloads = new Set(told.map((what) => (typeof what === 'string' ? what : `${what.how} ${what.settlementId}`)))
  await db.execute(sql`SELECT pg_notify(${CHANNEL}, "payload") FROM unnest(${[...payloads]}::text[]) AS told("payload")`)
  return told.map(() => true)
})

/** Notifies the other instances. A lost notice only delays: they also poll. */
export async function announce(db: Db, what: Announcement): Promise<void> {
  await announceBatched(db, what)
}

function read(payload: string): Notice {
  if (payload === 'claims' || payload === 'slots') return payload
  const [how, settlementId = ''] = payload.split(' ')
  // Written by triggers of the tables themselves.
  if (how === 'tenant') return { changed: settlementId }
  return { settlementId, how: how === 'underfunded' ? how : 'woken' }
}

/** Hears notices on a connection of its own, which reconnects whenever it breaks: what was missed meanwhile may be any tenant's change. */
export function listen(url: string, hear: (notice: Notice) => void, log: Log): { close(): Promise<void> } {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const own = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'quittance-listen' })
    client = own
    own.on('notification', ({ payload }) => payload && hear(read(payload)))
    own.on('error', (error) => log.warn({ err: error }, 'the connection that listens broke; it is made again'))
    own.on('end', again)
    await own.connect()
    await own.query(`LISTEN ${CHANNEL}`)
    hear({ changed: null })
  }

  function again(): void {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      connect().catch((error: unknown) => {
        log.debug({ err: error }, 'the database does not take the connection that listens')
        again()
      })
    }, RETRY_MS)
  }

  connect().catch(again)
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

/** Those of these settlements that have an outcome, or whose claim was freed. */
export async function findAnswerable(db: Db, settlementIds: string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>`
    SELECT "id" FROM "Settlement" WHERE "id" IN (${uuids(settlementIds)}) AND "state" NOT IN ('CLAIMED', 'PREPARED', 'BROADCAST')`
  return rows.map(({ id }) => id)
}
