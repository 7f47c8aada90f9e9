import type { Db } from '../db/database'
import { type EventData, findListening } from '../ledger/statements/events'
import type { Effect } from '../operations/outbox-worker'
import { eventBody } from './messages'
import { writeDeliveries } from './queue-queries'

/** Creates a delivery of an event for each subscribed endpoint; the webhook worker sends them. */
export function webhooksEffect(db: Db): Effect {
  return async (_key, written) => {
    const event = eventIn(written)
    const { type, tenantId, settlementId, logged } = event
    const endpoints = await findListening(db, tenantId, type)
    const content = { type, settlementId, body: eventBody(event), kept: logged }
    return (effectId) => writeDeliveries(db, effectId, endpoints, content)
  }
}

// Only `eventsOfMoved` writes it.
const eventIn = (written: unknown) => written as EventData
