import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { newDelivery } from '../../test/support/database/webhooks'
import { fixture } from '../../test/support/fixture'
import { dataOf, merchant, pagesOf } from '../../test/support/service/dashboard'
import { newOwner, startReading } from '../../test/support/service/history'
import { inOneHour } from '../../test/support/service/rate-window'
import { startReceiver } from '../../test/support/service/webhook-receiver'
import { until } from '../../test/support/until'
import { ofSubject } from '../accounts/tenant-queries'
import { sendTest } from './deliveries'

const harness = fixture(startReading)
const receiver = fixture(startReceiver)

type Delivery = { state: string; nextAt: string | null; attempts: object[] }

/** A merchant with one webhook. */
function someone(id = newOwner()) {
  const { query, mutate } = pagesOf(harness.app, merchant(id))
  return {
    id,
    mutate,
    create: async () =>
      dataOf<{ id: string }>(await mutate('webhooks.create', { url: receiver.url, events: ['payment.settled'] })),
    deliveries: async () => dataOf<{ deliveries: object[] }>(await query('webhooks.deliveries')),
    delivery: async (id: string) => dataOf<Delivery>(await query('webhooks.delivery', { id })),
  }
}

test('tests are 50 an hour for an owner, sent again included, and the refusal says so', () =>
  inOneHour(async () => {
    const alice = someone()
    // Without the limit per second, so that only the one per hour refuses.
    const { mutate } = pagesOf({ ...harness.app, rateLimit: async () => {} }, merchant(alice.id))
    const { id } = await alice.create()
    const { delivery } = dataOf<{ delivery: string }>(await mutate('webhooks.test', { id }))
    const arrives = () => until(async () => (await alice.delivery(delivery)).state === 'delivered', 'the test to arrive')
    await arrives()
    const subject = `webhooks:oidc:${alice.id}`
    const counted = () => harness.app.db.tally.findFirst({ where: { subject }, select: { kind: true, count: true } })
    await harness.app.db.tally.updateMany({ where: { subject }, data: { count: 48 } })
    expect((await mutate('webhooks.test', { id })).status).toBe(200)
    expect((await mutate('webhooks.resend', { id: delivery })).status).toBe(200)
    // One that is in flight is not sent twice, and counts as nothing.
    await arrives()
    const words = expect.stringMatching(/^you have sent 50 tests this hour, which is the maximum; try again in \d+ minutes$/)
    for (const [procedure, of] of [
      ['test', id],
      ['resend', delivery],
    ])
      expect(await mutate(`webhooks.${procedure}`, { id: of })).toMatchObject({ status: 429, message: words })
    expect(await counted()).toEqual({ kind: 'webhook test', count: 50 })
    expect((await alice.deliveries()).deliveries).toHaveLength(2)
    // A message about a payment is no test.
    const payment = await newDelivery(harness.app.db, id, alice.id, { state: 'failed' })
    expect((await mutate('webhooks.resend', { id: payment })).status).toBe(200)
  }))

test('tests are 200 an hour for an address, and 1,600 for an IPv6 /48, of all merchants together', () =>
  inOneHour(async () => {
    const alice = someone()
    const { id } = await alice.create()
    const test = (ip: string) => sendTest(harness.app, { owner: ofSubject(alice.id), ip }, id)
    const setTo = (subject: string, count: number) => harness.app.db.tally.updateMany({ where: { subject }, data: { count } })
    await test('2001:db8:77:1::1')
    await setTo('webhooks:2001:db8:77:1::/64', 200)
    await expect(test('2001:db8:77:1::2')).rejects.toThrow('merchants at your address have sent 200 tests this hour')
    await test('2001:db8:77:2::1')
    await setTo('webhooks:2001:db8:77::/48', 1_600)
    await expect(test('2001:db8:77:3::1')).rejects.toThrow('merchants in your IPv6 /48 have sent 1600 tests this hour')
    await test('2001:db8:78:3::1')
  }))

test('a test is tried once: one that fails says so and is not retried', async () => {
  const alice = someone()
  const { id } = await alice.create()
  receiver.answer(() => ({ status: 500, headers: { 'retry-after': '60' } }))
  onTestFinished(() => receiver.answer(() => ({ status: 200 })))
  const { delivery } = dataOf<{ delivery: string }>(await alice.mutate('webhooks.test', { id }))
  await until(async () => (await alice.delivery(delivery)).state !== 'pending', 'the test to end')
  expect(await alice.delivery(delivery)).toMatchObject({ state: 'failed', attempts: [{ no: 1, status: 500 }], nextAt: null })
  expect((await alice.mutate('webhooks.resend', { id: delivery })).status).toBe(200)
  await until(async () => (await alice.delivery(delivery)).state !== 'pending', 'the second test to end')
  expect(await alice.delivery(delivery)).toMatchObject({ state: 'failed', attempts: [{ no: 2 }, { no: 1 }] })
})

test('a test does not wait behind a hundred deliveries', async () => {
  const alice = someone()
  const { id } = await alice.create()
  const later = { endpointId: id, ownerKind: 'oidc', ownerId: alice.id, type: 'payment.settled', body: '{}' }
  const [nextAt, until] = [new Date(Date.now() + 3_600_000), new Date(Date.now() + 7_200_000)]
  const rows = (count: number) => Array.from({ length: count }, () => ({ ...later, id: randomUUID(), nextAt, until }))
  await harness.app.db.webhookDelivery.createMany({ data: rows(99) })
  expect((await alice.mutate('webhooks.test', { id })).status).toBe(200)
  await harness.app.db.webhookDelivery.createMany({ data: rows(1) })
  const full = { status: 409, message: expect.stringContaining('100 deliveries to this webhook are pending') }
  expect(await alice.mutate('webhooks.test', { id })).toMatchObject(full)
})
