import { IncomingMessage } from 'node:http'
import { malformed, parseJson } from '../x402/json'
import { type BodyMeter, bodyTooLarge, wholeBody } from './intake'
import { ServedRequest } from './served-request'

/** Buffers a body of unknown length and returns a request that replays it, because Next has no body limit. Rejects beyond the limit. */
export async function boundedCopy(req: IncomingMessage, meter: BodyMeter): Promise<IncomingMessage> {
  const bytes = await wholeBody(req, meter)
  const copy = new IncomingMessage(req.socket)
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = req
  Object.assign(copy, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor, complete: true })
  copy.push(bytes)
  copy.push(null)
  return copy
}

/** Body limits in bytes. */
export const PAYMENT_BODY_LIMIT = 16_384
/** A hundred claims take 62 KB, with the longest amounts 65 KB. */
export const CLAIMS_BODY_LIMIT = 131_072
export const DEFAULT_BODY_LIMIT = 4_096

/** Reads a JSON body; an empty one becomes `absent`. Throws `too_large` beyond the limit, `bad_request` if it is not JSON. */
export async function readJson(request: Request, limit: number, absent?: object): Promise<unknown> {
  return (await readBody(request, limit, { absent })).json
}

/** A lower limit of bodies that do not contain a text. */
type Lower = { unless: string; limit: number }

/** As `readJson`, with the original bytes. */
export async function readBody(
  request: Request,
  limit: number,
  { absent, lower }: { absent?: object | undefined; lower?: Lower } = {},
): Promise<{ json: unknown; bytes: Uint8Array }> {
  const bytes = await readBytes(request, limit)
  if (lower && bytes.length > lower.limit && !Buffer.from(bytes).includes(lower.unless)) throw bodyTooLarge(lower.limit)
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

/** The bytes of a body. Throws `too_large` as soon as they exceed the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (ServedRequest.is(request)) return request.whole(limit)
  if (!request.body) return new Uint8Array()
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = request.body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > limit) {
      await reader.cancel()
      throw bodyTooLarge(limit)
    }
    pieces.push(next.value)
  }
  return Buffer.concat(pieces)
}
