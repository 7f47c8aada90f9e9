import pg from 'pg'
import type { Db } from '../server/db/database'

/** What to seed: how many rows, by how many different payers. */
type Seeding = { rows: number; payers: number }

/** Half a year, and some days more than the longest window with its comparison. */
export const DAYS = 190
const TENANTS = 50
/** Has a fifth of all rows; the others share the rest. */
export const BIGGEST = 'owner 0'
/** The resource and network of its oldest settlements: a reader of its history reaches them last. */
export const RARE = { resource: 'https://shop.test/rare', network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', count: 20 }

type Run = (statement: string) => Promise<unknown>

/** Seeds PostgreSQL through a connection without time limits; indexes are made after the rows. */
export async function seedPostgres(url: string, seeding: Seeding): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`SET synchronous_commit = off; SET maintenance_work_mem = '1GB'`)
  const { rows: indexes } = await client.query<{ name: string; made: string }>(
    `SELECT format('DROP INDEX %I', indexname) AS "name", indexdef AS "made" FROM pg_indexes
     WHERE tablename = 'History' AND indexname <> 'History_pkey'`,
  )
  for (const { name } of indexes) await client.query(name)
  await client.query('ALTER TABLE "History" DROP CONSTRAINT "History_pkey"')
  await seed((statement) => client.query(statement), seeding, 250_000)
  await client.query('ALTER TABLE "History" ADD CONSTRAINT "History_pkey" PRIMARY KEY ("id")')
  for (const { made } of indexes) await client.query(made)
  await client.query('VACUUM ANALYZE')
  await client.end()
}

/** Seeds the embedded database, whose statements have a time limit. */
export async function seedEmbedded(db: Db, seeding: Seeding): Promise<void> {
  await seed((statement) => db.$executeRawUnsafe(statement), seeding, 2_000)
  await db.$executeRaw`ANALYZE`
}

// One owner is much larger than the others, and one in twenty failed.
async function seed(run: Run, { rows, payers }: Seeding, chunk: number): Promise<void> {
  await run(`ALTER TABLE "History" DISABLE TRIGGER USER`)
  await run(`INSERT INTO "Owner" ("kind", "id") SELECT 'oidc', 'owner ' || n FROM generate_series(0, 9) n`)
  await run(`
    INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan")
    SELECT md5('tenant ' || n)::uuid, 'oidc', 'owner ' || n % 10, 'scale' FROM generate_series(0, ${TENANTS - 1}) n`)
  for (let from = 1; from <= rows; from += chunk) {
    await run(`
      INSERT INTO "History" ("id", "createdAt", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount", "success", "txHash", "errorReason", "settleMs")
      SELECT gen_random_uuid(), date_trunc('day', now()) - n::float8 / ${rows} * ${DAYS} * interval '1 day', 'oidc', 'owner ' || t % 10, md5('tenant ' || t)::uuid,
        '0x' || lpad(to_hex((n::bigint * 7919) % ${payers}), 40, '0'), '0x209693bc6afc0c5328ba36faf03c514ef312287c',
        CASE WHEN n > ${rows - RARE.count} THEN '${RARE.network}' WHEN n % 10 = 0 THEN 'eip155:84532' ELSE 'eip155:8453' END,
        CASE WHEN n > ${rows - RARE.count} THEN '${RARE.resource}' ELSE 'https://shop.test/' || t || '/' || n % 37 END, 'scale', 1000 + n % 5000, n % 20 <> 0,
        '0x' || md5('a' || n) || md5('b' || n), CASE WHEN n % 20 = 0 THEN 'insufficient_funds' END,
        CASE WHEN n % 20 <> 0 THEN 300 + n % 2500 END
      FROM (SELECT n, CASE WHEN n % 5 = 0 THEN 0 ELSE n % ${TENANTS} END AS t FROM generate_series(${from}, ${Math.min(rows, from + chunk - 1)}) n) numbered`)
  }
  await run(`ALTER TABLE "History" ENABLE TRIGGER USER`)
  await run(`UPDATE "RollupCursor" SET "day" = (now() AT TIME ZONE 'UTC')::date - ${DAYS + 1}`)
}
