import { scrub } from '../../log'
import { inTime } from '../../timing'

export const TIMEOUT_MS = 10_000

/** What the doctor found out about one thing: `said` in a few words without a secret or a URL, `mend` where something is to be done. */
export type Finding = { what: string } & (
  | { status: 'ok' | 'not configured'; summary: string }
  | { status: 'wrong'; summary: string; fix: string }
)

/** All is well. */
export const ok = (what: string, summary: string): Finding => ({ what, status: 'ok', summary })

/** It is switched off, and so are the routes that need it. */
export const unset = (what: string, summary: string): Finding => ({ what, status: 'not configured', summary })

/** Something is wrong, and how to mend it. */
export const wrong = (what: string, summary: string, fix: string): Finding => ({ what, status: 'wrong', summary, fix })

/** What a look found, or that it failed: a look that throws or hangs is a finding too. */
export async function check(what: string, fix: string, run: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await inTime(run(), TIMEOUT_MS)].flat()
  } catch (error) {
    return [wrong(what, scrub(error instanceof Error ? shortOf(error) : String(error)), fix)]
  }
}

// Long messages of libraries quote requests.
export function shortOf(error: Error): string {
  const short = 'shortMessage' in error && typeof error.shortMessage === 'string' ? error.shortMessage : error.message
  return short.split('\n').filter(Boolean).at(-1) ?? error.name
}
