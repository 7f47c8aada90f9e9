import type { ServerResponse } from 'node:http'
import { isServiceError, type Refusal, type RefusalFacts, type RefusalReason } from '../base/errors'
import type { Log } from '../base/log'
import { isUnavailable } from '../db/errors'
import { jsonResponse } from './json-response'

export type Refused = {
  status: number
  surface: Surface
  /** The machine-readable code, sent on payment routes. */
  reason: RefusalReason
  /** What is wrong and how to fix it. Never the path, which may contain an API key. */
  message: string
  headers?: Record<string, string>
}

/** The error body format of a path, by its last segment, so that SDKs understand errors below a mistyped prefix. */
export function surfaceOf(segments: string[]): Surface {
  const last = segments.at(-1)
  return last === 'settle' || last === 'verify' ? last : 'plain'
}

/** Writes a refusal without ending the response: the caller ends it. */
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

/** The body format of an error: payment routes add the fields that official clients read. */
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

/** The JSON of an error; on payment routes with the fields that official clients read. */
export function refusalBody(surface: Surface, message: string, facts: RefusalFacts = {}): Record<string, unknown> {
  const { reason = 'unexpected_error', transaction = '', network = '', payer, amount } = facts
  if (surface === 'plain') return { error: message }
  // Official clients show only these fields in their errors, not `error`.
  if (surface === 'verify')
    // Empty, not null or absent: each of those is refused by some client.
    return { error: message, isValid: false, invalidReason: reason, invalidMessage: message, payer: payer ?? '' }
  const said = { error: message, success: false, errorReason: reason, errorMessage: message, transaction, network }
  return { ...said, ...(payer === undefined ? {} : { payer }), ...(amount === undefined ? {} : { amount }) }
}

/** The response to a request that threw. Refusals keep their message; any other error is a bug and goes to the log only. */
export function refuse(surface: Surface, error: unknown, log: Log, requestId: string, facts: RefusalFacts = {}): Response {
  if (isServiceError(error)) {
    if (error.refusal === 'upstream' || error.refusal === 'unavailable')
      log.warn({ err: error, requestId, reason: error.facts.reason }, 'refused')
    // Not logged: guesses of keys would fill the log.
    else if (error.refusal !== 'unauthorized') {
      log.info({ requestId, refusal: error.refusal, reason: error.facts.reason, why: error.message }, 'refused')
    }
    // A 401 has no facts of the payment.
    const known = error.refusal === 'unauthorized' ? { network: facts.network ?? '' } : facts
    const sent = { ...known, ...error.facts }
    return jsonResponse(refusalBody(surface, error.message, sent), { status: STATUS[error.refusal], headers: headersOf(sent) })
  }
  if (isUnavailable(error)) {
    log.error({ err: error, requestId }, 'the database does not answer')
    const sent = { ...facts, reason: 'service_unavailable', retryAfterSeconds: 1 } as const
    const message = 'the service cannot reach its database; the outcome of this request is unknown, retry the identical request'
    return jsonResponse(refusalBody(surface, message, sent), { status: 503, headers: headersOf(sent) })
  }
  log.error({ err: error, requestId }, 'internal error')
  const sent = { ...facts, reason: 'unexpected_error' } as const
  return jsonResponse(refusalBody(surface, `internal error; quote request id ${requestId}`, sent), {
    status: 500,
    headers: headersOf(sent),
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

/** Security headers of every API response; a route can override them. */
export const API_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // A response that is opened as a page may load nothing and sit in no frame.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const
