import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { newOwner, newRow, tenantOf } from '../../test/support/service/history'
import { adminScope, analytics } from '../analytics/analytics'
import { DAY_MS } from '../base/durations'
import { migrate } from '../db/migrate'
import { sql } from '../db/sql'
import { createCoalesce, createRecent } from './coalesce'
import { forgetPayers, numberPayers, storePayers } from './payer-set-queries'
import { noteDay, rollDay } from './rollup-queries'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const dayOf = (daysAgo: number) => new Date((Math.floor(Date.now() / DAY_MS) - daysAgo) * DAY_MS)
const dateOf = (daysAgo: number) => dayOf(daysAgo).toISOString().slice(0, 10)
const crowd = (from: number, until: number) => Array.from({ length: until - from }, (_, n) => `payer-${from + n}`)
const partsOf = (db: FreshDatabase['db']) => ({ db, sums: db, coalesce: createCoalesce(), recent: createRecent() })

async function payersOf({ db }: FreshDatabase, tenantId: string): Promise<(number | null)[]> {
  const { summary } = await analytics(partsOf(db), adminScope({ tenantId }, 'test'), 7)
  return [summary.unique_payers, summary.prev_unique_payers]
}

test('payers of earlier versions keep counting, also those of days that cannot be summed again', async () => {
  const { url, db } = database
  const migrations = await mkdtemp(path.join(tmpdir(), 'quittance-before-'))
  onTestFinished(() => rm(migrations, { recursive: true }))
  await cp(fileURLToPath(new URL('../../prisma/migrations', import.meta.url)), migrations, { recursive: true })
  const later = (await readdir(migrations)).filter((name) => name >= '20261123120000_payer_sets' && name < 'a')
  for (const name of later) await rm(path.join(migrations, name), { recursive: true })
  await db.execute`DROP SCHEMA public CASCADE`
  await db.execute`CREATE SCHEMA public`
  await migrate(url, migrations)

  // The typed client knows columns that this database does not have yet.
  const [tenantId, ownerId] = [crypto.randomUUID(), newOwner()]
  await db.execute`INSERT INTO "Owner" ("kind", "id") VALUES ('oidc', ${ownerId})`
  await db.execute`INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan") VALUES (${tenantId}::uuid, 'oidc', ${ownerId}, 'growth')`
  const paid = async (daysAgo: number, network: string, payers: string[]) => {
    const its = sql`${tenantId}::uuid, ${dateOf(daysAgo)}::date`
    await db.execute`INSERT INTO "RollupDay" ("tenantId", "day", "state", "pruned") VALUES (${its}, 'rolled', true) ON CONFLICT DO NOTHING`
    await db.execute`
      INSERT INTO "RollupFact" ("tenantId", "day", "no", "network", "resource", "payTo", "errorReason", "count", "volume")
      SELECT ${its}, count(*) + 1, ${network}, '', 'x', '', 1, 1 FROM "RollupFact"`
    await db.execute`
      INSERT INTO "RollupPayer" ("tenantId", "day", "network", "payer") SELECT ${its}, ${network}, unnest(${payers}::text[])`
  }
  await paid(1, 'eip155:8453', crowd(0, 50))
  await paid(1, 'eip155:84532', crowd(48, 60))
  await paid(7, 'eip155:8453', crowd(59, 70))
  await paid(8, 'eip155:8453', crowd(0, 3))
  expect((await migrate(url))[0]).toBe('20261123120000_payer_sets')
  expect([await db.rollupPayerBits.count(), await db.rollupPayerList.count()]).toEqual([1, 3])
  expect(await payersOf(database, tenantId)).toEqual([70, 3])
})

test('a payer counts once, however its days, parts, networks and keys store it', async () => {
  const { db } = database
  const ownerId = newOwner()
  const keys = [await tenantOf(db, ownerId), await tenantOf(db, ownerId)]
  await db.execute`UPDATE "RollupCursor" SET "day" = ${dateOf(20)}::date`
  for (const [at, tenantId] of keys.entries()) {
    // Base has a bitmap, Base Sepolia a list, and the last day only rows.
    const rows = [
      ...crowd(at * 20, at * 20 + 40).map((payer) => ({ payer, createdAt: dayOf(2) })),
      ...crowd(at * 20 + 38, at * 20 + 45).map((payer) => ({ payer, createdAt: dayOf(3), network: 'eip155:84532' })),
    ]
    await db.history.createMany({ data: rows.map((row) => newRow({ ...row, tenantId, ownerId })) })
  }
  while (await noteDay(db));
  for (const tenantId of keys) {
    for (const daysAgo of [2, 3]) await rollDay(db, { tenantId, day: dateOf(daysAgo) }, 100)
  }
  const late = crowd(62, 70).map((payer) => newRow({ payer, createdAt: dayOf(1), tenantId: keys[0] ?? '', ownerId }))
  await db.history.createMany({ data: late })
  const { summary } = await analytics(partsOf(db), adminScope({ owner: { kinds: ['oidc'], id: ownerId } }, 'test'), 7)
  expect(summary.unique_payers).toBe(70)
})

test('a payer has one number, also when several rollups number it at once', async () => {
  const { db } = database
  const tenantId = await tenantOf(db, newOwner())
  const mine = crowd(1_000, 1_050)
  await db.history.createMany({ data: mine.map((payer) => newRow({ payer, tenantId, ownerId: 'x', createdAt: dayOf(30) })) })
  const rows = sql`"History" h WHERE h."tenantId" = ${tenantId}::uuid`
  await Promise.all(Array.from({ length: 4 }, () => numberPayers(db, rows)))
  await numberPayers(db, rows)
  expect(await db.payerNumber.count({ where: { payer: { in: mine } } })).toBe(50)
  const day = { tenantId, day: dateOf(30) }
  for (const part of [0, 1]) await storePayers(db, rows, { ...day, part })
  expect(await db.rollupPayerBits.count({ where: { tenantId } })).toBeGreaterThan(0)
  await forgetPayers(db, day)
  expect(await db.rollupPayerBits.count({ where: { tenantId } })).toBe(0)
})
