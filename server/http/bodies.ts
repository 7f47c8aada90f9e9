import { IncomingMessage } from 'node:http'
import { ServiceError } from '../base/errors'
import { malformed, parseJson } from '../x402/json'

/** Callbacks while one request's body is read from its socket. */
export type BodyMeter = {
  limit: number
  /** Called once before the first read: a client that waits for `100 Continue` may send now. */
  begin: () => void
  /** Called with the size of each received chunk. */
  count: (bytes: number) => void
}

/** The declared length of a body; undefined if it is chunked. A request with neither header has no body. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

/** The refusal of a body over its limit. */
export function bodyTooLarge(limit: number): ServiceError {
  return new ServiceError('too_large', `the body is larger than ${limit / 1_024} KB, the limit of this route`, {
    reason: 'payload_too_large',
  })
}

/** The body as a web stream. It reads the socket on demand, and fails beyond the limit or when the client disconnects. */
export function bodyStream(req: IncomingMessage, meter: BodyMeter): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(new Intake(req, meter), { highWaterMark: 0 })
}

class Intake implements UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> {
  readonly #req: IncomingMessage
  readonly #meter: BodyMeter
  #received = 0
  #state: 'untouched' | 'open' | 'over' = 'untouched'

  constructor(req: IncomingMessage, meter: BodyMeter) {
    this.#req = req
    this.#meter = meter
  }

  pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void {
    if (this.#state === 'untouched') this.#listen(controller)
    if (this.#state === 'open') this.#req.resume()
  }

  cancel(): void {
    this.#state = 'over'
  }

  #listen(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void {
    this.#state = 'open'
    const { limit, count, begin } = this.#meter
    if ((declaredLength(this.#req) ?? 0) > limit) {
      this.#end(() => controller.error(bodyTooLarge(limit)))
      return
    }
    this.#req.on('data', (piece: Buffer<ArrayBuffer>) => {
      this.#received += piece.length
      count(piece.length)
      if (this.#received > limit) this.#end(() => controller.error(bodyTooLarge(limit)))
      if (this.#state === 'over') return
      controller.enqueue(piece)
      this.#req.pause()
    })
    this.#req.once('end', () => this.#end(() => controller.close()))
    this.#req.once('close', () =>
      this.#end(() => controller.error(new ServiceError('bad_request', 'the client disconnected before its body was complete'))),
    )
    begin()
  }

  #end(act: () => void): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    act()
  }
}

/** Buffers a body of unknown length and returns a request that replays it, because Next has no body limit. Rejects beyond the limit. */
export async function boundedCopy(req: IncomingMessage, meter: BodyMeter): Promise<IncomingMessage> {
  const pieces: Uint8Array[] = []
  const reader = bodyStream(req, meter).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value)

  const copy = new IncomingMessage(req.socket)
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = req
  Object.assign(copy, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor, complete: true })
  copy.push(Buffer.concat(pieces))
  copy.push(null)
  return copy
}

/** Body limits in bytes. */
export const PAYMENT_BODY_LIMIT = 16_384
export const DEFAULT_BODY_LIMIT = 4_096

/** Reads a JSON body; an empty one becomes `absent`. Throws `too_large` beyond the limit, `bad_request` if it is not JSON. */
export async function readJson(request: Request, limit: number, absent?: object): Promise<unknown> {
  return (await readBody(request, limit, absent)).json
}

/** As `readJson`, with the original bytes. */
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

/** The bytes of a body. Throws `too_large` as soon as they exceed the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
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
