import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { fixture } from '../../../test/support/fixture'
import { newOwner, newRow, tenantOf } from '../../../test/support/service/history'
import { ofSubject } from '../../accounts/tenant-queries'
import { DAY_MS } from '../../base/durations'
import { createCoalesce, createRecent } from '../../sums/coalesce'
import { faultsOf } from './faults'

const database = fixture(freshDatabase)

test("a merchant's faults are of its own payments of the last day in an environment", async () => {
  const { db } = database
  const [ownerId, stranger] = [newOwner(), newOwner()]
  const row = async (owner: string, fields: Partial<ReturnType<typeof newRow>> = {}) =>
    newRow({ ownerId: owner, tenantId: await tenantOf(db, owner), ...fields })
  const failed = { success: false, errorReason: 'settlement_reversed' }
  await db.history.createMany({
    data: [
      await row(ownerId),
      await row(ownerId, failed),
      await row(ownerId, { success: false, errorReason: 'insufficient_funds' }),
      await row(ownerId, { ...failed, network: 'eip155:84532' }),
      await row(ownerId, { ...failed, createdAt: new Date(Date.now() - 2 * DAY_MS) }),
      await row(stranger, failed),
    ],
  })
  const app = { sums: db, counting: createCoalesce(), recent: createRecent(), now: () => new Date() }
  expect(await faultsOf(app, ofSubject(ownerId), 'mainnet', 'test')).toMatchObject({
    valid: 2,
    failed: { facilitator: 0, chain: 1 },
    reasons: ['settlement_reversed'],
  })
})
