import { scrub } from '../../base/log'
import { inTime } from '../../base/timing'

const TIMEOUT_MS = 10_000

/** The doctor's finding on one subject: a short `summary` without secret or URL, and a `fix` if something is wrong. */
export type Finding = { what: string } & (
  | { status: 'ok' | 'not configured'; summary: string }
  | { status: 'wrong' | 'warning'; summary: string; fix: string }
)

/** The subject is fine. */
export const ok = (what: string, summary: string): Finding => ({ what, status: 'ok', summary })

/** The subject is switched off, with the routes that need it. */
export const unset = (what: string, summary: string): Finding => ({ what, status: 'not configured', summary })

/** The subject is wrong, with its fix. */
export const wrong = (what: string, summary: string, fix: string): Finding => ({ what, status: 'wrong', summary, fix })

/** The subject lacks something that the operator may want, with what to do. Not a fault. */
export const warning = (what: string, summary: string, fix: string): Finding => ({ what, status: 'warning', summary, fix })

/** Runs a check. A check that throws or hangs becomes a finding too. */
export async function check(what: string, fix: string, run: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await inTime(run(), TIMEOUT_MS)].flat()
  } catch (error) {
    return [wrong(what, scrub(error instanceof Error ? shortOf(error) : String(error)), fix)]
  }
}

// Long error messages of libraries quote requests.
function shortOf(error: Error): string {
  const short = 'shortMessage' in error && typeof error.shortMessage === 'string' ? error.shortMessage : error.message
  return short.split('\n').filter(Boolean).at(-1) ?? error.name
}
