// History pages and analytics over many rows, at the handlers, on PostgreSQL with durable commits or on the embedded database:
// `node scripts/bench.mjs reading [rows] [postgres | embedded] [payers]`
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ofSubject } from '../server/accounts/tenant-queries'
import { adminScope, merchantScope } from '../server/analytics/analytics'
import { figures, overview } from '../server/analytics/figures'
import { createLog } from '../server/base/log'
import { createApp, type RunningApp } from '../server/boot/app'
import { readEnv } from '../server/env/env'
import { listPage } from '../server/history/filters'
import { scopeOf } from '../server/history/history'
import { listSettlements } from '../server/history/lists'
import { createCoalesce, createRecent } from '../server/sums/coalesce'
import { dirtyDays, noteDay, rollDay } from '../server/sums/rollup-queries'
import { startCluster } from '../test/support/database/postgres'
import { pageOf, readersOf } from '../test/support/service/history'
import type { Answer } from '../test/support/service/surface'
import { BIGGEST, RARE, seedEmbedded, seedPostgres } from './reading-seed'

const rows = Number(process.argv[2] ?? 10_000)
const payers = Number(process.argv[4] ?? 20_011)
const where = process.argv[3] === 'embedded' ? 'embedded' : 'postgres'
const KEY = 'the-admin-key-of-the-tests-0123456789'

const cluster = where === 'postgres' ? await startCluster({ durable: true }) : null
const folder = await mkdtemp(path.join(tmpdir(), 'quittance-bench-'))
const database: Record<string, string> = cluster ? { DATABASE_URL: cluster.url('postgres') } : { DATA_DIR: folder }
const log = createLog('silent')
const running = await createApp(readEnv({ NODE_ENV: 'test', ADMIN_KEY: KEY, ...database }), log)
/** The rates of readers do not hold here. */
const app: RunningApp = {
  ...running,
  lists: (reader, read) => running.lists(reader, read, 0),
  coalesce: createCoalesce(),
  counting: createCoalesce(),
}
const { db } = app
const readers = readersOf(app)
/** Readers of a service that keeps no sums. */
const coldReaders = readersOf({ ...app, recent: (_reader, _key, _keepMs, compute) => compute() })

const NOWHERE = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

type Row = { what: string; calls: number; 'first ms': number; 'p50 ms': number; 'p95 ms': number }
const table: Row[] = []
const ms = (value: number | undefined) => Number((value ?? 0).toFixed(1))

/** Calls `read` this many times, each after `before`, and records the times. */
async function measure(
  what: string,
  calls: number,
  read: () => Promise<Answer>,
  before: () => Promise<unknown> = async () => {},
) {
  const took: number[] = []
  for (let call = 0; call < calls; call++) {
    await before()
    const started = performance.now()
    const { status, body } = await read()
    took.push(performance.now() - started)
    if (status !== 200) {
      // The other measurements took long and stay.
      table.push({
        what: `${what}: ${status} ${JSON.stringify(body)}`,
        calls: call,
        'first ms': ms(took[0]),
        'p50 ms': 0,
        'p95 ms': 0,
      })
      return
    }
  }
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => ms(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))])
  table.push({ what, calls, 'first ms': ms(took[0]), 'p50 ms': at(0.5), 'p95 ms': at(0.95) })
}

/** Restarts PostgreSQL, so that its buffers are empty, with connections ready. */
async function restart(): Promise<void> {
  if (!cluster) return
  await db.$executeRaw`CHECKPOINT`
  await cluster.crash()
  await cluster.start()
  for (const pool of [db, app.sums]) while (!(await pool.$queryRaw`SELECT 1`.catch(() => null))) await setTimeout(50)
}

async function history(): Promise<void> {
  const [sample] = await db.$queryRaw<{ payer: string; tenantId: string; txHash: string }[]>`SELECT * FROM "History" LIMIT 1`
  const middle = async (pages: number) => {
    let cursor = ''
    for (let page = 0; page < pages; page++) ({ cursor } = pageOf(await readers.merchant(BIGGEST, `?limit=100&cursor=${cursor}`)))
    return cursor
  }
  const cursor = await middle(10)
  await measure('history, biggest merchant, first page', 100, () => readers.merchant(BIGGEST))
  await measure('history, biggest merchant, 100 rows further down', 100, () =>
    readers.merchant(BIGGEST, `?limit=100&cursor=${cursor}`),
  )
  await measure('history, biggest merchant, upwards', 100, () => readers.merchant(BIGGEST, `?cursor=${cursor}&direction=after`))
  const screen = async (filter: object): Promise<Answer> => {
    const page = listPage.parse(filter)
    return {
      status: 200,
      headers: new Headers(),
      body: await listSettlements({ app, reader: 'bench' }, 'merchant', scopeOf.merchant(ofSubject(BIGGEST)), page),
    }
  }
  await measure('history, biggest merchant, a rare network', 100, () => screen({ network: RARE.network }))
  await measure('history, biggest merchant, a network without any', 100, () => screen({ network: NOWHERE }))
  await measure('history, biggest merchant, testnets', 100, () => screen({ environment: 'testnet' }))
  await measure('history, biggest merchant, a rare resource', 100, () => screen({ resource: RARE.resource }))
  await measure('history, biggest merchant, a resource without any', 100, () => screen({ resource: 'https://shop.test/none' }))
  await measure('history, payer', 100, () => readers.payer(sample?.payer ?? ''))
  await measure('history, admin, all owners', 100, () => readers.admin())
  await measure('history, admin, failures of an owner', 100, () =>
    readers.admin(`?owner_id=${encodeURIComponent(BIGGEST)}&success=false`),
  )
  await measure('history, admin, failures of a tenant', 100, () => readers.admin(`?tenant_id=${sample?.tenantId}&success=false`))
  await measure('history, admin, transaction', 100, () => readers.admin(`?tx_hash=${sample?.txHash}`))
}

async function analytics(days: string): Promise<void> {
  await measure(`analytics, biggest merchant, 30 days, ${days}`, 10, () => coldReaders.merchantAnalytics(BIGGEST))
  await measure(`analytics, biggest merchant, 90 days, ${days}`, 10, () => coldReaders.merchantAnalytics(BIGGEST, '?days=90'))
  await measure(`analytics, all owners, 90 days, ${days}`, 3, () => coldReaders.adminAnalytics('?days=90'))
  if (!cluster) return
  await measure(
    `analytics, biggest merchant, 90 days, ${days}, cold`,
    5,
    () => coldReaders.merchantAnalytics(BIGGEST, '?days=90'),
    restart,
  )
  await measure(`analytics, all owners, 90 days, ${days}, cold`, 5, () => coldReaders.adminAnalytics('?days=90'), restart)
}

/** The queries of the overview and of the platform, in a time zone that cuts UTC days. */
async function screens(days: string): Promise<void> {
  const asked = { range: { days: 90 }, zone: 'Asia/Kathmandu', within: 'mainnet' } as const
  for (const [whose, scope] of [
    ['biggest merchant', merchantScope(ofSubject(BIGGEST), 'bench')],
    ['all owners', adminScope({}, 'bench')],
  ] as const) {
    const queries = { figures, overview }
    for (const [name, query] of Object.entries(queries)) {
      const read = async () => {
        const wanted = { tenants: whose === 'all owners', payersByDay: true }
        const body = await query({ ...app, recent: createRecent() }, scope, asked, wanted)
        return { status: 200, headers: new Headers(), body }
      }
      await measure(`${name}, ${whose}, 90 days, ${days}`, 5, read)
      if (cluster) await measure(`${name}, ${whose}, 90 days, ${days}, cold`, 3, read, restart)
    }
  }
}

await (cluster ? seedPostgres(cluster.url('postgres'), { rows, payers }) : seedEmbedded(db, { rows, payers }))
await history()
// With more rows a sum exceeds the statement timeout of 5 s: analytics need the daily sums first.
if (rows <= 1_000_000) await analytics('from rows')
const started = performance.now()
while (await noteDay(db));
let rolled = 0
for (let days = await dirtyDays(db, 1_000); days.length > 0; days = await dirtyDays(db, 1_000, days.at(-1))) {
  for (const day of days) await rollDay(db, day)
  rolled += days.length
}
const seconds = (performance.now() - started) / 1_000
await db.$executeRaw`ANALYZE`
await analytics('from sums')
await screens('from sums')
await measure('analytics, biggest merchant, cached', 100, () => readers.merchantAnalytics(BIGGEST))
await measure('analytics, all owners, cached', 100, () => readers.adminAnalytics('?days=90'))
const columns = ['what', 'calls', 'first ms', 'p50 ms', 'p95 ms'] as const
console.log(`${rows} rows, ${where}; ${rolled} days of tenants summed up in ${seconds.toFixed(1)} s\n`)
console.log(`| ${columns.join(' | ')} |\n| ${columns.map(() => '---').join(' | ')} |`)
for (const row of table) console.log(`| ${columns.map((column) => row[column]).join(' | ')} |`)
await app.close()
await cluster?.remove()
await rm(folder, { recursive: true })
