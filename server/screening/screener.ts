/** The verdict of a KYT service on an address. There is no third one: an unknown verdict is a rejection. */
export type Verdict = 'clear' | 'flagged'

/**
 * Requests the verdict on one address from a KYT service: a new vendor is one such function. Rejects within its own timeout when there is
 * none; errors name no URL, key or address. `markTooOften` marks the error of a rate limit.
 */
export type Screener = (address: string) => Promise<Verdict>

/** The service's "too many requests", with its `Retry-After` if it sent one. */
type TooOften = { retryAfter: string | undefined }

const tooOften = new WeakMap<object, TooOften>()

/** Marks a screener's error as the rate limit of its service. */
export function markTooOften(error: Error, limit: TooOften): void {
  tooOften.set(error, limit)
}

/** The rate limit in a screener's error; null for any other error. */
export function tooOftenIn(error: unknown): TooOften | null {
  return (typeof error === 'object' && error !== null && tooOften.get(error)) || null
}
