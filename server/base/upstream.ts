// What requests to other services have in common.

/** Whether URL and headers make a valid request. fetch's own errors quote a bad header or URL, so they are caught here. */
export function canRequest(url: string, headers: Record<string, string>): boolean {
  try {
    return /^https?:/i.test(url) && new Request(url, { headers }).url !== ''
  } catch {
    return false
  }
}

const TOO_LONG = 'TooLongError'

/** Whether a body exceeded its limit. */
export const isTooLong = (error: unknown) => error instanceof Error && error.name === TOO_LONG

const BODY_BYTES_MAX = 256 * 1_024

/** The error of a body that exceeded its limit. */
export const tooLong = () => Object.assign(new Error('too long'), { name: TOO_LONG })

/** A body as text. Throws when it breaks off, and as soon as it exceeds the limit. */
export async function bodyOf(response: Response, bytesMax = BODY_BYTES_MAX): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    // Leaving the loop cancels the rest.
    if (bytes > bytesMax) throw tooLong()
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** The parsed JSON, or undefined. The parser's error would quote the body, which must not be logged. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Failures of name resolution, connection or certificate: all before a byte of HTTP.
const BEFORE_HTTP =
  /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/

/**
 * The error codes of a failed fetch; its messages name hosts. `connected` is false only when every code proves that no connection was
 * made: otherwise the request may have arrived.
 */
export function codesOf(error: unknown): { connected: boolean; detail: string } {
  const codes = [...codesIn(error, 0)]
  const connected = codes.length === 0 || !codes.every((code) => BEFORE_HTTP.test(code))
  const name = error instanceof Error ? error.name : 'unknown'
  return { connected, detail: codes.length > 0 ? codes.join(' ').slice(0, 200) : name }
}

const DEPTH_MAX = 5

function* codesIn(error: unknown, depth: number): Generator<string> {
  if (!(error instanceof Error) || depth > DEPTH_MAX) return
  const causes: unknown[] = error instanceof AggregateError ? error.errors : [error.cause]
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  // Each address of a host fails with its own code.
  if (code !== null && !(error instanceof AggregateError)) yield code
  for (const cause of causes) yield* codesIn(cause, depth + 1)
}

/** The statuses whose `Retry-After` we respect. */
const LATER: ReadonlySet<number> = new Set([429, 503])
const SECONDS = /^\d+$/
// The date format of RFC 9110; its two obsolete forms are ignored.
const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const POLITE_MS = 3_600_000

/** The pause of a `Retry-After` header in milliseconds from `now`; 0 if it is missing or invalid. */
export function askedPauseMs(status: number | null, retryAfter: string | undefined, now: Date): number {
  if (status === null || !LATER.has(status) || retryAfter === undefined) return 0
  const written = retryAfter.trim()
  if (SECONDS.test(written)) return Number.parseInt(written, 10) * 1000
  const at = DATE.test(written) ? Date.parse(written) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}

/** The pause before the next try: the longer of ours and the requested one, at most an hour more than ours. */
export const politePauseMs = (oursMs: number, askedMs: number): number => Math.min(Math.max(oursMs, askedMs), oursMs + POLITE_MS)
