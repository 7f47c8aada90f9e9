import type { Failpoint } from '../base/failpoints'
import { type Log, withoutSecrets } from '../base/log'
import { createPauses, startLoop } from '../base/loop'
import { askedPauseMs, politePauseMs } from '../base/upstream'
import type { Db } from '../db/database'
import type { Effect, EffectsLoop } from '../ledger/outbox-worker'
import { type EventData, findListening } from '../ledger/statements/events'
import { receiptUrl, sharesReceipts, writeKeyLink } from '../ledger/statements/receipt-links'
import { OPERATOR_ENDPOINT } from './alert-queries'
import { eventBody, openSecret, signedHeaders } from './messages'
import {
  type Attempt,
  freeDeliveries,
  type InHand,
  isGood,
  recordDelivered,
  recordGone,
  recordSilenced,
  recordUndelivered,
  type TakenDelivery,
  takeDeliveries,
  writeDeliveries,
} from './queue-queries'
import type { Reply, SendWebhook } from './receiver'
import { pauseMs } from './retries'

export type WebhookWorkerOptions = {
  db: Db
  post: SendWebhook
  /** Sends the operator's own alerts, to a URL that the operator chose. */
  postToOperator: SendWebhook
  /** Decrypts the endpoints' secrets. */
  key: Uint8Array
  /** This process alone uses the database: deliveries of an earlier process are free. */
  exclusive: boolean
  failpoint: Failpoint
  log: Log
  now?: () => Date
  pollMs?: number
}

const POLL_MS = 500
const IDLE_MS = 2_000
/** Longer than any try: after it another worker may take the delivery. */
const LEASE_MS = 30_000
/** Parallel tries. Each endpoint and owner has a share, so a slow receiver only delays itself. */
const AT_ONCE = 32
const GONE = 410

/** Creates a delivery of an event for each subscribed endpoint; the webhook worker sends them. */
export function webhooksEffect(db: Db, baseUrl: string): Effect {
  return async (_key, written) => {
    const event = eventIn(written)
    const { type, tenantId, settlementId, logged } = event
    const endpoints = await findListening(db, tenantId, type)
    const content = { type, settlementId, body: eventBody(event, await pageOf(db, baseUrl, event)), kept: logged }
    return (effectId) => writeDeliveries(db, effectId, endpoints, content)
  }
}

// The public page of its receipt, for keys whose receipts are public.
async function pageOf(db: Db, baseUrl: string, { type, tenantId, settlementId, logged }: EventData): Promise<string | null> {
  if (type === 'payment.failed' || !logged || !(await sharesReceipts(db, tenantId))) return null
  const token = await writeKeyLink(db, settlementId, tenantId)
  return token && receiptUrl(baseUrl, token)
}

// Only `eventsOfMoved` writes it.
const eventIn = (written: unknown) => written as EventData

/**
 * Starts sending deliveries, beside other instances: each at least once under one id, retried with growing pauses for a day, or when
 * its receiver requests. A delivery whose result was not recorded is sent again.
 */
export function startWebhookWorker(options: WebhookWorkerOptions): EffectsLoop {
  const { db, post, postToOperator, key, failpoint, log, now = () => new Date(), pollMs = POLL_MS } = options
  const running = new Map<Promise<void>, InHand>()
  const pauses = createPauses({ usualMs: pollMs, idleMs: IDLE_MS })
  let toFree = options.exclusive

  async function round(): Promise<number | null> {
    if (toFree) await freeDeliveries(db)
    toFree = false
    const limit = AT_ONCE - running.size
    // Each finished delivery starts the next round.
    if (limit <= 0) return null
    const taken = await takeDeliveries(db, { limit, inHand: [...running.values()], leaseMs: LEASE_MS })
    if (taken.length > 0) failpoint('webhook taken')
    for (const delivery of taken) begin(delivery)
    const pause = pauses.after(taken.length > 0)
    return taken.length > 0 ? 0 : pause
  }

  function begin(delivery: TakenDelivery): void {
    const { id: deliveryId, endpointId } = delivery
    const run = deliver(delivery)
      .catch((error: unknown) =>
        log.error({ err: error, deliveryId, endpointId }, 'the result of a webhook could not be recorded; it is sent again'),
      )
      .finally(() => {
        running.delete(run)
        loop.kick()
      })
    running.set(run, delivery)
  }

  async function deliver(delivery: TakenDelivery): Promise<void> {
    if (delivery.disabled) return recordSilenced(db, delivery.id)
    const begun = now().getTime()
    const reply = await send(delivery, Math.floor(begun / 1_000))
    failpoint('webhook answered')
    const milliseconds = Math.max(0, now().getTime() - begun)
    const attempt = { no: delivery.no, ...partsOf(reply), milliseconds }
    const retryAfter = 'status' in reply ? reply.retryAfter : undefined
    await note(delivery, attempt, askedPauseMs(attempt.status, retryAfter, now()))
  }

  async function send({ id, endpointId, url, body, secret, earlier }: TakenDelivery, timestamp: number): Promise<Reply> {
    const current = opened(endpointId, secret)
    if (current === null) return { failure: 'its secret cannot be decrypted; rotate it' }
    // An unreadable earlier secret is skipped: then the new one signs alone.
    const before = earlier && opened(endpointId, earlier)
    const sending = endpointId === OPERATOR_ENDPOINT ? postToOperator : post
    return sending(url, signedHeaders(before ? [current, before] : [current], { id, timestamp, body }), body)
  }

  function opened(endpointId: string, encrypted: Uint8Array): string | null {
    try {
      return openSecret(key, endpointId, encrypted)
    } catch (error) {
      log.error({ err: error, endpointId }, 'the secret of a webhook cannot be decrypted: AUTH_SECRET has changed')
      return null
    }
  }

  async function note(delivery: TakenDelivery, attempt: Attempt, askedMs: number): Promise<void> {
    const { id, endpointId, failures } = delivery
    const { status, error } = attempt
    if (isGood(attempt)) return recordDelivered(db, id, attempt)
    log.info({ deliveryId: id, endpointId, no: attempt.no, status, failure: error }, 'a webhook was not delivered')
    if (status === GONE && (await recordGone(db, delivery, attempt))) return
    const oursMs = pauseMs(failures + 1)
    return recordUndelivered(db, id, attempt, { oursMs, politeMs: politePauseMs(oursMs, askedMs) })
  }

  const loop = startLoop(round, (error) => log.error({ err: error }, 'webhooks cannot be sent now'), 1_000)
  return {
    kick: loop.kick,
    expect: () => pauses.expect(loop),
    async stop() {
      await loop.stop()
      await Promise.all(running.keys())
    },
  }
}

function partsOf(reply: Reply): Omit<Attempt, 'no' | 'milliseconds'> {
  if ('failure' in reply) return { status: null, error: reply.failure, answer: null }
  const { status, text } = reply
  // A receiver may answer with what it was configured with.
  return { status, error: null, answer: text === undefined ? null : withoutSecrets(text) }
}
