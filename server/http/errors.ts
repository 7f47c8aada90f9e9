import type { ServerResponse } from 'node:http'
import { isUnavailable } from '../db/errors'
import { isServiceError, type Refusal, type RefusalFacts, type RefusalReason } from '../errors'
import type { Log } from '../log'

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

/** Which body an error has: payment routes add the fields from which official clients build their typed errors. */
export type Surface = 'settle' | 'verify' | 'plain'

const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  too_many: 429,
  upstream: 502,
  unavailable: 503,
} as const satisfies Record<Refusal, number>

/** The JSON of an error, with what the official clients of a payment route need beside `error`. */
export function refusalBody(surface: Surface, message: string, facts: RefusalFacts = {}): Record<string, unknown> {
  const { reason = 'unexpected_error', transaction = '', network = '', payer } = facts
  if (surface === 'plain') return { error: message }
  // Their errors carry the word and the message of these fields, never `error`: a merchant reads why in his own log.
  if (surface === 'verify')
    return { error: message, isValid: false, invalidReason: reason, invalidMessage: message, payer: payer ?? null }
  const said = { error: message, success: false, errorReason: reason, errorMessage: message, transaction, network }
  return payer === undefined ? said : { ...said, payer }
}

/** The answer to a request that ended in an error. Refusals keep their message; anything else is a bug, told to the log only. */
export function refuse(surface: Surface, error: unknown, log: Log, requestId: string, facts: RefusalFacts = {}): Response {
  if (isServiceError(error)) {
    if (error.refusal === 'upstream' || error.refusal === 'unavailable')
      log.warn({ err: error, requestId, reason: error.facts.reason }, 'refused')
    // Who guesses keys fills the log with the request lines alone.
    else if (error.refusal !== 'unauthorized') {
      log.info({ requestId, refusal: error.refusal, reason: error.facts.reason, why: error.message }, 'refused')
    }
    // A 401 never depends on the body.
    const told = error.refusal === 'unauthorized' ? error.facts : { ...facts, ...error.facts }
    return Response.json(refusalBody(surface, error.message, told), { status: STATUS[error.refusal], headers: headersOf(told) })
  }
  if (isUnavailable(error)) {
    log.error({ err: error, requestId }, 'the database does not answer')
    const told = { ...facts, reason: 'service_unavailable', retryAfterSeconds: 1 } as const
    const message = 'the service cannot reach its database; the outcome of this request is unknown, repeat it unchanged'
    return Response.json(refusalBody(surface, message, told), { status: 503, headers: headersOf(told) })
  }
  log.error({ err: error, requestId }, 'internal error')
  const told = { ...facts, reason: 'unexpected_error' } as const
  return Response.json(refusalBody(surface, `internal error; quote request id ${requestId}`, told), {
    status: 500,
    headers: headersOf(told),
  })
}

function headersOf({ headers, retryAfterSeconds, settlementId }: RefusalFacts): Record<string, string> {
  return {
    ...API_HEADERS,
    ...headers,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(settlementId === undefined ? {} : { 'x-settlement-id': settlementId }),
  }
}

/** Headers of every API answer: nothing is cached, sniffed, embedded, run as a page or leaked through a referrer unless a route says otherwise. */
export const API_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // Opened as a page it may load nothing, and stand in no frame.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const
