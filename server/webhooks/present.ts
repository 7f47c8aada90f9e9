import { z } from 'zod'
import { wireNames } from '../http/schemas'
import { type Token, tokenNamed, USDC } from '../x402/networks/assets'
import { type Environment, environments } from '../x402/networks/networks'
import type { DeliveryRow, EndpointHealth, WholeDelivery } from './delivery-queries'
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

/** An endpoint ready for JSON, with its newest delivery, and how those of 24 hours went; `day` is null while none has ended. */
export function presentListedEndpoint({ health, ...endpoint }: EndpointRow & { health: EndpointHealth | null }) {
  const { last = null, failures = 0, day, hours = [] } = health ?? {}
  // JSON of the database has times in its own form.
  return {
    ...presentEndpoint(endpoint),
    failures,
    day: day?.ended ? day : null,
    hours: hours.map(({ hour, ...tries }) => ({ ...tries, hour: new Date(hour).toISOString() })),
    last: last && { ...last, at: new Date(last.at).toISOString() },
  }
}

/** What a message says, for lists: a payment, how much of a quota is used, how many payments failed, the credits left, or an entry of the catalog. Amounts are atomic units. */
export type Said =
  | { kind: 'payment'; amount: string; token: Token; resource: string; network: string }
  | { kind: 'quota'; share: number }
  | { kind: 'failures'; failed: number; total: number }
  | { kind: 'credits'; left: number; bought: number }
  | { kind: 'listing'; resource: string; environment: Environment }

const said = z
  .union([
    z
      .object({
        payer_amount: z.string().regex(/^\d+$/),
        // Messages of earlier versions are of USDC.
        asset: z.string().default(USDC.symbol),
        resource: z.string(),
        network: z.string(),
      })
      .transform(({ payer_amount, asset, ...where }): Said => {
        return { kind: 'payment', amount: payer_amount, token: tokenNamed(asset), ...where }
      }),
    z
      .object({ share_percent: z.number() })
      .transform(({ share_percent }): Said => ({ kind: 'quota', share: share_percent / 100 })),
    z
      .object({ credits_remaining: z.int(), credits_purchased: z.int() })
      .transform(({ credits_remaining, credits_purchased }): Said => {
        return { kind: 'credits', left: credits_remaining, bought: credits_purchased }
      }),
    z
      .object({ resource: z.string(), environment: z.enum(environments), listed_until: z.string() })
      .transform(({ resource, environment }): Said => ({ kind: 'listing', resource, environment })),
    z.object({ failed: z.int(), total: z.int() }).transform((counts): Said => ({ kind: 'failures', ...counts })),
  ])
  .nullable()
  .catch(null)

/** What a payload says; null for a test, and where none is stored. */
export function saidIn(body: string | null): Said | null {
  const { data = null }: { data?: unknown } = body === null ? {} : JSON.parse(body)
  return said.parse(data)
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
    said: saidIn(row.body),
    kept: row.kept,
    state: row.state,
    tries: row.tries,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    createdAt: row.createdAt.toISOString(),
    nextAt: row.nextAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

/** An endpoint as the API sends it. */
export const wireEndpoint = (endpoint: EndpointRow) => wireNames(presentEndpoint(endpoint))

/** A delivery as the API lists it. */
export function wireDelivery({ id, endpointId, type, settlementId, state, tries, lastStatus, lastError, ...times }: DeliveryRow) {
  const { createdAt, nextAt, endedAt } = times
  return {
    id,
    webhook_id: endpointId,
    event: type,
    settlement_id: settlementId,
    state,
    tries,
    last_status: lastStatus,
    last_error: lastError,
    created_at: createdAt.toISOString(),
    next_at: nextAt?.toISOString() ?? null,
    ended_at: endedAt?.toISOString() ?? null,
  }
}

/** A delivery as the API sends it, with its message and each try. */
export function wireWholeDelivery({ attempts, ...row }: WholeDelivery) {
  return {
    ...wireDelivery(row),
    body: row.body,
    attempts: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: at.toISOString() })),
  }
}
