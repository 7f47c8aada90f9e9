/** The statuses whose `Retry-After` we respect. */
const LATER: ReadonlySet<number> = new Set([429, 503])
const SECONDS = /^\d+$/
// The date format of RFC 9110; its two obsolete forms are ignored.
const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const POLITE_MS = 3_600_000

/** The pause of a `Retry-After` header in milliseconds from `now`; 0 if it is missing or invalid. */
export function askedPauseMs(status: number | null, retryAfter: string | undefined, now: Date): number {
  if (status === null || !LATER.has(status) || retryAfter === undefined) return 0
  const written = retryAfter.trim()
  if (SECONDS.test(written)) return Number.parseInt(written, 10) * 1000
  const at = DATE.test(written) ? Date.parse(written) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}

/** The pause before the next try: the longer of ours and the requested one, at most an hour more than ours. */
export const politePauseMs = (oursMs: number, askedMs: number): number => Math.min(Math.max(oursMs, askedMs), oursMs + POLITE_MS)
