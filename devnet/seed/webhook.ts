import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { HOUR_MS } from '../../server/base/durations'
import type { Db } from '../../server/db/database'
import { createEndpoint, disableEndpoint } from '../../server/webhooks/endpoint-queries'
import { eventBody, mintSecret, sealSecret } from '../../server/webhooks/messages'
import { ENDPOINTS_MAX } from '../../server/webhooks/own-endpoints'
import { DEMO_OWNER, type SeededRow } from './history'

/** The webhook of the demo owner. The id is fixed, so that --unseed removes exactly this one. */
export const SEEDED_WEBHOOK = '00000000-0000-4000-8000-00000000d0e1'

/** A name that no resolver knows (RFC 2606). */
const URL = 'https://hooks.demo.example/settlements'
const TOLD = 120
/** The delivery that failed once and was delivered then. */
const RETRIED = 112
const RETRY_MS = 5_000

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
  const deliveries = told.map(deliveryOf)
  await db.webhookDelivery.createMany({ data: deliveries.map(({ attempts: _, ...delivery }) => delivery) })
  await db.webhookAttempt.createMany({ data: deliveries.flatMap(({ attempts }) => attempts) })
  return deliveries.length
}

function deliveryOf(row: StoredRow, at: number) {
  const { id: settlementId, createdAt, success, errorReason: reason, ...facts } = row
  const type = success ? 'payment.settled' : 'payment.failed'
  const id = uuidv7({ msecs: createdAt.getTime() })
  const body = eventBody({ ...facts, type, at: createdAt.toISOString(), settlementId, logged: true, reason })
  const milliseconds = 60 + ((at * 37) % 180)
  const retried = at === RETRIED
  const endedAt = new Date(createdAt.getTime() + milliseconds + (retried ? RETRY_MS : 0))
  const failure = { deliveryId: id, no: 1, at: createdAt, status: 503, error: null, milliseconds: 212 }
  const delivered = { deliveryId: id, no: retried ? 2 : 1, at: endedAt, status: 200, error: null, milliseconds }
  return {
    id,
    endpointId: SEEDED_WEBHOOK,
    ownerKind: DEMO_OWNER.kind,
    ownerId: DEMO_OWNER.id,
    type,
    settlementId,
    body,
    state: 'delivered',
    tries: retried ? 2 : 1,
    failures: retried ? 1 : 0,
    lastStatus: 200,
    createdAt,
    nextAt: createdAt,
    endedAt,
    until: new Date(createdAt.getTime() + 24 * HOUR_MS),
    attempts: retried ? [failure, delivered] : [delivered],
  }
}
