import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, expect, test } from 'vitest'
import { list, newEntry } from '../../test/support/database/catalog'
import { freshDatabase } from '../../test/support/database/database'
import { newEndpoint } from '../../test/support/database/webhooks'
import { fixture } from '../../test/support/fixture'
import { testLog } from '../../test/support/logs'
import { newRow, tenantOf } from '../../test/support/service/history'
import { isSignedWith, startReceiver } from '../../test/support/service/webhook-receiver'
import { until } from '../../test/support/until'
import { DAY_MS } from '../base/durations'
import type { Loop } from '../base/loop'
import { type QuotaUse, raiseAlert } from './alert-queries'
import { failureAlerts, type LowSigner, quotaAlerts, startAlerts } from './alerts'
import { mintSecret } from './messages'
import { createSendWebhook } from './receiver'
import { startWebhookWorker } from './worker'

const database = fixture(freshDatabase)
const receiver = fixture(startReceiver)
const key = randomBytes(32)

const running: Loop[] = []
afterEach(async () => {
  for (const loop of running.splice(0)) await loop.stop()
})

/** Starts the alerts and the worker that sends them, as two instances would. */
function startAll({
  operator = null,
  low = [],
}: {
  operator?: { url: string; secret: string } | null
  low?: LowSigner[]
} = {}): void {
  const { db } = database
  const log = testLog()
  for (const _ of ['one instance', 'another']) {
    running.push(startAlerts({ db, key, operator, lowSigners: async () => low, log, everyMs: 50 }))
  }
  // The operator's receiver is private here, also where those of merchants must be public.
  const post = createSendWebhook({ privateHosts: operator === null })
  const postToOperator = createSendWebhook({ privateHosts: true })
  running.push(startWebhookWorker({ db, post, postToOperator, key, exclusive: false, failpoint: () => {}, log, pollMs: 20 }))
}

const bodiesOf = (path: string) =>
  receiver.received.filter((one) => one.path === `/hook${path}`).map(({ body }) => JSON.parse(body))

test('an owner hears once that a quota is used to 80 %, by one of several instances', async () => {
  const { db } = database
  const tenantId = await tenantOf(db, 'alerts-quota')
  await db.tenant.update({ where: { id: tenantId }, data: { ownQuota: false } })
  const { plan } = await db.tenant.findUniqueOrThrow({ where: { id: tenantId }, select: { plan: true } })
  await newEndpoint(db, key, { url: `${receiver.url}/quota`, ownerId: 'alerts-quota', events: ['alert.quota'] })
  await newEndpoint(db, key, { url: `${receiver.url}/payments`, ownerId: 'alerts-quota', events: ['payment.settled'] })
  const subject = `owner:oidc:alerts-quota:${plan}`
  const period = new Date().toISOString().slice(0, 7)
  await db.usage.create({ data: { subject, meter: 'settlement', period, used: 800_000 } })
  startAll()
  await until(async () => bodiesOf('/quota').length > 0, 'the alert')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(bodiesOf('/quota')).toEqual([
    expect.objectContaining({ type: 'alert.quota', data: expect.objectContaining({ used: 800_000, period, plan }) }),
  ])
  expect(bodiesOf('/payments')).toEqual([])
})

test('an owner hears that a quarter of the payments of an hour failed, with the most frequent reason', async () => {
  const { db } = database
  const [tenantId, ownerId] = [await tenantOf(db, 'alerts-failures'), 'alerts-failures']
  await newEndpoint(db, key, { url: `${receiver.url}/failures`, ownerId, events: ['alert.failure_rate'] })
  const rows = Array.from({ length: 20 }, (_, at) => ({
    ...newRow({ tenantId, ownerId }),
    ...(at < 5 ? { success: false, errorReason: 'insufficient_funds' } : {}),
  }))
  await db.history.createMany({ data: rows })
  startAll()
  await until(async () => bodiesOf('/failures').length > 0, 'the alert')
  expect(bodiesOf('/failures')[0]).toMatchObject({
    type: 'alert.failure_rate',
    data: { window_seconds: 3_600, total: 20, failed: 5, most_frequent_reason: 'insufficient_funds' },
  })
})

test('a wallet hears that under a tenth of its credits is left, and again when none is, once for each purchase', async () => {
  const { db } = database
  const [low, plenty] = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222']
  for (const ownerId of [low, plenty]) {
    const path = ownerId === low ? 'low' : 'plenty'
    await newEndpoint(db, key, { url: `${receiver.url}/${path}`, ownerKind: 'wallet', ownerId, events: ['alert.credits'] })
  }
  const account = { environment: 'mainnet', purchased: 1_000 }
  await db.creditAccount.createMany({
    data: [
      { ...account, wallet: low, used: 901 },
      { ...account, wallet: plenty, used: 900 },
      { wallet: low, environment: 'testnet', purchased: 0 },
    ],
  })
  startAll()
  const heard = (count: number) => until(async () => bodiesOf('/low').length === count, `alert ${count}`)
  await heard(1)
  const data = { wallet: low, environment: 'mainnet', credits_remaining: 99, credits_purchased: 1_000 }
  expect(bodiesOf('/low')[0]).toMatchObject({ type: 'alert.credits', data })
  const use = (to: object) => db.creditAccount.updateMany({ where: { wallet: low, environment: 'mainnet' }, data: to })
  await use({ used: 1_000 })
  await heard(2)
  expect(bodiesOf('/low')[1]).toMatchObject({ data: { ...data, credits_remaining: 0 } })
  await use({ purchased: 1_100 })
  await heard(3)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([bodiesOf('/low').length, bodiesOf('/plenty')]).toEqual([3, []])
})

test('the operator hears of a signer without gas at a private host, signed with the secret of the environment', async () => {
  const secret = mintSecret()
  const low = [{ network: 'eip155:8453', address: '0x1111', balance: 12n, runwayDays: 0, topUp: 400n }]
  startAll({ operator: { url: `${receiver.url}/operator`, secret }, low })
  await until(async () => bodiesOf('/operator').length > 0, 'the alert')
  const { type, data } = bodiesOf('/operator')[0]
  expect(type).toBe('alert.signer_gas')
  expect(data).toEqual({ network: 'eip155:8453', address: '0x1111', balance: '12', runway_days: 0, top_up: '400' })
  const [received] = receiver.received.filter(({ path }) => path === '/hook/operator')
  expect(received && (await isSignedWith(secret, received))).toBe(true)
})

test('an alert is raised once for its subject and period, also at the same time', async () => {
  const alert = {
    kind: 'alert.quota',
    subject: 'twice',
    period: 'now',
    owner: { ownerKind: 'oidc', ownerId: 'twice' },
    body: '{}',
  } as const
  const raised = await Promise.all([1, 2, 3, 4].map(() => raiseAlert(database.db, alert)))
  expect(raised.filter(Boolean)).toHaveLength(1)
  expect(await raiseAlert(database.db, { ...alert, period: 'later' })).toBe(true)
})

const use: QuotaUse = {
  ownerKind: 'oidc',
  ownerId: 'a',
  subject: 's',
  tenantId: null,
  plan: 'free',
  settlementQuota: null,
  used: 0,
  period: '2026-11',
}
const NOW = new Date('2026-11-23T12:00:00Z')

test.each([
  [799, []],
  [800, ['s 80']],
  [1_000, ['s 100']],
])('%i of 1,000 units raise %j', (used, subjects) => {
  expect(quotaAlerts({ ...use, used }, NOW).map(({ subject }) => subject)).toEqual(subjects)
})

test("a quota of a key's own counts by its own limit, and prepaid credits have none", () => {
  expect(quotaAlerts({ ...use, used: 8, settlementQuota: 10 }, NOW)).toHaveLength(1)
  expect(quotaAlerts({ ...use, used: 8, plan: 'agent' }, NOW)).toEqual([])
})

test.each([
  [19, 19, 0],
  [20, 4, 0],
  [20, 5, 1],
])('of %i payments, %i failures raise %i alerts', (total, failed, count) => {
  expect(failureAlerts({ ownerKind: 'oidc', ownerId: 'a', total, failed, reason: null }, NOW)).toHaveLength(count)
})

test('an owner hears that a listing appears, changes in text or price, and is about to expire: each once', async () => {
  const { db } = database
  const tenantId = await tenantOf(db, 'alerts-listings')
  const events = ['listing.listed', 'listing.changed', 'listing.expiring']
  await newEndpoint(db, key, { url: `${receiver.url}/listings`, ownerId: 'alerts-listings', events })
  const entry = newEntry({ owner: `tenant:${tenantId}` })
  await list(db, entry)
  startAll()
  const heard = (count: number) => until(async () => bodiesOf('/listings').length === count, `message ${count}`)
  await heard(1)
  const data = { resource: entry.url, environment: 'testnet', tenant_id: tenantId, listed_until: expect.any(String) }
  expect(bodiesOf('/listings')[0]).toMatchObject({ type: 'listing.listed', data })
  await list(db, entry)
  await list(db, { ...entry, digest: 'second', description: 'Another thing' })
  await heard(2)
  await list(db, { ...entry, digest: 'second', accept: { ...entry.accept, requirements: { maxAmountRequired: '7' } } })
  await heard(3)
  expect(bodiesOf('/listings').slice(1)).toMatchObject([
    { type: 'listing.changed', data },
    { type: 'listing.changed', data },
  ])
  await db.resource.updateMany({ where: { url: entry.url }, data: { lastSeen: new Date(Date.now() - 84 * DAY_MS) } })
  await heard(4)
  expect(bodiesOf('/listings')[3]).toMatchObject({ type: 'listing.expiring', data })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(bodiesOf('/listings')).toHaveLength(4)
})

test('an owner hears that another account took its listing, once, and not that another of its keys did', async () => {
  const { db } = database
  const ownerId = 'alerts-taken'
  const [free, other] = [await tenantOf(db, ownerId), await tenantOf(db, ownerId)]
  await newEndpoint(db, key, { url: `${receiver.url}/taken`, ownerId, events: ['listing.taken'] })
  const mine = newEntry({ owner: `tenant:${free}`, class: 'free' })
  const own = newEntry({ owner: `tenant:${free}`, class: 'free' })
  for (const entry of [mine, own]) await list(db, entry)
  await list(db, { ...own, id: uuidv7(), owner: `tenant:${other}`, class: 'production' })
  await list(db, { ...mine, id: uuidv7(), owner: `tenant:${await tenantOf(db, 'alerts-taker')}`, class: 'production' })
  startAll()
  await until(async () => bodiesOf('/taken').length === 1, 'the message')
  const data = { resource: mine.url, environment: 'testnet', tenant_id: free, listed_until: expect.any(String) }
  expect(bodiesOf('/taken')).toMatchObject([{ type: 'listing.taken', data }])
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(bodiesOf('/taken')).toHaveLength(1)
})

test('an endpoint that is limited to keys hears of the listings and the quota of no other key', async () => {
  const { db } = database
  const ownerId = 'alerts-keys'
  const [mine, other] = [await tenantOf(db, ownerId), await tenantOf(db, ownerId)]
  const events = ['listing.listed', 'alert.quota']
  await newEndpoint(db, key, { url: `${receiver.url}/one-key`, ownerId, events, tenantIds: [mine] })
  await newEndpoint(db, key, { url: `${receiver.url}/all-keys`, ownerId, events })
  for (const tenantId of [mine, other]) {
    await list(db, newEntry({ owner: `tenant:${tenantId}` }))
    const period = new Date().toISOString().slice(0, 7)
    await db.tenant.update({ where: { id: tenantId }, data: { ownQuota: true, settlementQuota: 10 } })
    await db.usage.create({ data: { subject: `tenant:${tenantId}`, meter: 'settlement', period, used: 9 } })
  }
  startAll()
  await until(async () => bodiesOf('/all-keys').length === 4 && bodiesOf('/one-key').length >= 2, 'the messages')
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(bodiesOf('/one-key').map(({ data }) => data.tenant_id)).toEqual([mine, mine])
})

test('an owner hears of each stage of a withdrawal once, and of what cannot be claimed', async () => {
  const { db } = database
  const tenantId = await tenantOf(db, 'alerts-channel')
  await newEndpoint(db, key, { url: `${receiver.url}/channel`, ownerId: 'alerts-channel', events: ['alert.channel'] })
  const channel = `0x${'cd'.repeat(32)}`
  const where = { network_id: { network: 'eip155:84532', id: channel } }
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
  const parties = { payer: `0x${'01'.repeat(20)}`, receiver: `0x${'02'.repeat(20)}`, token: `0x${'03'.repeat(20)}` }
  const amounts = { signed: '3000', charged: '3000', stored: true, balance: '3000', withdrawing: '3000' }
  await db.channel.create({
    data: {
      network: 'eip155:84532',
      id: channel,
      tenantId,
      config: { withdrawDelay: 900 },
      ...parties,
      ...amounts,
      withdrawAt: ago(10),
    },
  })
  startAll()
  const stages = () => bodiesOf('/channel').map(({ data }) => data.stage)
  await until(async () => stages().length === 1, 'the withdrawal')
  for (const [seconds, count] of [
    [460, 2],
    [910, 3],
  ] as const) {
    await db.channel.update({ where, data: { withdrawAt: ago(seconds) } })
    await until(async () => stages().length === count, 'the next stage')
  }
  await db.channel.update({ where, data: { withdrawAt: null, withdrawing: 0, balance: 0, unclaimable: 'ClaimExceedsBalance' } })
  await until(async () => stages().length === 4, 'the loss')
  expect(stages()).toEqual(['withdrawal_seen', 'half_of_delay', 'delay_over', 'unclaimable'])
  expect(bodiesOf('/channel').at(-1)).toMatchObject({
    type: 'alert.channel',
    data: {
      network: 'eip155:84532',
      channel_id: channel,
      unclaimed: '3000',
      deadline: null,
      reason: 'ClaimExceedsBalance',
      tenant_id: tenantId,
    },
  })
})

test('an owner hears of a withdrawal from a channel with a delay of a hundred years', async () => {
  const { db } = database
  const tenantId = await tenantOf(db, 'alerts-long')
  await newEndpoint(db, key, { url: `${receiver.url}/long`, ownerId: 'alerts-long', events: ['alert.channel'] })
  const parties = { payer: '0x01', receiver: '0x02', token: '0x03' }
  const state = { ...parties, config: { withdrawDelay: 3_000_000_000 }, withdrawAt: new Date() }
  await db.channel.create({ data: { network: 'eip155:84532', id: `0x${'ce'.repeat(32)}`, tenantId, ...state } })
  startAll()
  await until(async () => bodiesOf('/long').length === 1, 'the withdrawal')
})
