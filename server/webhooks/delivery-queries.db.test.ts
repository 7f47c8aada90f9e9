import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { newDelivery, newEndpoint } from '../../test/support/database/webhooks'
import { fixture } from '../../test/support/fixture'
import { newOwner } from '../../test/support/service/history'
import {
  beginAgain,
  beginAllAgain,
  countResendable,
  listDeliveries,
  listFailing,
  pruneDeliveries,
  pruneHours,
  readHealth,
  tallyDeliveries,
} from './delivery-queries'
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
    day: { ended: 2, delivered: 1, median: 102, p95: 104 },
    hours: [],
  })
  expect(health.find(({ id }) => id === quiet.id)).toEqual({
    id: quiet.id,
    failures: 0,
    last: null,
    day: { ended: 0, delivered: 0, median: null, p95: null },
    hours: [],
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

test('the tries of an endpoint are counted in their hour, and forgotten after two days', async () => {
  const { db } = database
  const ownerId = newOwner()
  const endpoint = await newEndpoint(db, new Uint8Array(32), { url: 'https://merchant.com/hook', ownerId })
  const attempt = (status: number) => ({ no: 1, status, error: null, answer: null, milliseconds: 5 })
  const pauses = { oursMs: 5_000, politeMs: 5_000 }
  for (const status of [200, 500, 204, 503, 200]) {
    const id = await newDelivery(db, endpoint.id, ownerId, { tries: 1 })
    if (status < 300) await recordDelivered(db, id, attempt(status))
    else await recordUndelivered(db, id, attempt(status), pauses)
    // A result that comes twice counts once.
    if (status === 200) await recordDelivered(db, id, attempt(status))
  }
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000)
  const hoursAgo = (hours: number) => new Date(hour.getTime() - hours * 3_600_000)
  await db.webhookHour.createMany({
    data: [22, 25, 49].map((hours) => ({ endpointId: endpoint.id, hour: hoursAgo(hours), good: hours })),
  })
  const [health] = await readHealth(db, { kind: 'oidc', id: ownerId })
  const counts = health?.hours.map(({ hour: at, ...tries }) => ({ at: new Date(at).getTime(), ...tries }))
  // The hour may have begun anew since the first try.
  const [oldest, ...newest] = counts ?? []
  expect(oldest).toEqual({ at: hoursAgo(22).getTime(), good: 22, bad: 0 })
  const sum = (of: 'good' | 'bad') => newest.reduce((total, tries) => total + tries[of], 0)
  expect([sum('good'), sum('bad')]).toEqual([3, 2])
  expect(await pruneHours(db, 100)).toBe(1)
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const soon = () => new Date(Date.now() + 3_600_000)

/** Deliveries of an owner at these minutes ago, with ids of their time. */
async function made(ownerId: string, rows: readonly ({ minutes: number } & Parameters<typeof newDelivery>[3])[]) {
  const { db } = database
  const endpoint = await newEndpoint(db, new Uint8Array(32), { url: 'https://merchant.com/hook', ownerId })
  const ids: string[] = []
  for (const { minutes, ...data } of rows) {
    const createdAt = minutesAgo(minutes)
    ids.push(await newDelivery(db, endpoint.id, ownerId, { id: uuidv7({ msecs: createdAt.getTime() }), createdAt, ...data }))
  }
  return { endpointId: endpoint.id, ids }
}

test('what is failing comes first: retries that failed, and failures of a day, but nothing that was delivered or never tried', async () => {
  const owner = { kind: 'oidc', id: newOwner() } as const
  const { ids } = await made(owner.id, [
    { minutes: 1, tries: 1, nextAt: soon() },
    { minutes: 2, tries: 1, failures: 1, lastStatus: 500, nextAt: soon() },
    { minutes: 3, tries: 12, failures: 12, state: 'failed', lastError: 'no answer', endedAt: minutesAgo(5) },
    { minutes: 4, tries: 1, state: 'delivered', lastStatus: 200, endedAt: minutesAgo(4) },
    // Sent again by hand after it was delivered.
    { minutes: 5, tries: 1, lastStatus: 200 },
    // Its webhook was disabled before a try.
    { minutes: 6, state: 'failed', lastError: 'the endpoint was switched off', endedAt: minutesAgo(6) },
    { minutes: 2_000, tries: 12, failures: 12, state: 'failed', lastStatus: 500, endedAt: minutesAgo(1_500) },
  ])
  const { deliveries, count } = await listFailing(database.db, owner, 1)
  expect([deliveries.map(({ id }) => id), count]).toEqual([[ids[1]], 2])
  const undelivered = await listDeliveries(database.db, owner, { state: 'undelivered' }, { limit: 9, cursor: null })
  expect(undelivered.map(({ id }) => id)).toEqual([ids[0], ids[1], ids[2], ids[4], ids[5], ids[6]])
})

test('all that was not delivered since a time begins again, page by page, and nothing else', async () => {
  const { db } = database
  const owner = { kind: 'oidc', id: newOwner() } as const
  const failed = { tries: 12, failures: 12, state: 'failed', lastStatus: 500, endedAt: minutesAgo(1) }
  const { ids } = await made(owner.id, [
    { minutes: 10, ...failed },
    { minutes: 11, tries: 3, failures: 3, lastStatus: 500, nextAt: soon() },
    { minutes: 12, ...failed },
    // Not these: being sent, due, delivered, a test, without payload, too many tries, too old.
    { minutes: 13, tries: 1, nextAt: soon() },
    { minutes: 14, tries: 1, failures: 1, lastStatus: 500 },
    { minutes: 15, tries: 1, state: 'delivered', lastStatus: 200 },
    { minutes: 16, ...failed, type: 'webhook.test', settlementId: null },
    { minutes: 17, ...failed, body: null },
    { minutes: 18, ...failed, tries: 100 },
    { minutes: 70, ...failed },
  ])
  for (const [at, no] of [
    [1, 3],
    [4, 1],
  ] as const) {
    await db.webhookAttempt.create({ data: { deliveryId: ids[at] ?? '', no, status: 500, milliseconds: 5 } })
  }
  const which = { since: minutesAgo(60) }
  expect(await countResendable(db, owner, which, 100)).toBe(3)
  const page = { most: 100, limit: 2 }
  const first = await db.transaction((within) => beginAllAgain(within, owner, which, { ...page, cursor: null }))
  expect(first).toEqual({ begun: 2, last: ids[1] })
  const second = await db.transaction((within) => beginAllAgain(within, owner, which, { ...page, cursor: first.last }))
  expect(second).toEqual({ begun: 1, last: ids[2] })
  expect(await countResendable(db, owner, which, 100)).toBe(0)
  const rows = await db.webhookDelivery.findMany({ where: { ownerId: owner.id }, orderBy: { createdAt: 'desc' } })
  expect(rows.slice(0, 3).map(({ state, failures, endedAt }) => [state, failures, endedAt])).toEqual([
    ['pending', 0, null],
    ['pending', 2, null],
    ['pending', 0, null],
  ])
  expect(rows.slice(3).map(({ state }) => state)).toEqual([
    'pending',
    'pending',
    'delivered',
    'failed',
    'failed',
    'failed',
    'failed',
  ])
})

test('a resend of all leaves out disabled webhooks, those of others and those that were not chosen', async () => {
  const { db } = database
  const owner = { kind: 'oidc', id: newOwner() } as const
  const failed = { minutes: 1, tries: 12, failures: 12, state: 'failed', lastStatus: 500 }
  const [one, other] = [await made(owner.id, [failed]), await made(owner.id, [failed, failed])]
  await made(newOwner(), [failed])
  const since = minutesAgo(60)
  expect(await countResendable(db, owner, { since }, 100)).toBe(3)
  expect(await countResendable(db, owner, { since, endpointId: one.endpointId }, 100)).toBe(1)
  await db.webhookEndpoint.update({ where: { id: other.endpointId }, data: { disabledAt: new Date() } })
  expect(await countResendable(db, owner, { since }, 100)).toBe(1)
})

test('a tally counts the deliveries of a filter by their state, of the newest ones that it reads', async () => {
  const { db } = database
  const ownerId = newOwner()
  const endpoint = () => newEndpoint(db, new Uint8Array(32), { url: 'https://merchant.com/hook', ownerId })
  const [one, other] = [await endpoint(), await endpoint()]
  const settlementId = randomUUID()
  for (const [at, { to, ...data }] of [
    { to: one, state: 'failed' },
    { to: one, state: 'delivered' },
    { to: one, state: 'delivered', type: 'payment.failed' },
    { to: other, state: 'pending', settlementId },
    { to: other, state: 'delivered' },
  ].entries())
    await newDelivery(db, to.id, ownerId, { ...data, id: `019a0000-0000-7000-8000-0000000001${at}0` })
  await newDelivery(db, (await newEndpoint(db, new Uint8Array(32), { url: 'https://b.com', ownerId: 'b' })).id, 'b')
  const owner = { kind: 'oidc', id: ownerId } as const
  const countsOf = async (filter: Parameters<typeof tallyDeliveries>[2], most?: number) => {
    const { counts, more } = await tallyDeliveries(db, owner, filter, most)
    return [counts.pending, counts.delivered, counts.failed, more]
  }
  expect(await countsOf({})).toEqual([1, 3, 1, false])
  expect(await countsOf({ endpointId: one.id })).toEqual([0, 2, 1, false])
  expect(await countsOf({ state: 'undelivered' })).toEqual([1, 0, 1, false])
  expect(await countsOf({ state: 'delivered', type: 'payment.failed' })).toEqual([0, 1, 0, false])
  expect(await countsOf({ settlementId })).toEqual([1, 0, 0, false])
  expect(await countsOf({}, 2)).toEqual([1, 1, 0, true])
  expect(await countsOf({}, 5)).toEqual([1, 3, 1, false])
  expect(await countsOf({ endpointId: randomUUID() })).toEqual([0, 0, 0, false])
})
