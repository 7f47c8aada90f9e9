import type { IncomingMessage, ServerResponse } from 'node:http'
import { type BodyMeter, bodyStream } from './bodies'

// Handlers must not trust the request's host: links and SIWE domains come from the configuration.
const ORIGIN = 'http://localhost'

/** The web Request for a handler. Its signal aborts if the client disconnects before the response is complete. */
export function webRequest(req: IncomingMessage, res: ServerResponse, target: string, meter: BodyMeter): Request {
  return new LazyRequest(req, res, target, meter)
}

/** Builds headers, body and signal on first use, because they are the most expensive part of a request. */
class LazyRequest extends Request {
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #target: string
  readonly #meter: BodyMeter
  #headers: Headers | undefined
  #signal: AbortSignal | undefined
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined

  constructor(req: IncomingMessage, res: ServerResponse, target: string, meter: BodyMeter) {
    super(ORIGIN)
    this.#req = req
    this.#res = res
    this.#target = target
    this.#meter = meter
  }

  override get method(): string {
    return this.#req.method === 'HEAD' ? 'GET' : (this.#req.method ?? 'GET')
  }

  override get url(): string {
    return ORIGIN + this.#target
  }

  override get headers(): Headers {
    this.#headers ??= new Headers(headerPairs(this.#req))
    return this.#headers
  }

  override get signal(): AbortSignal {
    this.#signal ??= hangUpSignal(this.#res)
    return this.#signal
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.method === 'GET') return null
    this.#body ??= bodyStream(this.#req, this.#meter)
    return this.#body
  }

  // The base class has its own body, which is empty.
  override get bodyUsed(): boolean {
    return this.#body?.locked ?? false
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return this.#read().arrayBuffer()
  }

  override blob(): Promise<Blob> {
    return this.#read().blob()
  }

  override formData(): Promise<FormData> {
    return this.#read().formData()
  }

  override json(): Promise<unknown> {
    return this.#read().json()
  }

  override text(): Promise<string> {
    return this.#read().text()
  }

  override clone(): never {
    throw new TypeError('This request has a body that can be read only once; it cannot be cloned.')
  }

  #read(): Response {
    return new Response(this.body, { headers: { 'content-type': this.headers.get('content-type') ?? '' } })
  }
}

function hangUpSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (res.destroyed && !res.writableFinished) controller.abort()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}

function headerPairs({ headers }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) pairs.push([name, typeof value === 'string' ? value : value.join(', ')])
  }
  return pairs
}

// Responses up to this size are sent with their length; longer ones and event streams are streamed.
const WHOLE_BYTES = 65_536

/** Writes a handler's Response to the socket with backpressure. Rejects if the response's stream fails. */
export async function writeResponse(res: ServerResponse, response: Response): Promise<void> {
  if (res.destroyed) {
    await response.body?.cancel()
    return
  }
  res.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name === 'set-cookie') res.appendHeader(name, value)
    else res.setHeader(name, value)
  }
  if (!response.body) {
    res.end()
    return
  }
  const reader = response.body.getReader()
  const flows = response.headers.get('content-type')?.startsWith('text/event-stream')
  const pieces: Uint8Array[] = []
  let bytes = 0
  let next = await reader.read()
  while (!next.done && !flows && bytes <= WHOLE_BYTES) {
    pieces.push(next.value)
    bytes += next.value.length
    next = await reader.read()
  }
  if (next.done) {
    sendWhole(res, pieces, bytes)
    return
  }
  await flow(res, reader, [...pieces, next.value])
}

function sendWhole(res: ServerResponse, pieces: Uint8Array[], bytes: number): void {
  if (!res.hasHeader('content-length')) res.setHeader('content-length', bytes)
  // A latin1 string keeps the bytes, and Node writes it together with the headers.
  res.end(Buffer.concat(pieces).toString('latin1'), 'latin1')
}

async function flow(res: ServerResponse, reader: ReadableStreamDefaultReader<Uint8Array>, pieces: Uint8Array[]): Promise<void> {
  // A cancelled reader returns `done`, so a disconnected client ends the loop below.
  res.once('close', () => void reader.cancel().catch(() => {}))
  if (res.req.method === 'HEAD') {
    res.end()
    return
  }
  for (const piece of pieces) res.write(piece)
  for (;;) {
    if (res.writableNeedDrain) await roomOrEnd(res)
    const next = await reader.read()
    if (next.done) break
    res.write(next.value)
  }
  res.end()
}

function roomOrEnd(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done)
      res.off('close', done)
      resolve()
    }
    res.once('drain', done)
    res.once('close', done)
  })
}
