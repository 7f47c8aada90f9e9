import type { Db } from '../db/database'
import { type EventData, findListening } from '../ledger/statements/events'
import type { Effect } from '../operations/outbox-worker'
import { eventBody } from './messages'
import { writeDeliveries } from './queue-queries'

/** Makes a delivery of an event for each endpoint that hears of it now; who sends them is the webhookWorker. */
export function webhooksEffect(db: Db): Effect {
  return async (_key, written) => {
    const event = eventIn(written)
    const { type, tenantId, settlementId, logged } = event
    const endpoints = await findListening(db, tenantId, type)
    const content = { type, settlementId, body: eventBody(event), kept: logged }
    return (effectId) => writeDeliveries(db, effectId, endpoints, content)
  }
}

// Nothing but `eventsOfMoved` writes it.
const eventIn = (written: unknown) => written as EventData
