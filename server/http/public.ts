import type { App } from '../services/app'
import { networksOf, visitor } from '../services/caller'
import type { Prefix } from '../services/prefixes'
import { supported, supportedBy } from '../services/supported'
import { identify, type Params } from './prefix'
import { limitReading } from './reading'
import { API_HEADERS } from './refusal'
import { clientIp } from './request'

/**
 * `GET /health`: the process answers. With `ready=1`: whether payments can be sent here now, 503 when they
 * cannot, and what is missing.
 */
export async function health(app: Pick<App, 'readiness'>, request: Request): Promise<Response> {
  if (new URL(request.url).searchParams.get('ready') === '1') return readiness(app)
  return Response.json({ status: 'ok' }, { headers: API_HEADERS })
}

async function readiness(app: Pick<App, 'readiness'>): Promise<Response> {
  const { ready, parts } = await app.readiness()
  const headers = ready ? API_HEADERS : { ...API_HEADERS, 'retry-after': '2' }
  return Response.json({ status: ready ? 'ready' : 'not ready', parts }, { status: ready ? 200 : 503, headers })
}

/** `GET /supported`: every configured network. */
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

/** `GET /`: a temporary redirect to the operator's site, the same whatever was asked. */
export async function toOperator(app: App): Promise<Response> {
  return new Response(null, { status: 307, headers: { ...API_HEADERS, location: app.config.operatorUrl } })
}
