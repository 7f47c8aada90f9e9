// History pages and analytics over many rows, at the handlers, on PostgreSQL with durable commits or on the embedded database:
// `node --import tsx bench/reading.ts [rows] [postgres | embedded]`
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { dirtyDays, noteDay, rollDay } from '../server/analytics/rollup-queries'
import { createApp } from '../server/boot/app'
import { readEnv } from '../server/env'
import { scopeOf } from '../server/history/history'
import { listPage, listSettlements } from '../server/history/rows'
import { createLog } from '../server/log'
import { pageOf, readersOf } from '../test/history'
import { startCluster } from '../test/postgres'
import type { Answer } from '../test/surface'

const rows = Number(process.argv[2] ?? 10_000)
const where = process.argv[3] === 'embedded' ? 'embedded' : 'postgres'
const CHUNK = 2_000
const DAYS = 190
const TENANTS = 50
const KEY = 'the-admin-key-of-the-tests-0123456789'
/** Has more than a quarter of all rows; nine others share the rest. */
const BIGGEST = 'owner 0'
/** The resource and network of its oldest settlements: a reader of its history reaches them last. */
const RARE = { resource: 'https://shop.test/rare', network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', count: 20 }

const cluster = where === 'postgres' ? await startCluster({ durable: true }) : null
const folder = await mkdtemp(path.join(tmpdir(), 'quittance-bench-'))
const database: Record<string, string> = cluster ? { DATABASE_URL: cluster.url('postgres') } : { DATA_DIR: folder }
const log = createLog('silent')
const app = await createApp(readEnv({ NODE_ENV: 'test', ADMIN_KEY: KEY, ...database }), log)
const { db } = app
const readers = readersOf(app)

/** Seeds half a year of settlements: one owner is much larger than the others, and one in twenty failed. */
async function seed(): Promise<void> {
  await db.$executeRaw`ALTER TABLE "History" DISABLE TRIGGER USER`
  await db.$executeRaw`INSERT INTO "Owner" ("kind", "id") SELECT 'oidc', 'owner ' || n FROM generate_series(0, 9) n`
  await db.$executeRaw`
    INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan") SELECT md5('tenant ' || n)::uuid, 'oidc', 'owner ' || n % 10, 'scale' FROM generate_series(0, ${TENANTS - 1}::int) n`
  for (let from = 1; from <= rows; from += CHUNK) {
    await db.$executeRaw`
      INSERT INTO "History" ("id", "createdAt", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount", "success", "txHash", "errorReason")
      SELECT gen_random_uuid(), date_trunc('day', now()) - n::float8 / ${rows}::float8 * ${DAYS}::int * interval '1 day', 'oidc', 'owner ' || t % 10, md5('tenant ' || t)::uuid,
        '0x' || lpad(to_hex((n::bigint * 7919) % 20011), 40, '0'), '0x209693bc6afc0c5328ba36faf03c514ef312287c',
        CASE WHEN n > ${rows - RARE.count}::int THEN ${RARE.network} WHEN n % 10 = 0 THEN 'eip155:84532' ELSE 'eip155:8453' END,
        CASE WHEN n > ${rows - RARE.count}::int THEN ${RARE.resource} ELSE 'https://shop.test/' || t || '/' || n % 37 END, 'scale', 1000 + n % 5000, n % 20 <> 0,
        '0x' || md5('a' || n) || md5('b' || n), CASE WHEN n % 20 = 0 THEN 'insufficient_funds' END
      FROM (SELECT n, CASE WHEN n % 5 = 0 THEN 0 ELSE n % ${TENANTS}::int END AS t FROM generate_series(${from}::int, ${Math.min(rows, from + CHUNK - 1)}::int) n) numbered`
  }
  await db.$executeRaw`ALTER TABLE "History" ENABLE TRIGGER USER`
  await db.$executeRaw`UPDATE "RollupCursor" SET "day" = (now() AT TIME ZONE 'UTC')::date - ${DAYS + 1}::int`
  await db.$executeRaw`ANALYZE`
}

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

const forget = () => db.$executeRaw`DELETE FROM "AnalyticsMemo"`

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
    return { status: 200, headers: new Headers(), body: await listSettlements(app, 'merchant', scopeOf.merchant(BIGGEST), page) }
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
  await measure(`analytics, biggest merchant, 30 days, ${days}`, 10, () => readers.merchantAnalytics(BIGGEST), forget)
  await measure(`analytics, biggest merchant, 90 days, ${days}`, 10, () => readers.merchantAnalytics(BIGGEST, '?days=90'), forget)
  await measure(`analytics, all owners, 90 days, ${days}`, 3, () => readers.adminAnalytics('?days=90'), forget)
}

await seed()
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
await measure('analytics, biggest merchant, cached', 100, () => readers.merchantAnalytics(BIGGEST))
await measure('analytics, all owners, cached', 100, () => readers.adminAnalytics('?days=90'))
const columns = ['what', 'calls', 'first ms', 'p50 ms', 'p95 ms'] as const
console.log(`${rows} rows, ${where}; ${rolled} days of tenants summed up in ${seconds.toFixed(1)} s\n`)
console.log(`| ${columns.join(' | ')} |\n| ${columns.map(() => '---').join(' | ')} |`)
for (const row of table) console.log(`| ${columns.map((column) => row[column]).join(' | ')} |`)
await app.close()
await cluster?.remove()
await rm(folder, { recursive: true })
