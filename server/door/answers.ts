import type { ServerResponse } from 'node:http'

/** Which official client reads the answer: payment routes need typed fields beside `error`. */
export type AnswerKind = 'settle' | 'verify' | 'plain'

export type Refused = {
  status: number
  kind: AnswerKind
  /** Machine-readable word, told on payment routes. */
  reason: string
  /** What was wrong and how to mend it. Never holds the path: an API key may be part of it. */
  message: string
  headers?: Record<string, string>
}

/** The headers every answer of the API carries unless its handler says otherwise. */
export const API_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

/** Which body an answer to this path has: judged by the last segment, so that a mistyped prefix is still understood by SDKs. */
export function answerKind(segments: string[]): AnswerKind {
  const last = segments.at(-1)
  return last === 'settle' || last === 'verify' ? last : 'plain'
}

/** The JSON text of a refusal; on payment routes with the fields from which the official clients build typed errors. */
export function refusalText({ kind, reason, message }: Pick<Refused, 'kind' | 'reason' | 'message'>): string {
  if (kind === 'settle')
    return JSON.stringify({ error: message, success: false, errorReason: reason, transaction: '', network: '' })
  if (kind === 'verify') return JSON.stringify({ error: message, isValid: false, invalidReason: reason, payer: null })
  return JSON.stringify({ error: message })
}

/** Writes a refusal without ending the answer, so that the caller decides when the connection may go. */
export function writeRefusal(res: ServerResponse, refused: Refused): void {
  const text = refusalText(refused)
  res.writeHead(refused.status, {
    ...API_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...refused.headers,
  })
  if (res.req.method !== 'HEAD') res.write(text)
}
