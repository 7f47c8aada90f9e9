import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { newRow, tenantOf } from '../../test/support/service/history'
import { ofSubject } from '../accounts/tenant-queries'
import { DAY_MS } from '../base/durations'
import { createCoalesce, createRecent } from '../sums/coalesce'
import { analytics, merchantScope } from './analytics'

const [coalesce, recent] = [createCoalesce(), createRecent()]
const database = fixture(freshDatabase)
const yesterday = Date.now() - DAY_MS

test('a repeated request is cached until its data changes', async () => {
  const tenantId = await tenantOf(database.db, 'cached')
  const other = await tenantOf(database.db, 'another')
  const row = newRow({ tenantId, ownerId: 'cached', createdAt: new Date(yesterday) })
  await database.db.history.create({ data: row })
  const scope = merchantScope(ofSubject('cached'), 'test')
  const total = async () =>
    (await analytics({ db: database.db, sums: database.db, coalesce, recent }, scope, 7)).summary.total_settlements
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
