import type { App } from '../services/app'
import { networksOf, visitor } from '../services/caller'
import type { Prefix } from '../services/prefixes'
import { supported, supportedBy } from '../services/supported'
import { identify, type Params } from './prefix'
import { limitReading } from './reading'
import { API_HEADERS } from './refusal'
import { clientIp } from './request'

/** `GET /health` (SPEC "Health response"): the process answers. */
export async function health(): Promise<Response> {
  return Response.json({ status: 'ok' }, { headers: API_HEADERS })
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
