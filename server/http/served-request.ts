import type { IncomingMessage, ServerResponse } from 'node:http'
import { type BodyMeter, bodyStream, wholeBody } from './intake'

// Handlers must not trust the request's host: links and SIWE domains come from the configuration.
const ORIGIN = 'http://localhost'

/**
 * The web Request for a handler. Its signal aborts if the client disconnects before the response is complete. Headers, body and signal are
 * built on first use, and no Request of the platform is: they cost more than all else that HTTP takes.
 */
export class ServedRequest implements Request {
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #target: string
  readonly #meter: BodyMeter
  #headers: Headers | undefined
  #signal: AbortSignal | undefined
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined
  #whole: Promise<Uint8Array<ArrayBuffer>> | undefined

  constructor(req: IncomingMessage, res: ServerResponse, target: string, meter: BodyMeter) {
    this.#req = req
    this.#res = res
    this.#target = target
    this.#meter = meter
  }

  get method(): string {
    return this.#req.method === 'HEAD' ? 'GET' : (this.#req.method ?? 'GET')
  }

  get url(): string {
    return ORIGIN + this.#target
  }

  get headers(): Headers {
    this.#headers ??= new Headers(headerPairs(this.#req))
    return this.#headers
  }

  get signal(): AbortSignal {
    this.#signal ??= hangUpSignal(this.#res)
    return this.#signal
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.method === 'GET') return null
    if (this.#whole) throw new TypeError('The body of this request was read as a whole.')
    this.#body ??= bodyStream(this.#req, this.#meter)
    return this.#body
  }

  get bodyUsed(): boolean {
    return this.#whole !== undefined || (this.#body?.locked ?? false)
  }

  // What only a browser's request says; these are the defaults of the platform.
  get cache() {
    return 'default' as const
  }
  get credentials() {
    return 'same-origin' as const
  }
  get destination() {
    return '' as const
  }
  get integrity() {
    return '' as const
  }
  get keepalive() {
    return false as const
  }
  get mode() {
    return 'cors' as const
  }
  get redirect() {
    return 'follow' as const
  }
  get referrer() {
    return 'about:client' as const
  }
  get referrerPolicy() {
    return '' as const
  }

  /** Whether it is a request of our server. */
  static is(request: Request): request is ServedRequest {
    return #whole in request
  }

  /** The whole body, without a stream. Rejects with `too_large` beyond this limit or the route's, and when the client disconnects. */
  whole(limit = this.#meter.limit): Promise<Uint8Array<ArrayBuffer>> {
    if (this.method === 'GET') return Promise.resolve(new Uint8Array())
    this.#whole ??= wholeBody(this.#req, { ...this.#meter, limit: Math.min(limit, this.#meter.limit) })
    return this.#whole
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.whole()
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#read().arrayBuffer()
  }

  blob(): Promise<Blob> {
    return this.#read().blob()
  }

  formData(): Promise<FormData> {
    return this.#read().formData()
  }

  json(): Promise<unknown> {
    return this.#read().json()
  }

  text(): Promise<string> {
    return this.#read().text()
  }

  clone(): never {
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
