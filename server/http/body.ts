import { ServiceError } from '../errors'
import { malformed, parseJson } from '../x402/json'

/** Body limits in bytes. */
export const PAYMENT_BODY_LIMIT = 16_384
export const DEFAULT_BODY_LIMIT = 4_096

/**
 * Reads a JSON body, counting its bytes as they come; `absent` stands for one that is empty. Throws `too_large` past the limit and
 * `bad_request` for what is not JSON.
 */
export async function readJson(request: Request, limit: number, absent?: object): Promise<unknown> {
  return (await readBody(request, limit, absent)).json
}

/** As `readJson`, with the bytes as they were sent. */
export async function readBody(request: Request, limit: number, absent?: object): Promise<{ json: unknown; bytes: Uint8Array }> {
  const bytes = await readBytes(request, limit)
  if (bytes.length === 0) {
    if (absent) return { json: absent, bytes }
    throw malformed('the body is empty; send a JSON object')
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw malformed('the body is not UTF-8', cause)
  }
  return { json: parseJson(text, 'the body'), bytes }
}

/** The bytes of a body, counted as they come. Throws `too_large` past the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = request.body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > limit) {
      await reader.cancel()
      throw new ServiceError('too_large', `the body is larger than the ${limit / 1_024} KB this route accepts`, {
        reason: 'payload_too_large',
      })
    }
    pieces.push(next.value)
  }
  return Buffer.concat(pieces)
}
