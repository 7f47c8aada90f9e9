/** Answers that say "later", and may say when. */
const LATER: ReadonlySet<number> = new Set([429, 503])
const SECONDS = /^\d+$/
// As RFC 9110 has dates written; the two older forms are not in use.
const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const POLITE_MS = 3_600_000

/** The milliseconds from `now` on for which an answer asks to be left alone (`Retry-After`). 0 for one that asks for nothing, or unreadably. */
export function askedPauseMs(status: number | null, retryAfter: string | undefined, now: Date): number {
  if (status === null || !LATER.has(status) || retryAfter === undefined) return 0
  const written = retryAfter.trim()
  if (SECONDS.test(written)) return Number.parseInt(written, 10) * 1000
  const at = DATE.test(written) ? Date.parse(written) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}

/** The pause before the next try: ours, or what was asked for where that is longer, by an hour at most. */
export const politePauseMs = (oursMs: number, askedMs: number): number => Math.min(Math.max(oursMs, askedMs), oursMs + POLITE_MS)
