import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/base/durations'
import type { Db } from '../../server/db/database'
import { createEndpoint, disableEndpoint } from '../../server/webhooks/endpoint-queries'
import { eventBody, mintSecret, sealSecret } from '../../server/webhooks/messages'
import { ENDPOINTS_MAX } from '../../server/webhooks/own-endpoints'
import { pauseMs } from '../../server/webhooks/retries'
import { DEMO_OWNER, type SeededRow } from './history'

/** The webhook of the demo owner. The id is fixed, so that --unseed removes exactly this one. */
export const SEEDED_WEBHOOK = '00000000-0000-4000-8000-00000000d0e1'

/** A name that no resolver knows (RFC 2606). */
const URL = 'https://hooks.demo.example/settlements'
const TOLD = 120
/** The delivery that failed once and was delivered then. */
const RETRIED = 112
const RETRY_MS = 5_000
/** No jitter. */
const HALF = () => 0.5
/** So many of the oldest ones never reached the receiver. */
const FAILED = 3

/** A row of history with its id, which also names its settlement where a webhook heard of it. */
export type StoredRow = SeededRow & { id: string }

/** The newest payments that passed verification: the webhook heard how each ended. */
export function toldOf(rows: readonly StoredRow[]): StoredRow[] {
  return rows.filter(({ settleMs }) => settleMs !== null).slice(-TOLD)
}

/** Makes the owner's webhook, disabled so that it never sends, with its log of deliveries. Returns how many; 0 if the owner has too many. */
export async function makeWebhook(db: Db, rows: readonly StoredRow[], now: Date): Promise<number> {
  const id = SEEDED_WEBHOOK
  // No service can open this secret. After a rotation the webhook has a usable one.
  const secret = sealSecret(randomBytes(32), id, mintSecret())
  const endpoint = { id, url: URL, events: ['payment.settled', 'payment.failed'] as const, tenantIds: [], secret }
  if (!(await createEndpoint(db, DEMO_OWNER, endpoint, ENDPOINTS_MAX))) return 0
  await disableEndpoint(db, DEMO_OWNER, id)
  const told = toldOf(rows)
  // It is as old as its first delivery, so that its log is complete.
  const createdAt = new Date((told[0]?.createdAt ?? now).getTime() - HOUR_MS / 4)
  await db.webhookEndpoint.update({ where: { id }, data: { createdAt } })
  const deliveries = told.map((row, at) => (at < FAILED ? failedOf(row, now) : deliveredOf(row, at)))
  await db.webhookDelivery.createMany({ data: deliveries.map(({ attempts: _, ...delivery }) => delivery) })
  await db.webhookAttempt.createMany({ data: deliveries.flatMap(({ attempts }) => attempts) })
  await db.webhookHour.createMany({ data: hoursOf(deliveries.flatMap(({ attempts }) => attempts)) })
  return deliveries.length
}

/** The attempts of each hour. */
function hoursOf(attempts: readonly { at: Date; status: number }[]) {
  const hours = new Map<number, { good: number; bad: number }>()
  for (const { at, status } of attempts) {
    const hour = at.getTime() - (at.getTime() % HOUR_MS)
    const { good, bad } = hours.get(hour) ?? { good: 0, bad: 0 }
    hours.set(hour, status === 200 ? { good: good + 1, bad } : { good, bad: bad + 1 })
  }
  return [...hours].map(([hour, counts]) => ({ endpointId: SEEDED_WEBHOOK, hour: new Date(hour), ...counts }))
}

/** What all deliveries of a payment have. */
function begunOf({ id: settlementId, createdAt, success, errorReason: reason, ...facts }: StoredRow) {
  const type = success ? 'payment.settled' : 'payment.failed'
  return {
    id: uuidv7({ msecs: createdAt.getTime() }),
    endpointId: SEEDED_WEBHOOK,
    ownerKind: DEMO_OWNER.kind,
    ownerId: DEMO_OWNER.id,
    type,
    settlementId,
    body: eventBody({ ...facts, type, at: createdAt.toISOString(), settlementId, logged: true, reason }),
    createdAt,
    nextAt: createdAt,
    until: new Date(createdAt.getTime() + DAY_MS),
  }
}

function deliveredOf(row: StoredRow, at: number) {
  const begun = begunOf(row)
  const milliseconds = 60 + ((at * 37) % 180)
  const retried = at === RETRIED
  const endedAt = new Date(begun.createdAt.getTime() + milliseconds + (retried ? RETRY_MS : 0))
  const failure = { deliveryId: begun.id, no: 1, at: begun.createdAt, status: 503, error: null, milliseconds: 212 }
  const delivered = { deliveryId: begun.id, no: retried ? 2 : 1, at: endedAt, status: 200, error: null, milliseconds }
  const attempts = retried ? [failure, delivered] : [delivered]
  const tries = attempts.length
  return { ...begun, state: 'delivered', tries, failures: tries - 1, lastStatus: 200, endedAt, attempts }
}

/** A delivery whose receiver failed for a day, or until the webhook was disabled. */
function failedOf(row: StoredRow, now: Date) {
  const begun = begunOf(row)
  const endedAt = new Date(Math.min(begun.until.getTime(), now.getTime() - MINUTE_MS))
  const times = [begun.createdAt.getTime()]
  for (let next = begun.createdAt.getTime() + pauseMs(1, HALF); next < endedAt.getTime(); next += pauseMs(times.length, HALF)) {
    times.push(next)
  }
  const attempts = times.map((at, index) => {
    return { deliveryId: begun.id, no: index + 1, at: new Date(at), status: 503, error: null, milliseconds: 212 + index }
  })
  const tries = attempts.length
  return { ...begun, state: 'failed', tries, failures: tries, lastStatus: 503, endedAt, attempts }
}
