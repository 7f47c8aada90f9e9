import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newDelivery } from '../../test/support/database/webhooks'
import { dataOf, merchant, type ProcedureAnswer, pagesOf } from '../../test/support/service/dashboard'
import { newOwner, startReading, tenantOf } from '../../test/support/service/history'
import { isSignedWith, type Receiver, startReceiver } from '../../test/support/service/webhook-receiver'
import { until } from '../../test/support/until'
import type { RunningApp } from '../boot/app'
import { resendUndelivered } from './deliveries'
import { exampleMessage } from './example'

let harness: { app: RunningApp; close: () => Promise<void> }
let receiver: Receiver
beforeAll(async () => {
  harness = await startReading()
  receiver = await startReceiver()
})
afterAll(async () => {
  await harness.close()
  await receiver.close()
})

type Endpoint = {
  id: string
  url: string
  events: string[]
  keys: string[]
  disabledAt: string | null
  graceUntil: string | null
  secret?: string
}
type Delivery = {
  id: string
  endpoint: string
  event: string
  state: string
  tries: number
  settlement: string | null
  said: object | null
  removed: boolean
}
type Page = { deliveries: Delivery[]; cursor: string | null }

const SETTLED = ['payment.settled']

function someone(id = newOwner()) {
  const { query, mutate } = pagesOf(harness.app, merchant(id))
  const data = async <T>(answer: Promise<ProcedureAnswer>) => dataOf<T>(await answer)
  return {
    id,
    query,
    mutate,
    create: (input: object = {}) => data<Endpoint>(mutate('webhooks.create', { url: receiver.url, events: SETTLED, ...input })),
    list: () => data<{ most: number; endpoints: Endpoint[] }>(query('webhooks.list')),
    deliveries: (input: object = {}) => data<Page>(query('webhooks.deliveries', input)),
    delivery: (id: string) => data<Delivery & { body: string | null; attempts: object[] }>(query('webhooks.delivery', { id })),
  }
}

const NOT_FOUND = { status: 404, code: 'NOT_FOUND' }

describe('a webhook', () => {
  test('shows its secret in the response that creates it and nowhere else, and the database cannot reveal it', async () => {
    const alice = someone()
    const { secret = '', id, ...made } = await alice.create()
    expect(secret).toMatch(/^whsec_/)
    expect(made).toMatchObject({ url: receiver.url, events: SETTLED, keys: [], disabledAt: null, graceUntil: null })
    const { endpoints, most } = await alice.list()
    expect([endpoints.map((one) => one.id), most]).toEqual([[id], 10])
    expect(JSON.stringify(endpoints)).not.toContain(secret)
    const [row] = await harness.app.db.$queryRaw<
      { row: string }[]
    >`SELECT w::text AS "row" FROM "WebhookEndpoint" w WHERE "id" = ${id}::uuid`
    expect(row?.row).not.toContain(secret)
    expect(row?.row).not.toContain(Buffer.from(secret).toString('hex'))
  })

  test('is changed, switched off and on, and deleted', async () => {
    const alice = someone()
    const keys = [await tenantOf(harness.app.db, alice.id)]
    const { id } = await alice.create()
    const change = async (changes: object) => dataOf<Endpoint>(await alice.mutate('webhooks.configure', { id, ...changes }))
    const other = { url: `${receiver.url}/2`, events: ['payment.failed', 'payment.reversed'], keys }
    expect(await change(other)).toMatchObject(other)
    expect(await change({ enabled: false })).toMatchObject({ ...other, disabledAt: expect.any(String) })
    expect(await change({ enabled: true, keys: [] })).toMatchObject({ ...other, keys: [], disabledAt: null })
    expect((await alice.mutate('webhooks.remove', { id })).status).toBe(200)
    expect((await alice.list()).endpoints).toEqual([])
    expect(await alice.mutate('webhooks.remove', { id })).toMatchObject(NOT_FOUND)
  })

  test('gets a new secret, beside which the earlier one signs for a day', async () => {
    const alice = someone()
    const { id, secret = '' } = await alice.create()
    const rotated = dataOf<Endpoint>(await alice.mutate('webhooks.rotate', { id }))
    expect(rotated.secret).not.toBe(secret)
    expect(Date.parse(rotated.graceUntil ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000)
    receiver.received.length = 0
    await alice.mutate('webhooks.test', { id })
    await until(() => receiver.received.length > 0, 'the test to arrive')
    const [received] = receiver.received
    for (const one of [secret, rotated.secret ?? '']) expect(received && (await isSignedWith(one, received))).toBe(true)
  })

  test('is one of ten', async () => {
    const alice = someone()
    const made = await Promise.all(
      Array.from({ length: 12 }, () => alice.mutate('webhooks.create', { url: receiver.url, events: SETTLED })),
    )
    expect(made.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(made.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      message: expect.stringContaining('10 webhooks'),
    })
  })

  test.each([
    [{ url: 'ftp://merchant.com' }, 400],
    [{ url: 'merchant.com/hook' }, 400],
    [{ events: [] }, 400],
    [{ events: ['payment.refunded'] }, 400],
    [{ keys: [randomUUID()] }, 404],
  ])('is not made with %j', async (wrong, status) => {
    const told = await someone().mutate('webhooks.create', { url: receiver.url, events: SETTLED, ...wrong })
    expect(told).toMatchObject({ status })
  })
})

test.each([
  ['https://8.8.8.8', false],
  ['https://pay.merchant.com', false],
  ['http://192.168.0.7:3000', true],
])('a service at %s sends to private hosts: %s', async (baseUrl, allowed) => {
  const { app, close } = await startReading({ BASE_URL: baseUrl })
  onTestFinished(close)
  expect(app.config.privateHosts).toBe(allowed)
})

describe("another's", () => {
  test('webhooks, deliveries and keys are not there', async () => {
    const [alice, eve] = [someone(), someone()]
    const { id } = await alice.create()
    const delivery = await newDelivery(harness.app.db, id, alice.id, { state: 'delivered' })
    for (const [procedure, input] of [
      ['configure', { id, enabled: false }],
      ['rotate', { id }],
      ['remove', { id }],
      ['test', { id }],
      ['resend', { id: delivery }],
      ['create', { url: receiver.url, events: SETTLED, keys: [await tenantOf(harness.app.db, alice.id)] }],
    ] as const) {
      expect([procedure, await eve.mutate(`webhooks.${procedure}`, input)]).toMatchObject([procedure, NOT_FOUND])
    }
    expect(await eve.query('webhooks.delivery', { id: delivery })).toMatchObject(NOT_FOUND)
    expect((await eve.deliveries({ endpoint: id })).deliveries).toEqual([])
    await harness.app.db.webhookDelivery.update({
      where: { id: delivery },
      data: { state: 'failed', failures: 1, endedAt: new Date() },
    })
    const since = new Date(0).toISOString()
    expect(await eve.query('webhooks.failing', {})).toMatchObject({ data: { deliveries: [], count: 0 } })
    expect(await eve.query('webhooks.undelivered', { since, endpoint: id })).toMatchObject({ data: { count: 0 } })
    expect(await eve.mutate('webhooks.resendAll', { since, endpoint: id, cursor: null })).toMatchObject({ data: { resent: 0 } })
    expect((await alice.list()).endpoints).toMatchObject([{ id, disabledAt: null }])
  })
})

describe('deliveries', () => {
  test('are listed newest first, page by page, and by what narrows them', async () => {
    const alice = someone()
    const [one, two] = [await alice.create(), await alice.create()]
    const ids = []
    for (let at = 0; at < 5; at++) {
      const data = {
        ...(at === 0 ? { state: 'failed', body: exampleMessage().body } : { state: 'delivered' }),
        id: `0190000${at}-0000-7000-8000-${alice.id.slice(-4).padStart(12, '0').replace(/\D/g, '0')}`,
      }
      ids.unshift(await newDelivery(harness.app.db, at < 3 ? one.id : two.id, alice.id, data))
    }
    const first = await alice.deliveries({ limit: 3 })
    const second = await alice.deliveries({ limit: 3, cursor: first.cursor })
    expect([first, second].map(({ deliveries }) => deliveries.map(({ id }) => id))).toEqual([ids.slice(0, 3), ids.slice(3)])
    expect(second.cursor).toBeNull()
    const said = second.deliveries.map((row) => row.said)
    expect(said).toMatchObject([null, { kind: 'payment', amount: '1000', resource: 'https://merchant.example/weather' }])
    const counted = async (filter: object) => (await alice.deliveries(filter)).deliveries.length
    expect(await counted({ endpoint: one.id })).toBe(3)
    expect(await counted({ state: 'failed' })).toBe(1)
    expect(await counted({ state: 'delivered', endpoint: two.id })).toBe(2)
    expect(await counted({ event: 'payment.failed' })).toBe(0)
    expect(await counted({ settlement: first.deliveries[0]?.settlement })).toBe(1)
  })

  test('are sent again under their id, with every try in the log', async () => {
    const alice = someone()
    const { id: endpoint, secret = '' } = await alice.create()
    const id = await newDelivery(harness.app.db, endpoint, alice.id)
    const heard = (times: number) =>
      until(
        async () => (await alice.delivery(id)).attempts.length === times && (await alice.delivery(id)).state === 'delivered',
        `try ${times}`,
      )
    await heard(1)
    receiver.received.length = 0
    expect((await alice.mutate('webhooks.resend', { id })).status).toBe(200)
    await heard(2)
    const [received] = receiver.received
    expect(received?.headers['webhook-id']).toBe(id)
    expect(received && (await isSignedWith(secret, received))).toBe(true)
    expect(await alice.delivery(id)).toMatchObject({
      body: received?.body,
      attempts: [
        { no: 2, status: 200 },
        { no: 1, status: 200 },
      ],
    })
  })

  test('are sent now while they are retried, and keep the rest of their retries', async () => {
    const alice = someone()
    const { id: endpoint } = await alice.create()
    const [nextAt, end] = [new Date(Date.now() + 3_600_000), new Date(Date.now() + 7_200_000)]
    const id = await newDelivery(harness.app.db, endpoint, alice.id, { tries: 4, failures: 4, nextAt, until: end })
    await harness.app.db.webhookAttempt.create({ data: { deliveryId: id, no: 4, status: 503, milliseconds: 5 } })
    receiver.answer(() => ({ status: 500, body: 'still "down", Bearer abc.def' }))
    expect(await alice.mutate('webhooks.resend', { id })).toMatchObject({ status: 200, data: { resent: 'earlier' } })
    await until(async () => (await alice.delivery(id)).attempts.length === 2, 'the try')
    receiver.answer(() => ({ status: 200 }))
    expect(await alice.delivery(id)).toMatchObject({
      state: 'pending',
      attempts: [{ no: 5, status: 500, answer: 'still "down", <secret>' }, { no: 4 }],
    })
    // The pause after the fourth failure, as before.
    const row = await harness.app.db.webhookDelivery.findUniqueOrThrow({ where: { id } })
    expect([row.failures, row.until]).toEqual([4, end])
    expect(row.nextAt.getTime() - Date.now()).toBeLessThan(5_000 * 3 ** 3 * 1.25)
  })

  test('are not sent twice while a try is in flight', async () => {
    const alice = someone()
    const { id: endpoint } = await alice.create()
    const lease = new Date(Date.now() + 30_000)
    const id = await newDelivery(harness.app.db, endpoint, alice.id, { tries: 1, nextAt: lease })
    expect(await alice.mutate('webhooks.resend', { id })).toMatchObject({ status: 200, data: { resent: 'in flight' } })
    expect((await harness.app.db.webhookDelivery.findUniqueOrThrow({ where: { id } })).nextAt).toEqual(lease)
  })

  test('are all sent again from a given time on, and the merchant sees which ones fail', async () => {
    const alice = someone()
    const { id: endpoint } = await alice.create()
    const data = { state: 'failed', tries: 3, failures: 3, lastStatus: 500, endedAt: new Date() }
    const ids = await Promise.all([1, 2, 3].map(() => newDelivery(harness.app.db, endpoint, alice.id, { id: uuidv7(), ...data })))
    const failing = async () => dataOf<{ deliveries: Delivery[]; count: number }>(await alice.query('webhooks.failing', {}))
    expect(await failing()).toMatchObject({ count: 3 })
    const since = new Date(Date.now() - 60_000).toISOString()
    expect(dataOf(await alice.query('webhooks.undelivered', { since }))).toEqual({ count: 3 })
    expect(dataOf(await alice.query('webhooks.undelivered', { since: new Date().toISOString() }))).toEqual({ count: 0 })
    receiver.received.length = 0
    const answer = await alice.mutate('webhooks.resendAll', { since, cursor: null })
    expect(dataOf(answer)).toEqual({ resent: 3, cursor: null })
    await until(async () => (await alice.deliveries({ state: 'delivered' })).deliveries.length === 3, 'the messages')
    expect(receiver.received.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(ids.toSorted())
    expect(await failing()).toEqual({ deliveries: [], count: 0 })
    const day = (await alice.list()).endpoints.map((one) => Reflect.get(one, 'hours'))
    expect(day).toEqual([[{ hour: expect.stringMatching(/:00:00\.000Z$/), good: 3, bad: 0 }]])
  })

  test('can all be sent again at most 20 times an hour', async () => {
    const alice = someone()
    const { id: endpoint } = await alice.create()
    receiver.answer(() => ({ status: 500 }))
    const owner = { kind: 'oidc', id: alice.id } as const
    const app = { ...harness.app, rateLimit: async () => {} }
    const resendOne = async () => {
      await newDelivery(harness.app.db, endpoint, alice.id, { id: uuidv7(), state: 'failed', tries: 3, lastStatus: 500 })
      return resendUndelivered(app, { owner }, { since: new Date(Date.now() - 60_000), cursor: null })
    }
    for (let call = 0; call < 20; call++) expect((await resendOne()).resent).toBeGreaterThan(0)
    await expect(resendOne()).rejects.toMatchObject({ refusal: 'too_many', message: expect.stringContaining('2,000 messages') })
    receiver.answer(() => ({ status: 200 }))
  })

  test.each([
    [{ state: 'delivered', kept: false, body: null }, 'history is off'],
    [{ state: 'failed', tries: 100 }, '100 times'],
  ])('are not sent again when they are %j', async (data, words) => {
    const alice = someone()
    const { id: endpoint } = await alice.create()
    const id = await newDelivery(harness.app.db, endpoint, alice.id, data)
    expect(await alice.mutate('webhooks.resend', { id })).toMatchObject({ status: 409, message: expect.stringContaining(words) })
  })

  test('of a deleted webhook stay in the log, and are not sent again; nor is a test to a disabled one', async () => {
    const alice = someone()
    const [one, two] = [await alice.create(), await alice.create()]
    const id = await newDelivery(harness.app.db, one.id, alice.id, { state: 'failed' })
    await alice.mutate('webhooks.remove', { id: one.id })
    await alice.mutate('webhooks.configure', { id: two.id, enabled: false })
    expect((await alice.deliveries()).deliveries).toMatchObject([{ id, removed: true }])
    const off = { status: 409, message: expect.stringContaining('disabled') }
    expect(await alice.mutate('webhooks.resend', { id })).toMatchObject(off)
    expect(await alice.mutate('webhooks.test', { id: two.id })).toMatchObject(off)
  })
})

test('a public service accepts https only, at public hosts only', async () => {
  const open = await startReading({ BASE_URL: 'https://pay.quittance.dev' })
  try {
    const alice = pagesOf(open.app, merchant('alice'))
    const create = (url: string) => alice.mutate('webhooks.create', { url, events: SETTLED })
    expect(await create(receiver.url)).toMatchObject({ status: 400, message: 'url must begin with https://' })
    expect(await create('https://10.0.0.1/hook')).toMatchObject({ status: 400 })
    expect((await create('https://merchant.com/hook')).status).toBe(200)
  } finally {
    await open.close()
  }
})
