import { z } from 'zod'
import { bodyOf, canRequest, isTooLong, jsonOrUndefined } from '../base/upstream'
import { markTooOften, type Screener, type Verdict } from './screener'

const TIMEOUT_MS = 2_000
const BODY_BYTES_MAX = 64 * 1_024

const Answer = z.object({ identifications: z.array(z.unknown()) })

/**
 * A screener for `GET {url}/address/<address>` of a Chainalysis-style service: flagged when it lists identifications, clear when the
 * list is empty. Without a key it sends no `X-API-Key`. Throws when URL or key cannot be used in a request.
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
      return verdictIn(await bodyOf(response, BODY_BYTES_MAX).catch(unread))
    })
}

function answeredWith({ status, headers }: Response): Error {
  const error = new Error(`the KYT service answered with status ${status}`)
  if (status === 429) markTooOften(error, { retryAfter: headers.get('retry-after') ?? undefined })
  return error
}

// fetch's errors quote a bad key or URL: this check fails first, with an error of ours.
function requireUsable(url: string, headers: Record<string, string>): void {
  if (!canRequest(url, headers)) throw new Error('the URL of the KYT service or its API key cannot be used in a request')
}

function verdictIn(body: string): Verdict {
  const parsed = Answer.safeParse(jsonOrUndefined(body))
  if (!parsed.success) throw new Error('the KYT service did not answer with identifications in JSON')
  return parsed.data.identifications.length === 0 ? 'clear' : 'flagged'
}

function unread(cause: unknown): never {
  const why = isTooLong(cause)
    ? `the KYT service answered with more than ${BODY_BYTES_MAX / 1_024} KB`
    : 'the answer of the KYT service broke off'
  throw new Error(why, { cause })
}

/** The step's result within the timeout. A step that fails or is late is aborted, so that no connection outlives it. */
async function within<T>(timeoutMs: number, step: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the KYT service gave no complete answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    // The race keeps the timeout even if fetch ignores the signal.
    return await Promise.race([step(controller.signal), late])
  } catch (error) {
    controller.abort()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
