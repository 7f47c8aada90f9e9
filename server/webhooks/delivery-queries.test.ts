import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/database'
import { fixture } from '../../test/fixture'
import { newOwner } from '../../test/history'
import { newDelivery, newEndpoint } from '../../test/webhooks'
import { pruneDeliveries } from './delivery-queries'
import { pruneEndpoints, removeEndpoint } from './endpoint-queries'

const database = fixture(freshDatabase)

test('a delivery is deleted after 30 days with its tries, and then the endpoint that was removed', async () => {
  const { db } = database
  const ownerId = newOwner()
  const [gone, kept] = await Promise.all(
    [1, 2].map(() => newEndpoint(db, new Uint8Array(32), { url: 'https://merchant.com/hook', ownerId })),
  )
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
  const [old, young] = [gone, kept].map((endpoint, at) =>
    newDelivery(db, endpoint?.id ?? '', ownerId, { state: 'delivered', createdAt: daysAgo(at === 0 ? 31 : 29) }),
  )
  await db.webhookAttempt.create({ data: { deliveryId: (await old) ?? '', no: 1, status: 200, milliseconds: 5 } })
  expect(await removeEndpoint(db, { kind: 'oidc', id: ownerId }, gone?.id ?? '')).toBe(true)
  await db.webhookEndpoint.update({ where: { id: gone?.id ?? '' }, data: { removedAt: daysAgo(1) } })
  // The log outlives the endpoint.
  expect(await pruneEndpoints(db, 100)).toBe(0)
  expect(await pruneDeliveries(db, 100)).toBe(1)
  expect(await pruneEndpoints(db, 100)).toBe(1)
  expect(await db.webhookAttempt.count()).toBe(0)
  expect(await db.webhookDelivery.findMany({ select: { id: true } })).toEqual([{ id: await young }])
  expect(await db.webhookEndpoint.findMany({ select: { id: true } })).toEqual([{ id: kept?.id }])
})
