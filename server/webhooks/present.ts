import type { DeliveryRow, EndpointHealth } from './delivery-queries'
import type { EndpointRow } from './endpoint-queries'

/** An endpoint ready for JSON, without its secret. */
export function presentEndpoint(endpoint: EndpointRow) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    keys: endpoint.tenantIds,
    createdAt: endpoint.createdAt.toISOString(),
    disabledAt: endpoint.disabledAt?.toISOString() ?? null,
    gone: endpoint.gone,
    graceUntil: endpoint.graceUntil?.toISOString() ?? null,
  }
}

/** The same with its newest delivery and its failures of 24 hours. */
export function presentListedEndpoint({ health, ...endpoint }: EndpointRow & { health: EndpointHealth | null }) {
  const { last = null, failures = 0 } = health ?? {}
  // JSON of the database has times in its own form.
  return { ...presentEndpoint(endpoint), failures, last: last && { ...last, at: new Date(last.at).toISOString() } }
}

/** A delivery ready for JSON, without its body. */
export function presentDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    endpoint: row.endpointId,
    url: row.url,
    removed: row.removed,
    event: row.type,
    settlement: row.settlementId,
    state: row.state,
    tries: row.tries,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    createdAt: row.createdAt.toISOString(),
    nextAt: row.nextAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
