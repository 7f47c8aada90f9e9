import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { newDelivery, newEndpoint } from '../../test/support/database/webhooks'
import { fixture } from '../../test/support/fixture'
import { newOwner } from '../../test/support/service/history'
import { pruneDeliveries, readHealth } from './delivery-queries'
import { pruneEndpoints, removeEndpoint } from './endpoint-queries'

const database = fixture(freshDatabase)

test('a delivery is deleted after 30 days with its tries, and then the endpoint that was removed', async () => {
  const { db } = database
  const ownerId = newOwner()
  const [gone, kept] = await Promise.all(
    [1, 2].map(() => newEndpoint(db, new Uint8Array(32), { url: 'https://merchant.com/hook', ownerId })),
  )
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
  const [old, young] = await Promise.all(
    [gone, kept].map((endpoint, at) =>
      newDelivery(db, endpoint?.id ?? '', ownerId, { state: 'delivered', createdAt: daysAgo(at === 0 ? 31 : 29) }),
    ),
  )
  await db.webhookAttempt.create({ data: { deliveryId: old ?? '', no: 1, status: 200, milliseconds: 5 } })
  expect(await removeEndpoint(db, { kind: 'oidc', id: ownerId }, gone?.id ?? '')).toBe(true)
  await db.webhookEndpoint.update({ where: { id: gone?.id ?? '' }, data: { removedAt: daysAgo(1) } })
  // The log outlives the endpoint.
  expect(await pruneEndpoints(db, 100)).toBe(0)
  expect(await pruneDeliveries(db, 100)).toBe(1)
  expect(await pruneEndpoints(db, 100)).toBe(1)
  expect(await db.webhookAttempt.count()).toBe(0)
  expect(await db.webhookDelivery.findMany({ select: { id: true } })).toEqual([{ id: young }])
  expect(await db.webhookEndpoint.findMany({ select: { id: true } })).toEqual([{ id: kept?.id }])
})

test('the health of an endpoint is its newest delivery, and those that failed in a day or are failing', async () => {
  const { db } = database
  const ownerId = newOwner()
  const endpoint = () => newEndpoint(db, new Uint8Array(32), { url: 'https://merchant.com/hook', ownerId })
  const [busy, quiet] = [await endpoint(), await endpoint()]
  const ended = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  for (const [at, data] of [
    { state: 'failed', failures: 12, endedAt: ended(30) },
    { state: 'failed', failures: 12, endedAt: ended(2) },
    // Ended without a try, because the endpoint was switched off.
    { state: 'failed', failures: 0, endedAt: ended(2) },
    { state: 'pending', failures: 1 },
    { state: 'delivered', lastStatus: 204, endedAt: ended(0) },
  ].entries()) {
    const deliveryId = await newDelivery(db, busy.id, ownerId, {
      ...data,
      tries: 1,
      id: `019a0000-0000-7000-8000-00000000000${at}`,
    })
    await db.webhookAttempt.create({ data: { deliveryId, no: 1, status: at === 3 ? null : 204, milliseconds: 100 + at } })
  }
  const health = await readHealth(db, { kind: 'oidc', id: ownerId })
  expect(health.find(({ id }) => id === busy.id)).toMatchObject({
    failures: 2,
    last: { state: 'delivered', status: 204 },
    day: { ended: 3, delivered: 1, p95: 104 },
  })
  expect(health.find(({ id }) => id === quiet.id)).toEqual({
    id: quiet.id,
    failures: 0,
    last: null,
    day: { ended: 0, delivered: 0, p95: null },
  })
  expect(await readHealth(db, { kind: 'oidc', id: newOwner() })).toEqual([])
})
