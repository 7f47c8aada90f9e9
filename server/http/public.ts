import type { App } from '../services/app'
import { sandboxNetworks } from '../services/caller'
import { supported } from '../services/supported'
import { API_HEADERS } from './refusal'

/** `GET /health` (SPEC "Health response"): the process answers. */
export async function health(): Promise<Response> {
  return Response.json({ status: 'ok' }, { headers: API_HEADERS })
}

/** `GET /supported`: every configured network. */
export async function supportedEverywhere(app: App): Promise<Response> {
  return Response.json(supported(app), { headers: API_HEADERS })
}

/** `GET /sandbox/supported`: the configured networks of the sandbox. */
export async function supportedSandbox(app: App): Promise<Response> {
  return Response.json(supported(app, sandboxNetworks), { headers: API_HEADERS })
}

/** `GET /`: a temporary redirect to the operator's site, the same whatever was asked. */
export async function toOperator(app: App): Promise<Response> {
  return new Response(null, { status: 307, headers: { ...API_HEADERS, location: app.config.operatorUrl } })
}
