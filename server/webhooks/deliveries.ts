import type { Owner } from '../accounts/tenant-queries'
import type { App } from '../app'
import { ServiceError } from '../errors'
import { TEST_EVENT } from '../ledger/states'
import {
  beginAgain,
  type DeliveryFilter,
  type DeliveryRow,
  findDelivery,
  listDeliveries,
  type WholeDelivery,
} from './delivery-queries'
import { testBody } from './messages'
import { ownEndpoint } from './own-endpoints'
import { writeDelivery } from './queue-queries'

/** The limit of manual sends, for all of a merchant's endpoints together. */
const BY_HAND_PER_SECOND = 5
/** The maximum tries of a delivery, resends included. */
const TRIES_MAX = 100

/** A page of a merchant's deliveries, newest first. `cursor` is the id of the last one seen. */
export async function pageOfDeliveries(
  app: App,
  owner: Owner,
  filter: DeliveryFilter,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<{ deliveries: DeliveryRow[]; hasMore: boolean }> {
  const rows = await listDeliveries(app.db, owner, filter, { limit: limit + 1, cursor })
  return { deliveries: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** All details of a delivery. Throws `not_found` for a foreign or missing id. */
export async function deliveryOf(app: App, owner: Owner, id: string): Promise<WholeDelivery> {
  const delivery = await findDelivery(app.db, owner, id)
  if (!delivery) throw new ServiceError('not_found', 'you have no delivery with this id')
  return delivery
}

/** Sends the same message again under its id, with retries for another day. Throws `not_found`, and `conflict` when it cannot be sent. */
export async function resend(app: App, owner: Owner, id: string): Promise<void> {
  await app.rateLimit(`webhooks:${owner.kind}:${owner.id}`, BY_HAND_PER_SECOND)
  const { state, body, tries } = await deliveryOf(app, owner, id)
  if (await beginAgain(app.db, owner, id, TRIES_MAX)) return app.expectEffects()
  if (state === 'pending') throw new ServiceError('conflict', 'it is being sent; wait until this try has ended')
  if (body === null) throw new ServiceError('conflict', 'its payload is not stored, because history is off for its API key')
  if (tries >= TRIES_MAX) throw new ServiceError('conflict', `it was sent ${TRIES_MAX} times, which is the maximum`)
  throw switchedOff()
}

/** Sends a test to an endpoint. Returns the id of its delivery. Throws `not_found`, and `conflict` when it is disabled. */
export async function sendTest(app: App, owner: Owner, endpointId: string): Promise<string> {
  await app.rateLimit(`webhooks:${owner.kind}:${owner.id}`, BY_HAND_PER_SECOND)
  const { id } = await ownEndpoint(app, owner, endpointId)
  const body = testBody(id, app.now())
  const written = await writeDelivery(app.db, id, { type: TEST_EVENT, settlementId: null, body, kept: true })
  if (written === null) throw switchedOff()
  app.expectEffects()
  return written
}

function switchedOff(): ServiceError {
  return new ServiceError('conflict', 'this webhook is disabled or deleted; enable it before you send to it')
}
