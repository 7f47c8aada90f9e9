import type { ServerResponse } from 'node:http'
import type { RefusalReason } from '../errors'
import { API_HEADERS, refusalBody, type Surface } from '../http/refusal'

export type Refused = {
  status: number
  surface: Surface
  /** Machine-readable word, told on payment routes. */
  reason: RefusalReason
  /** What was wrong and how to mend it. Never holds the path: an API key may be part of it. */
  message: string
  headers?: Record<string, string>
}

/** Which body an answer to this path has: judged by the last segment, so that a mistyped prefix is still understood by SDKs. */
export function surfaceOf(segments: string[]): Surface {
  const last = segments.at(-1)
  return last === 'settle' || last === 'verify' ? last : 'plain'
}

/** Writes a refusal without ending the answer, so that the caller decides when the connection may go. */
export function writeRefusal(res: ServerResponse, refused: Refused): void {
  const text = JSON.stringify(refusalBody(refused.surface, refused.message, { reason: refused.reason }))
  res.writeHead(refused.status, {
    ...API_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...refused.headers,
  })
  if (res.req.method !== 'HEAD') res.write(text)
}
