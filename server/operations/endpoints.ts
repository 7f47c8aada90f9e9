import { release } from '../accounts/admin-bodies'
import { networksOf, visitor } from '../accounts/caller'
import type { App } from '../app'
import { DEFAULT_BODY_LIMIT, readJson } from '../http/bodies'
import { API_HEADERS } from '../http/errors'
import { limitReading } from '../http/rate-limits'
import { checked, clientIp, requireUuid } from '../http/request'
import { identify, type Params } from '../payments/endpoints'
import { supported, supportedBy } from '../payments/supported'
import { requireAdmin } from '../sign-in/credentials'
import { displayAddress } from '../x402/addresses'
import type { Prefix } from '../x402/networks'
import { type LaneState, lanesOf, releaseLane, releaseOf } from './lanes'

/** `GET /health`: the process answers. With `ready=1`: whether payments can be sent here now, 503 when they cannot, and what is missing. */
export async function health(app: Pick<App, 'readiness'>, request: Request): Promise<Response> {
  if (new URL(request.url).searchParams.get('ready') === '1') return readiness(app)
  return Response.json({ status: 'ok' }, { headers: API_HEADERS })
}

async function readiness(app: Pick<App, 'readiness'>): Promise<Response> {
  const { ready, parts } = await app.readiness()
  const headers = ready ? API_HEADERS : { ...API_HEADERS, 'retry-after': '2' }
  return Response.json({ status: ready ? 'ready' : 'not ready', parts }, { status: ready ? 200 : 503, headers })
}

/** `GET /supported`: all configured networks. */
export async function supportedEverywhere(app: App, request: Request): Promise<Response> {
  await limitReading(app, visitor(clientIp(request)))
  return Response.json(supported(app), { headers: API_HEADERS })
}

/** `GET {prefix}/supported`: what this caller can use below the prefix. */
export function supportedUnder(prefix: Prefix) {
  return async (app: App, request: Request, params: Params): Promise<Response> => {
    const caller = await identify(app, prefix, request, params).caller()
    await limitReading(app, caller)
    return Response.json(supportedBy(app, caller.tier, networksOf(caller)), { headers: API_HEADERS })
  }
}

/** `GET /`: a temporary redirect to the operator's site. */
export async function toOperator(app: App): Promise<Response> {
  return new Response(null, { status: 307, headers: { ...API_HEADERS, location: app.config.operatorUrl } })
}

/** `GET /metrics`: metrics for Prometheus, for the administrator only unless METRICS_PUBLIC is set. */
export async function metrics(app: App, request: Request): Promise<Response> {
  if (!app.config.metricsPublic) requireAdmin(app, request)
  const { text, mediaType } = await app.metrics()
  return new Response(text, { headers: { ...API_HEADERS, 'content-type': mediaType } })
}

/** `GET /admin/lanes`: every lane of the ledger, with the chain's counts of its signer. */
export async function lanes(app: App, request: Request): Promise<Response> {
  requireAdmin(app, request)
  return Response.json({ lanes: (await lanesOf(app)).map(presentLane) }, { headers: API_HEADERS })
}

/**
 * `POST /admin/lanes/:id/release`: releases a quarantined lane at `next_nonce`, after an operator has checked all transactions below
 * it.
 */
export async function releaseQuarantined(app: App, request: Request, { id = '' }: Params): Promise<Response> {
  requireAdmin(app, request)
  requireUuid(id, 'lane')
  const { next_nonce } = checked(release, await readJson(request, DEFAULT_BODY_LIMIT))
  return Response.json(presentLane(await releaseLane(app, id, next_nonce)), { headers: API_HEADERS })
}

function presentLane(lane: LaneState) {
  const { nextNonce, chain } = lane
  const { unknown, releaseAt } = releaseOf(lane)
  return {
    id: lane.id,
    network: lane.network,
    address: displayAddress(lane.address),
    class: lane.class,
    status: lane.status,
    quarantined_at: lane.quarantinedAt?.toISOString() ?? null,
    why: lane.quarantineWhy,
    next_nonce: nextNonce?.toString() ?? null,
    chain: chain && { mined: String(chain.mined), pending: String(chain.pending) },
    unknown: unknown && { from: String(unknown.from), to: String(unknown.to) },
    release_at: releaseAt?.toString() ?? null,
  }
}
