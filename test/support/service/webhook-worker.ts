import { randomBytes } from 'node:crypto'
import { afterEach, onTestFinished } from 'vitest'
import { createSendWebhook } from '../../../server/webhooks/receiver'
import { startWebhookWorker, type WebhookWorkerOptions } from '../../../server/webhooks/worker'
import { freshDatabase } from '../database/database'
import { newDelivery, newEndpoint } from '../database/webhooks'
import { fixture } from '../fixture'
import { keepLog } from '../log-lines'
import { until } from '../until'
import { newOwner } from './history'
import { type Receiver, startReceiver } from './webhook-receiver'

/** A database with an empty queue for each test of a file, and workers, receivers and deliveries on it. */
export function webhookWorkers() {
  const database = fixture(freshDatabase)
  afterEach(() => database.db.webhookDelivery.updateMany({ where: { state: 'pending' }, data: { state: 'failed' } }))
  const key = randomBytes(32)

  function start(options: Partial<WebhookWorkerOptions> = {}) {
    const { log, lines } = keepLog()
    const post = createSendWebhook({ privateHosts: true })
    const standing = { db: database.db, post, postToOperator: post, key, exclusive: false, failpoint: () => {}, log, pollMs: 10 }
    const webhookWorker = startWebhookWorker({ ...standing, ...options })
    onTestFinished(() => webhookWorker.stop())
    return { lines, webhookWorker }
  }

  async function receiverOf(ownerId: string): Promise<Receiver & { endpoint: { id: string; secret: string } }> {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    return { ...receiver, endpoint: await newEndpoint(database.db, key, { url: receiver.url, ownerId }) }
  }

  async function aDelivery(data: Parameters<typeof newDelivery>[3] = {}) {
    const ownerId = newOwner()
    const receiver = await receiverOf(ownerId)
    return { receiver, ownerId, id: await newDelivery(database.db, receiver.endpoint.id, ownerId, data) }
  }

  const rowOf = (id: string) =>
    database.db.webhookDelivery.findUniqueOrThrow({ where: { id }, include: { attempts: { orderBy: { no: 'asc' } } } })

  return {
    database,
    key,
    start,
    aDelivery,
    rowOf,
    stateOf: async (id: string) => (await rowOf(id)).state,
    tried: (id: string, times: number) => until(async () => (await rowOf(id)).attempts.length >= times, `try ${times}`),
    /** Time passes until the next try. */
    wait: (id: string) => database.db.webhookDelivery.update({ where: { id }, data: { nextAt: new Date() } }),
  }
}
