import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { DAY_MS } from '../../test/support/database/naive-analytics'
import { fixture } from '../../test/support/fixture'
import { newRow, tenantOf } from '../../test/support/service/history'
import { ofSubject } from '../accounts/tenant-queries'
import { createCoalesce } from '../sums/coalesce'
import { analytics, merchantScope } from './analytics'
import { readAnalyticsState, saveMemo } from './queries'

const coalesce = createCoalesce()
const database = fixture(freshDatabase)
const yesterday = Date.now() - DAY_MS

test('a repeated request is cached until its data changes', async () => {
  const tenantId = await tenantOf(database.db, 'cached')
  const other = await tenantOf(database.db, 'another')
  const row = newRow({ tenantId, ownerId: 'cached', createdAt: new Date(yesterday) })
  await database.db.history.create({ data: row })
  const scope = merchantScope(ofSubject('cached'), 'test')
  const total = async () =>
    (await analytics({ db: database.db, sums: database.db, coalesce }, scope, 7)).summary.total_settlements
  expect(await total()).toBe(1)
  // A change without a mark shows that the cache was used; a normal change invalidates it.
  await database.db.$executeRaw`ALTER TABLE "History" DISABLE TRIGGER USER`
  await database.db.history.create({ data: { ...row, id: uuidv7() } })
  await database.db.$executeRaw`ALTER TABLE "History" ENABLE TRIGGER USER`
  expect(await total()).toBe(1)
  await database.db.tenant.update({ where: { id: other }, data: { historyEnabled: false } })
  expect(await total()).toBe(1)
  await database.db.tenant.update({ where: { id: tenantId }, data: { historyEnabled: false } })
  expect(await total()).toBe(0)
  await database.db.tenant.update({ where: { id: tenantId }, data: { historyEnabled: true } })
  expect(await total()).toBe(2)
})

test('a reader has a bounded number of cached answers of a day, and those are still refreshed', async () => {
  const scope = JSON.stringify({ owner: 'bounded' })
  const keep = async (network: string, answer: object) => {
    const key = { scope, days: 7, network }
    await saveMemo(database.db, key, await readAnalyticsState(database.db, 'owner:oidc:bounded', key), answer, 3)
  }
  for (const network of ['a', 'b', 'c', 'd', 'e']) await keep(network, { first: true })
  await keep('b', { first: false })
  const kept = await database.db.analyticsMemo.findMany({ where: { scope }, orderBy: { network: 'asc' } })
  expect(kept.map(({ network, answer }) => [network, answer])).toEqual([
    ['a', { first: true }],
    ['b', { first: false }],
    ['c', { first: true }],
  ])
})
