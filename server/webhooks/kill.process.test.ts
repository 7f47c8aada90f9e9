import { hkdfSync } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type KillSetup, startKillSetup } from '../../test/money/kill/kills'
import { newEndpoint } from '../../test/support/database/webhooks'
import { killedItself } from '../../test/support/service/process'
import { type Receiver, startReceiver } from '../../test/support/service/webhook-receiver'
import { until } from '../../test/support/until'
import type { FailpointName } from '../base/failpoints'

const AUTH_SECRET = 'the-auth-secret-of-the-tests-0123456789'
const key = new Uint8Array(hkdfSync('sha256', AUTH_SECRET, '', 'quittance webhooks', 32))

let setup: KillSetup
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  setup = await startKillSetup({ AUTH_SECRET })
  // The operator's own: it receives the events of the sandbox.
  await newEndpoint(setup.database.db, key, { url: receiver.url, ownerKind: 'system', ownerId: 'quittance' })
})
afterEach(() => setup.clear())
afterAll(async () => {
  await setup.close()
  await receiver.close()
})

test.each<[FailpointName, number]>([
  ['webhook taken', 1],
  ['webhook answered', 2],
])('a process killed with a webhook (%s): the next one sends it, under one id, %d times in all', async (moment, times) => {
  receiver.received.length = 0
  const { db } = setup.database
  const doomed = await setup.start({ FAILPOINT: moment })
  const customer = await setup.newCustomer()
  await setup.settle(doomed, customer)
  await killedItself(doomed)
  // The worker that took it is gone: no test waits for the lease.
  await db.outbox.updateMany({ where: { doneAt: null }, data: { nextAt: new Date() } })
  await db.webhookDelivery.updateMany({ where: { state: 'pending' }, data: { nextAt: new Date() } })
  const next = await setup.start()
  await setup.retry(next, customer)
  const [settlement] = await setup.settlementsOf(customer)
  const its = { where: { settlementId: settlement?.id ?? null, type: 'payment.settled', state: 'delivered' } }
  await until(async () => (await db.webhookDelivery.count(its)) === 1, 'the webhook to be delivered', 30_000)
  const { id } = await db.webhookDelivery.findFirstOrThrow(its)
  // A slow machine may deliver the finality of the payment too.
  const sent = receiver.received.filter(({ body }) => JSON.parse(body).type === 'payment.settled')
  expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual(Array.from({ length: times }, () => id))
})
