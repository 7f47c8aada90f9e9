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
