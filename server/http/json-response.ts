/** A JSON response before anything was read of it. */
export type WholeJson = { status: number; headers: Readonly<Record<string, string>>; text: string }

/** As `Response.json`, at a fraction of its cost: a Response of the platform is built only when a part of it is used. */
export function jsonResponse(body: unknown, { status = 200, headers = {} }: Partial<Omit<WholeJson, 'text'>> = {}): Response {
  return new JsonResponse({ status, headers: { 'content-type': 'application/json', ...headers }, text: JSON.stringify(body) })
}

/** A response of JSON, which our server writes without a stream. */
export class JsonResponse implements Response {
  readonly #whole: WholeJson
  #built: Response | undefined

  constructor(whole: WholeJson) {
    this.#whole = whole
  }

  /** Whether a handler returned a response, not the body of one. Not by the platform's Response alone: libraries replace that. */
  static isResponse(answered: unknown): answered is Response {
    return (typeof answered === 'object' && answered !== null && #whole in answered) || answered instanceof Response
  }

  /** The status, headers and text of a JSON response; null for any other, and for one that may have been changed or read. */
  static wholeOf(response: Response): WholeJson | null {
    return #whole in response && !response.#built ? response.#whole : null
  }

  get #response(): Response {
    this.#built ??= new Response(this.#whole.text, this.#whole)
    return this.#built
  }

  get status(): number {
    return this.#whole.status
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299
  }

  get headers(): Headers {
    return this.#response.headers
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#response.body
  }

  get bodyUsed(): boolean {
    return this.#built?.bodyUsed ?? false
  }

  get redirected(): boolean {
    return false
  }

  get statusText(): string {
    return ''
  }

  get type(): ResponseType {
    return 'default'
  }

  get url(): string {
    return ''
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#response.arrayBuffer()
  }

  blob(): Promise<Blob> {
    return this.#response.blob()
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#response.bytes()
  }

  formData(): Promise<FormData> {
    return this.#response.formData()
  }

  json(): Promise<unknown> {
    return this.#response.json()
  }

  text(): Promise<string> {
    return this.#response.text()
  }

  clone(): Response {
    return this.#response.clone()
  }
}

// It is a Response for `instanceof`, as for everything else.
Object.setPrototypeOf(JsonResponse.prototype, Response.prototype)
