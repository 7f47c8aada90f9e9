import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { newDelivery, newEndpoint } from '../../test/support/database/webhooks'
import { fixture } from '../../test/support/fixture'
import { newOwner } from '../../test/support/service/history'
import { beginAgain, pruneDeliveries, readHealth } from './delivery-queries'
import { pruneEndpoints, removeEndpoint } from './endpoint-queries'
import { ANSWERS_MAX, recordDelivered, recordUndelivered, takeDeliveries } from './queue-queries'

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
  await db.webhookAnswer.create({
    data: { deliveryId: old ?? '', no: 1, ownerKind: 'oidc', ownerId, good: true, text: 'ok' },
  })
  expect(await removeEndpoint(db, { kind: 'oidc', id: ownerId }, gone?.id ?? '')).toBe(true)
  await db.webhookEndpoint.update({ where: { id: gone?.id ?? '' }, data: { removedAt: daysAgo(1) } })
  // The log outlives the endpoint.
  expect(await pruneEndpoints(db, 100)).toBe(0)
  expect(await pruneDeliveries(db, 100)).toBe(1)
  expect(await pruneEndpoints(db, 100)).toBe(1)
  expect([await db.webhookAttempt.count(), await db.webhookAnswer.count()]).toEqual([0, 0])
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

test('a delivery that is begun again at the same moment by several is taken once, and not while it is in flight', async () => {
  const { db } = database
  const ownerId = newOwner()
  const owner = { kind: 'oidc', id: ownerId } as const
  const endpoint = await newEndpoint(db, new Uint8Array(32), { url: 'https://merchant.com/hook', ownerId })
  const later = new Date(Date.now() + 3_600_000)
  const id = await newDelivery(db, endpoint.id, ownerId, { tries: 2, failures: 2, nextAt: later })
  await db.webhookAttempt.create({ data: { deliveryId: id, no: 2, status: 500, milliseconds: 5 } })
  const begin = () => beginAgain(db, owner, { id, type: 'payment.settled' }, 100)
  const take = async () => (await takeDeliveries(db, { limit: 9, inHand: [], leaseMs: 60_000 })).filter((one) => one.id === id)
  expect(await Promise.all([begin(), begin(), begin()])).toContain(true)
  const taken = await Promise.all([take(), take(), take()])
  expect(taken.flat().map(({ no }) => no)).toEqual([3])
  expect(await begin()).toBe(false)
  expect(await take()).toEqual([])
})

test('an owner has a bounded number of answers, the newest, and good ones do not push out the others', async () => {
  const { db } = database
  const ownerId = newOwner()
  const endpoint = await newEndpoint(db, new Uint8Array(32), { url: 'https://merchant.com/hook', ownerId })
  const record = async (status: number, answer: string) => {
    const id = await newDelivery(db, endpoint.id, ownerId, { tries: 1 })
    const attempt = { no: 1, status, error: null, answer, milliseconds: 5 }
    if (status === 200) await recordDelivered(db, id, attempt)
    else await recordUndelivered(db, id, attempt, { oursMs: 5_000, politeMs: 5_000 })
  }
  await record(500, 'the failure')
  const earlier = Array.from({ length: ANSWERS_MAX }, (_, at) => ({ id: randomUUID(), at: new Date(Date.now() - 60_000 - at) }))
  const common = { endpointId: endpoint.id, ownerKind: 'oidc', ownerId, type: 'payment.settled', state: 'delivered' }
  await db.webhookDelivery.createMany({ data: earlier.map(({ id, at }) => ({ ...common, id, until: at })) })
  const tries = earlier.map(({ id }) => ({ deliveryId: id, no: 1, status: 200, milliseconds: 5 }))
  await db.webhookAttempt.createMany({ data: tries })
  const answers = earlier.map(({ id, at }) => ({ deliveryId: id, no: 1, ownerKind: 'oidc', ownerId, good: true, text: 'ok', at }))
  await db.webhookAnswer.createMany({ data: answers })
  for (const no of [1, 2, 3]) await record(200, `ok ${no}`)
  const kept = await db.webhookAnswer.findMany({ where: { ownerId }, orderBy: { at: 'asc' }, select: { text: true, good: true } })
  expect(kept.filter(({ good }) => good)).toHaveLength(ANSWERS_MAX)
  expect([kept.find(({ good }) => !good)?.text, kept.at(-1)?.text]).toEqual(['the failure', 'ok 3'])
})
