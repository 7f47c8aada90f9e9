import { visitor } from '../accounts/caller'
import type { App } from '../app'
import { DEFAULT_BODY_LIMIT, readBytes } from '../http/bodies'
import { API_HEADERS } from '../http/errors'
import { clientIp } from '../http/request'
import { displayAddress } from '../x402/addresses'
import { requireSignature } from './credentials'
import { openSession } from './sessions'

/** Per IP address. */
const EXCHANGES_PER_SECOND = 5

/** `POST /api/v1/auth/siwe`: a session token of fifteen minutes for a signed message. The body is ignored. */
export async function signIn(app: App, request: Request): Promise<Response> {
  await app.rateLimit(`sessions:${visitor(clientIp(request)).id}`, EXCHANGES_PER_SECOND)
  const wallet = await requireSignature(app, request)
  await readBytes(request, DEFAULT_BODY_LIMIT)
  const { token, expiresAt } = await openSession(app, wallet)
  return Response.json({ token, wallet: displayAddress(wallet), expires_at: expiresAt }, { headers: API_HEADERS })
}
