import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { newDelivery, newEndpoint } from '../../test/support/database/webhooks'
import { newOwner } from '../../test/support/service/history'
import { takeDeliveries } from './queue-queries'

test('the order of owners does not depend on how much waits for others, and for how long', async () => {
  const { db, close } = await freshDatabase()
  const endpoint = async () => {
    const ownerId = newOwner()
    return { ownerId, endpointId: (await newEndpoint(db, randomBytes(32), { url: 'https://merchant.com/', ownerId })).id }
  }
  const crowd = await Promise.all(Array.from({ length: 4 }, endpoint))
  const waits = (minutes: number) => ({ nextAt: new Date(Date.now() - minutes * 60_000), until: new Date(Date.now() + 60_000) })
  const common = { ownerKind: 'oidc', type: 'payment.settled', body: '{}', ...waits(9) }
  const rows = crowd.flatMap((of) => Array.from({ length: 300 }, () => ({ ...common, ...of, id: randomUUID() })))
  await db.webhookDelivery.createMany({ data: rows })
  const late = await endpoint()
  const id = await newDelivery(db, late.endpointId, late.ownerId, waits(1))
  const take = (inHand: typeof crowd, limit = 32) => takeDeliveries(db, { limit, inHand, leaseMs: 60_000 })
  expect((await take(crowd, 1)).map((taken) => taken.id)).toEqual([id])
  // No owner has more than a share of an endpoint, deliveries in flight included.
  const taken = await take([...crowd, ...crowd, ...crowd])
  expect(taken.map(({ ownerId }) => ownerId).toSorted()).toEqual(crowd.map(({ ownerId }) => ownerId).toSorted())
  await close()
})
