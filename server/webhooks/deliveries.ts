import type { App } from '../app'
import { ServiceError } from '../errors'
import { TEST_EVENT } from '../x402/webhook-events'
import {
  beginAgain,
  type DeliveryFilter,
  type DeliveryRow,
  findDelivery,
  listDeliveries,
  type WholeDelivery,
} from './delivery-queries'
import { ownEndpoint, ownerOf } from './endpoints'
import { testBody } from './messages'
import { writeDelivery } from './queue-queries'

/** What somebody sends by hand, all of a merchant's together. */
const BY_HAND_PER_SECOND = 5
/** A delivery is sent so often in all, however often it is begun again. */
const TRIES_MAX = 100

/** A page of what was told a merchant, newest first. `cursor` is the id of the last one seen. */
export async function pageOfDeliveries(
  app: App,
  merchant: string,
  filter: DeliveryFilter,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<{ deliveries: DeliveryRow[]; hasMore: boolean }> {
  const rows = await listDeliveries(app.db, ownerOf(merchant), filter, { limit: limit + 1, cursor })
  return { deliveries: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** All that is known of a delivery. Throws `not_found` for another's and for none. */
export async function deliveryOf(app: App, merchant: string, id: string): Promise<WholeDelivery> {
  const delivery = await findDelivery(app.db, ownerOf(merchant), id)
  if (!delivery) throw new ServiceError('not_found', 'there is no delivery with this id among yours')
  return delivery
}

/** Sends the same message again, under its id, and for another day where it is not heard. Throws `not_found`, and `conflict` where it cannot be. */
export async function resend(app: App, merchant: string, id: string): Promise<void> {
  await app.rateLimit(`webhooks:${merchant}`, BY_HAND_PER_SECOND)
  const { state, body, tries } = await deliveryOf(app, merchant, id)
  if (await beginAgain(app.db, ownerOf(merchant), id, TRIES_MAX)) return
  if (state === 'pending') throw new ServiceError('conflict', 'it is under way; wait until this try has ended')
  if (body === null) throw new ServiceError('conflict', 'its payload is not kept, because its API key keeps no history')
  if (tries >= TRIES_MAX) throw new ServiceError('conflict', `it was sent ${TRIES_MAX} times, which is enough`)
  throw switchedOff()
}

/** Sends a test to an endpoint. Returns the id of its delivery. Throws `not_found`, and `conflict` where it is switched off. */
export async function sendTest(app: App, merchant: string, endpointId: string): Promise<string> {
  await app.rateLimit(`webhooks:${merchant}`, BY_HAND_PER_SECOND)
  const { id } = await ownEndpoint(app, merchant, endpointId)
  const body = testBody(id, app.now())
  const written = await writeDelivery(app.db, id, { type: TEST_EVENT, settlementId: null, body, kept: true })
  if (written === null) throw switchedOff()
  return written
}

function switchedOff(): ServiceError {
  return new ServiceError('conflict', 'this webhook is switched off or deleted; switch it on before you send something to it')
}
