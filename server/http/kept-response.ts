import { z } from 'zod'
import { sha256 } from '../base/hash'
import { API_HEADERS } from './errors'

/** The headers of a response that clients may keep. */
export const KEPT = ['cache-control', 'etag'] as const

/** The request header with which a client asks whether its kept response is current. */
export const ifNoneMatch = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .meta({ description: 'The `etag` of an earlier response.', examples: ['"0123456789abcdefghijkl"'] }),
})

/** The entity tag of a text. */
export const etagOf = (text: string) => `"${Buffer.from(sha256(text)).toString('base64url').slice(0, 22)}"`

/**
 * A response that clients may keep for so many seconds, or a 304 to one that has it. `shared`: caches between may keep it too. A body of
 * text is JSON already.
 */
export function keptResponse(
  request: Request,
  body: object | string,
  { etag, seconds, shared }: { etag: string; seconds: number; shared: boolean },
): Response {
  const headers = { ...API_HEADERS, 'cache-control': `${shared ? 'public' : 'private'}, max-age=${seconds}`, etag }
  if (isKnown(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers })
  const json = typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(json, { headers: { ...headers, 'content-type': 'application/json' } })
}

function isKnown(etag: string, sent: string | null): boolean {
  return (sent ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')
}
