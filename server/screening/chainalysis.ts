import { z } from 'zod'

/** What a KYT service says of an address. There is no third verdict: what is not known is a rejection. */
export type Verdict = 'clear' | 'flagged'

/**
 * Asks a KYT service for the verdict on one address. Rejects, within a time of its own, whenever the verdict is not known; its
 * errors name neither the service's URL, nor a key, nor the address.
 */
export type Screener = (address: string) => Promise<Verdict>

/** What the service said when it was called too often: its `Retry-After`, where it sent one. */
export type TooOften = { retryAfter: string | undefined }

const tooOften = new WeakMap<object, TooOften>()

/** What the rejection of a screener tells when the service was called too often, else null. */
export function tooOftenIn(error: unknown): TooOften | null {
  return (typeof error === 'object' && error !== null && tooOften.get(error)) || null
}

const TIMEOUT_MS = 2_000
const BODY_BYTES_MAX = 64 * 1_024

const Answer = z.object({ identifications: z.array(z.unknown()) })

/**
 * A screener that asks `GET {url}/address/<address>` of a Chainalysis-style service: flagged when it lists identifications,
 * clear when its list is empty. Without a key no `X-API-Key` is sent. Throws when no request can be made of the URL and the key.
 */
export function chainalysis(url: string, key: string | undefined, timeoutMs = TIMEOUT_MS): Screener {
  const base = url.replace(/\/+$/, '')
  const headers = { accept: 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) }
  requireUsable(base, headers)
  return (address) =>
    within(timeoutMs, async (signal) => {
      const target = `${base}/address/${encodeURIComponent(address)}`
      const response = await fetch(target, { headers, redirect: 'manual', signal }).catch((cause: unknown) => {
        throw new Error('the KYT service cannot be reached', { cause })
      })
      if (response.status !== 200) throw answeredWith(response)
      return verdictIn(await bodyOf(response))
    })
}

function answeredWith({ status, headers }: Response): Error {
  const error = new Error(`the KYT service answered with status ${status}`)
  if (status === 429) tooOften.set(error, { retryAfter: headers.get('retry-after') ?? undefined })
  return error
}

// Errors of fetch quote a bad key or URL, so they are provoked here, once, and not handed on.
function requireUsable(url: string, headers: Record<string, string>): void {
  const usable = /^https?:/i.test(url) && URL.canParse(url) && canRequest(url, headers)
  if (!usable) throw new Error('the URL of the KYT service or its API key cannot be used in a request')
}

function canRequest(url: string, headers: Record<string, string>): boolean {
  try {
    return new Request(url, { headers }).url !== ''
  } catch {
    return false
  }
}

function verdictIn(body: string): Verdict {
  const parsed = Answer.safeParse(jsonOrUndefined(body))
  if (!parsed.success) throw new Error('the KYT service answered with something else than identifications in JSON')
  return parsed.data.identifications.length === 0 ? 'clear' : 'flagged'
}

// The parser's error quotes the body, which belongs in no log.
function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function bodyOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of response.body ?? []) {
      size += piece.length
      if (size > BODY_BYTES_MAX) break
      pieces.push(piece)
    }
  } catch (cause) {
    throw new Error('the answer of the KYT service broke off', { cause })
  }
  if (size > BODY_BYTES_MAX) throw new Error(`the KYT service answered with more than ${BODY_BYTES_MAX / 1_024} KB`)
  return Buffer.concat(pieces).toString()
}

/** The step's result if it comes in time. A step that fails or is late is told to stop, so that no connection outlives it. */
async function within<T>(timeoutMs: number, step: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the KYT service gave no complete answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    // The race, and not the signal alone, keeps the time: it holds whatever fetch makes of the signal.
    return await Promise.race([step(controller.signal), late])
  } catch (error) {
    controller.abort()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
