import { describe, expect, onTestFinished, test } from 'vitest'
import { newDelivery, newEndpoint } from '../../test/support/database/webhooks'
import { newOwner } from '../../test/support/service/history'
import { isSignedWith, startReceiver } from '../../test/support/service/webhook-receiver'
import { webhookWorkers } from '../../test/support/service/webhook-worker'
import { until } from '../../test/support/until'
import { createSendWebhook } from './receiver'
import { pauseMs } from './retries'

const { database, key, start, aDelivery, rowOf, stateOf, tried, wait } = webhookWorkers()

describe('a delivery', () => {
  test('arrives signed, under its id, and is marked', async () => {
    const { id, receiver } = await aDelivery()
    const [before] = [Math.floor(Date.now() / 1_000)]
    start()
    await until(async () => (await stateOf(id)) === 'delivered', 'it to be delivered')
    const [received] = receiver.received
    expect(receiver.received).toHaveLength(1)
    expect(received?.body).toBe('{"type":"payment.settled"}')
    expect(received?.headers['webhook-id']).toBe(id)
    const sentAt = Number.parseInt(received?.headers['webhook-timestamp'] ?? '', 10)
    expect(sentAt - before).toBeGreaterThanOrEqual(0)
    expect(received && (await isSignedWith(receiver.endpoint.secret, received))).toBe(true)
    expect(await rowOf(id)).toMatchObject({
      lastStatus: 200,
      lastError: null,
      tries: 1,
      failures: 0,
      endedAt: expect.any(Date),
      attempts: [{ no: 1, status: 200, error: null }],
    })
  })

  test('that fails is retried later, under the same id, until it is delivered', async () => {
    const { id, receiver } = await aDelivery()
    const answers = [500, 302, 404, 202]
    receiver.answer((_received, no) => ({ status: answers[no - 1] ?? 0 }))
    start()
    for (const times of [1, 2, 3]) {
      await tried(id, times)
      const { state, nextAt, failures } = await rowOf(id)
      expect([state, failures]).toEqual(['pending', times])
      expect(nextAt.getTime()).toBeGreaterThan(Date.now())
      await wait(id)
    }
    await until(async () => (await stateOf(id)) === 'delivered', 'its delivery')
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]))
    expect((await rowOf(id)).attempts.map(({ status }) => status)).toEqual(answers)
  })

  test.each([429, 503])('waits as long as a %i requests, and never shorter than without it', async (status) => {
    const { id, receiver } = await aDelivery()
    const asked = ['600', new Date(Date.now() + 1_200_000).toUTCString(), '1', 'soon']
    receiver.answer((_received, no) => ({ status, headers: { 'retry-after': asked[no - 1] ?? '' } }))
    start()
    const pauses: number[] = []
    for (const times of [1, 2, 3, 4]) {
      await tried(id, times)
      const { nextAt, attempts } = await rowOf(id)
      pauses.push(nextAt.getTime() - (attempts.at(-1)?.at.getTime() ?? 0))
      await wait(id)
    }
    const [inSeconds, byDate, tooSoon, unreadable] = pauses
    expect(inSeconds).toBe(600_000)
    // Of twenty minutes some have passed on a busy machine; without it the pause is 19 seconds at most.
    expect(byDate).toBeGreaterThan(60_000)
    expect(byDate).toBeLessThanOrEqual(1_200_000)
    expect(tooSoon).toBeGreaterThanOrEqual(33_750)
    expect(unreadable).toBeGreaterThanOrEqual(101_250)
  })

  test('with an excessive Retry-After is tried at its deadline at the latest, and then ends', async () => {
    const end = new Date(Date.now() + 1_800_000)
    const { id, receiver } = await aDelivery({ until: end })
    receiver.answer(() => ({ status: 503, headers: { 'retry-after': '86400' } }))
    start()
    await tried(id, 1)
    expect(await rowOf(id)).toMatchObject({ state: 'pending', nextAt: end })
    await database.db.webhookDelivery.update({ where: { id }, data: { nextAt: new Date(), until: new Date() } })
    await until(async () => (await stateOf(id)) === 'failed', 'it to be over')
    expect(receiver.received).toHaveLength(2)
  })

  test('that fails for a day ends', async () => {
    const { id, receiver } = await aDelivery({ failures: 12, tries: 12, until: new Date(Date.now() + 60_000) })
    receiver.answer(() => ({ status: 503 }))
    start()
    await until(async () => (await stateOf(id)) === 'failed', 'it to be over')
    expect(await rowOf(id)).toMatchObject({ tries: 13, lastStatus: 503, endedAt: expect.any(Date), body: expect.any(String) })
  })

  test('with a 410 disables its endpoint, and ends its other pending deliveries', async () => {
    const { id, receiver, ownerId } = await aDelivery()
    const { endpoint } = receiver
    const later = await newDelivery(database.db, endpoint.id, ownerId, { nextAt: new Date(Date.now() + 3_600_000) })
    receiver.answer(() => ({ status: 410 }))
    start()
    await until(async () => (await stateOf(id)) === 'failed', 'it to be over')
    const { disabledAt, gone } = await database.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } })
    expect([disabledAt, gone]).toEqual([expect.any(Date), true])
    expect(await rowOf(later)).toMatchObject({ state: 'failed', tries: 0, lastError: 'the endpoint was switched off' })
    // One that was being written at that moment is not sent either.
    const late = await newDelivery(database.db, endpoint.id, ownerId)
    await until(async () => (await stateOf(late)) === 'failed', 'that one to be over, too')
    expect(receiver.received).toHaveLength(1)
  })

  test('with a 410 from an earlier URL is sent to the new one', async () => {
    const { id, receiver } = await aDelivery()
    const moved = await startReceiver()
    onTestFinished(() => moved.close())
    const { endpoint } = receiver
    const post = createSendWebhook({ privateHosts: true })
    receiver.answer(() => ({ status: 410 }))
    start({
      post: async (...message) => {
        const reply = await post(...message)
        await database.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { url: moved.url } })
        return reply
      },
    })
    await tried(id, 1)
    expect(await stateOf(id)).toBe('pending')
    await wait(id)
    await until(async () => (await stateOf(id)) === 'delivered', 'it to be delivered')
    expect(moved.received.map(({ headers }) => headers['webhook-id'])).toEqual([id])
    expect((await database.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } })).gone).toBe(false)
  })

  test('to a receiver that never answers times out, and delays no other', async () => {
    const { receiver: silent, ownerId, id } = await aDelivery()
    silent.answer(() => 'nothing')
    for (let more = 0; more < 40; more++) await newDelivery(database.db, silent.endpoint.id, ownerId)
    const { id: other, receiver } = await aDelivery()
    const post = createSendWebhook({ privateHosts: true }, { timeoutMs: 1_500 })
    let [open, most] = [0, 0]
    start({
      async post(...message) {
        if (message[0] !== silent.url) return post(...message)
        most = Math.max(most, ++open)
        return post(...message).finally(() => open--)
      },
    })
    await until(async () => (await stateOf(other)) === 'delivered', 'the other one to be delivered')
    expect(receiver.received).toHaveLength(1)
    // It has its share of the deliveries in flight, and no more.
    expect(most).toBeLessThanOrEqual(4)
    await tried(id, 1)
    expect((await rowOf(id)).attempts).toMatchObject([{ status: null, error: 'no answer within 2 seconds' }])
  })

  test('to many receivers of one owner that never answer delays no other owner', async () => {
    const ownerId = newOwner()
    const silent = await startReceiver()
    onTestFinished(() => silent.close())
    silent.answer(() => 'nothing')
    const ids = []
    for (let at = 0; at < 10; at++) {
      const { id } = await newEndpoint(database.db, key, { url: silent.url, ownerId })
      for (let more = 0; more < 5; more++) ids.push(await newDelivery(database.db, id, ownerId))
    }
    const { id: other } = await aDelivery()
    start({ post: createSendWebhook({ privateHosts: true }, { timeoutMs: 60_000 }) })
    await until(async () => (await stateOf(other)) === 'delivered', 'the other one to be delivered')
    // None of them has ended, and they have no more than their share.
    const tried = await database.db.webhookDelivery.aggregate({
      where: { id: { in: ids } },
      _sum: { tries: true, failures: true },
    })
    expect(tried._sum).toEqual({ tries: 8, failures: 0 })
    await silent.close()
  })

  test('of a key without history stores nothing after it ended', async () => {
    const [heard, unheard] = [
      await aDelivery({ kept: false }),
      await aDelivery({ kept: false, until: new Date(Date.now() + 1_000) }),
    ]
    unheard.receiver.answer(() => ({ status: 500 }))
    start()
    await until(async () => (await stateOf(heard.id)) === 'delivered' && (await stateOf(unheard.id)) === 'failed', 'both to end')
    for (const { id } of [heard, unheard]) expect(await rowOf(id)).toMatchObject({ body: null, settlementId: null })
    expect(await database.db.webhookAnswer.count({ where: { deliveryId: { in: [heard.id, unheard.id] } } })).toBe(0)
  })
})

describe('workers', () => {
  test('of two instances share the work', async () => {
    const { receiver, ownerId, id } = await aDelivery()
    const ids = [id]
    for (let more = 0; more < 30; more++) ids.push(await newDelivery(database.db, receiver.endpoint.id, ownerId))
    start()
    start()
    const pending = () => database.db.webhookDelivery.count({ where: { id: { in: ids }, state: 'pending' } })
    await until(async () => (await pending()) === 0, 'all to be delivered')
    expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids.sort())
  })

  test('send again what was sent and not recorded', async () => {
    const { id, receiver } = await aDelivery()
    const broken = {
      failpoint: (name: string) => {
        if (name === 'webhook answered') throw new Error('the database is down')
      },
    }
    const { webhookWorker, lines } = start(broken)
    await until(() => receiver.received.length === 1, 'it to be sent')
    await webhookWorker.stop()
    expect(lines.join()).toContain('the result of a webhook could not be recorded; it is sent again')
    expect(await stateOf(id)).toBe('pending')
    // The worker that took it is gone: no test waits for the lease.
    await wait(id)
    start()
    await until(async () => (await stateOf(id)) === 'delivered', 'it to be delivered')
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
  })

  test('free the leases of an earlier process on an exclusive database', async () => {
    const { id } = await aDelivery({ tries: 1, nextAt: new Date(Date.now() + 3_600_000) })
    start({ exclusive: true })
    await until(async () => (await stateOf(id)) === 'delivered', 'it to be delivered')
  })
})

test('pauses grow up to four hours, fill a day with a dozen tries, and are never the same for all', () => {
  const middle = (failures: number) => pauseMs(failures, () => 0.5)
  expect([1, 2, 3, 40].map(middle)).toEqual([5_000, 15_000, 45_000, 14_400_000])
  expect([pauseMs(3, () => 0), pauseMs(3, () => 1)]).toEqual([33_750, 56_250])
  const day = Array.from({ length: 13 }, (_, at) => middle(at + 1)).reduce((sum, pause) => sum + pause)
  expect(day).toBeGreaterThan(24 * 3_600_000)
})
