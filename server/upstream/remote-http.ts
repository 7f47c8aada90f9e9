const BODY_BYTES_MAX = 256 * 1_024

/** Whether a request can be made of these at all. fetch's own errors quote a bad header or URL, so they are provoked once and not handed on. */
export function canRequest(url: string, headers: Record<string, string>): boolean {
  try {
    return /^https?:/i.test(url) && new Request(url, { headers }).url !== ''
  } catch {
    return false
  }
}

/** A bounded body as text. Throws when it breaks off or is too long. */
export async function bodyOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > BODY_BYTES_MAX) throw new Error('too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** What the text says as JSON. The parser's error would quote the body, which belongs in no log. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Failures of name resolution, of the connection itself and of its certificate: all before a byte of HTTP.
const BEFORE_HTTP =
  /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/

/**
 * What an error of fetch says about the connection: only codes, because its messages name hosts. `connected` is false only when
 * every code says that no connection came about; whatever else happened, the request may have arrived.
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
  // Several addresses of one host fail each in their own way.
  if (code !== null && !(error instanceof AggregateError)) yield code
  for (const cause of causes) yield* codesIn(cause, depth + 1)
}
