import type { App } from '../../../server/app'
import { signIn } from '../../../server/sign-in/endpoints'
import { documented } from './documented'

type Headers = Record<string, string>

let addresses = 0
/** A request with these headers; from a new IP address if unset. */
export function requestWith(
  headers: Headers,
  { body, ip = `10.9.${++addresses >> 8}.${addresses & 255}` }: { body?: string; ip?: string } = {},
): Request {
  const standing = { 'x-quittance-client-ip': ip }
  return new Request('http://quittance.test/', { method: 'POST', headers: { ...standing, ...headers }, body: body ?? null })
}

/** The answer of the route that exchanges SIWE headers for a session. */
export async function exchangeWith(
  app: App,
  headers: Headers,
  more: { body?: string; ip?: string } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await signIn.handle(app, requestWith(headers, more))
  return documented('POST /api/v1/auth/siwe', { status: response.status, body: await response.json() })
}

export const bearer = (token: unknown): Headers => ({ authorization: `Bearer ${token}` })
