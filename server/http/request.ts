import { isIP } from 'node:net'
import type { z } from 'zod'
import { fieldWrongIn, MISSING, malformed } from '../x402/json'

/** The header in which handlers read the caller's address. Only the door writes it. */
export const CLIENT_IP_HEADER = 'x-quittance-client-ip'
/** The header in which pages read the nonce that their scripts have to carry. Only the door writes it. */
export const NONCE_HEADER = 'x-quittance-nonce'
/** The header that carries a request's id, in and out. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** The client's address as the door vouches for it. */
export function clientIp(request: Pick<Request, 'headers'>): string {
  const ip = request.headers.get(CLIENT_IP_HEADER) ?? ''
  if (isIP(ip) === 0) throw new Error('the request did not come through the door: it carries no client address')
  return ip
}

/** The id under which this request is in the log. */
export function requestId(request: Request): string {
  return request.headers.get(REQUEST_ID_HEADER) ?? 'unknown'
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The parameters of a query by name; the first counts where one is repeated. */
export function queryOf(request: Pick<Request, 'url'>): Record<string, string> {
  const pairs = [...new URL(request.url).searchParams]
  return Object.fromEntries(pairs.reverse())
}

/** The value in the shape of a schema. Throws `bad_request` that names the first wrong field and says what was expected. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw malformed(fieldWrongIn(result.error))
}

/** The message of a field of the wrong type: that it is missing where there is none, else what it must be. */
export const expected = (what: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? MISSING : `must be ${what}`),
})
