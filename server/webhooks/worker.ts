import type { Db } from '../db/database'
import { askedPauseMs, politePauseMs } from '../http/retry-after'
import type { Failpoint } from '../ledger/failpoints'
import { type Loop, startLoop } from '../ledger/loop'
import type { Log } from '../log'
import { openSecret, signedHeaders } from './messages'
import {
  type Attempt,
  freeDeliveries,
  type InHand,
  recordDelivered,
  recordGone,
  recordSilenced,
  recordUndelivered,
  type TakenDelivery,
  takeDeliveries,
} from './queue-queries'
import type { Reply, SendWebhook } from './receiver'

export type WebhookWorkerOptions = {
  db: Db
  post: SendWebhook
  /** Opens the endpoints' secrets. */
  key: Uint8Array
  /** No other process can use this database: what an earlier one had in hand is free. */
  exclusive: boolean
  failpoint: Failpoint
  log: Log
  now?: () => Date
  pollMs?: number
}

const POLL_MS = 500
/** More than a try may take: then whoever took the delivery is gone. */
const LEASE_MS = 30_000
/** Of these an endpoint and its owner have their share: a receiver that takes its time takes its own. */
const AT_ONCE = 32
const GONE = 410
const FIRST_PAUSE_MS = 5_000
const LAST_PAUSE_MS = 4 * 3_600_000

/**
 * Starts bringing deliveries to their receivers, here beside other instances: each at least once and under one id, tried again with growing
 * pauses for a day, later where its receiver asks for that. What was sent and could not be noted is sent again.
 */
export function startWebhookWorker(options: WebhookWorkerOptions): Loop {
  const { db, post, key, failpoint, log, now = () => new Date(), pollMs = POLL_MS } = options
  const running = new Map<Promise<void>, InHand>()
  let toFree = options.exclusive

  async function round(): Promise<number | null> {
    if (toFree) await freeDeliveries(db)
    toFree = false
    const limit = AT_ONCE - running.size
    // Whichever ends kicks the next round.
    if (limit <= 0) return null
    const taken = await takeDeliveries(db, { limit, inHand: [...running.values()], leaseMs: LEASE_MS })
    if (taken.length > 0) failpoint('webhook taken')
    for (const delivery of taken) begin(delivery)
    return taken.length > 0 ? 0 : pollMs
  }

  function begin(delivery: TakenDelivery): void {
    const { id: deliveryId, endpointId } = delivery
    const run = deliver(delivery)
      .catch((error: unknown) =>
        log.error({ err: error, deliveryId, endpointId }, 'a webhook could not be noted and is sent again'),
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
    const attempt = { no: delivery.no, ...partsOf(reply), milliseconds: Math.max(0, now().getTime() - begun) }
    const retryAfter = 'status' in reply ? reply.retryAfter : undefined
    await note(delivery, attempt, askedPauseMs(attempt.status, retryAfter, now()))
  }

  async function send({ id, endpointId, url, body, secret, earlier }: TakenDelivery, timestamp: number): Promise<Reply> {
    const current = opened(endpointId, secret)
    if (current === null) return { failure: 'its secret cannot be read any more: give it a new one' }
    // One that was given because the earlier one cannot be read signs alone.
    const before = earlier && opened(endpointId, earlier)
    return post(url, signedHeaders(before ? [current, before] : [current], { id, timestamp, body }), body)
  }

  function opened(endpointId: string, sealed: Uint8Array): string | null {
    try {
      return openSecret(key, endpointId, sealed)
    } catch (error) {
      log.error({ err: error, endpointId }, 'the secret of a webhook cannot be opened: AUTH_SECRET is another one now')
      return null
    }
  }

  async function note(delivery: TakenDelivery, attempt: Attempt, askedMs: number): Promise<void> {
    const { id, endpointId, failures } = delivery
    const { status, error } = attempt
    if (status !== null && status >= 200 && status < 300) return recordDelivered(db, id, attempt)
    log.info({ deliveryId: id, endpointId, no: attempt.no, status, failure: error }, 'a webhook was not heard')
    if (status === GONE && (await recordGone(db, delivery, attempt))) return
    const oursMs = pauseMs(failures + 1)
    return recordUndelivered(db, id, attempt, { oursMs, politeMs: politePauseMs(oursMs, askedMs) })
  }

  const loop = startLoop(round, (error) => log.error({ err: error }, 'webhooks cannot be sent now'), 1_000)
  return {
    kick: loop.kick,
    async stop() {
      await loop.stop()
      await Promise.all(running.keys())
    },
  }
}

const partsOf = (reply: Reply): Pick<Attempt, 'status' | 'error'> =>
  'status' in reply ? { status: reply.status, error: null } : { status: null, error: reply.failure }

/** The pause after so many failures: three times as long each time, up to four hours, and never the same for all. */
export function pauseMs(failures: number, random: () => number = Math.random): number {
  const pause = Math.min(FIRST_PAUSE_MS * 3 ** (failures - 1), LAST_PAUSE_MS)
  return Math.round(pause * (0.75 + random() / 2))
}
