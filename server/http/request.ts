import { isIP } from 'node:net'
import type { z } from 'zod'
import { fieldWrongIn, MISSING, malformed } from '../x402/json'

/** The header with the client's IP address. Only the server sets it. */
export const CLIENT_IP_HEADER = 'x-quittance-client-ip'
/** The header with the nonce for a page's scripts. Only the server sets it. */
export const NONCE_HEADER = 'x-quittance-nonce'
/** The header with the query of a catalog entry's page, for the page that says that it is not listed. Only the server sets it. */
export const ENTRY_QUERY_HEADER = 'x-quittance-entry-query'
/** The header that carries a request's id, in and out. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** The client's IP address, as the server determined it. */
export function clientIp(request: Pick<Request, 'headers'>): string {
  const ip = request.headers.get(CLIENT_IP_HEADER) ?? ''
  if (isIP(ip) === 0) throw new Error('the request has no client address: it did not come through our HTTP server')
  return ip
}

/** The id of this request in the log. */
export function requestId(request: Request): string {
  return request.headers.get(REQUEST_ID_HEADER) ?? 'unknown'
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The query parameters by name; the first wins if one is repeated, and of `repeatable` ones all count. */
export function queryOf(request: Pick<Request, 'url'>, repeatable: readonly string[] = []): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url)
  const repeated = repeatable.flatMap((name) => (searchParams.has(name) ? [[name, searchParams.getAll(name)] as const] : []))
  return { ...Object.fromEntries([...searchParams].reverse()), ...Object.fromEntries(repeated) }
}

/** Validates a value. Throws `bad_request`, which names the first wrong field and what is expected. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw malformed(fieldWrongIn(result.error))
}

/** The error of a field with a wrong type: that it is missing, or what it must be. */
export const expected = (what: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? MISSING : `must be ${what}`),
})
