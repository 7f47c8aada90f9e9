import { scrub } from '../../log'
import { inTime } from '../../timing'

export const PATIENCE_MS = 10_000

/** What the doctor found out about one thing: `said` in a few words without a secret or a URL, `mend` where something is to be done. */
export type Finding = { what: string } & (
  | { standing: 'ok' | 'not configured'; said: string }
  | { standing: 'wrong'; said: string; mend: string }
)

/** All is well. */
export const ok = (what: string, said: string): Finding => ({ what, standing: 'ok', said })

/** It is switched off, and so are the routes that need it. */
export const unset = (what: string, said: string): Finding => ({ what, standing: 'not configured', said })

/** Something is wrong, and how to mend it. */
export const wrong = (what: string, said: string, mend: string): Finding => ({ what, standing: 'wrong', said, mend })

/** What a look found, or that it failed: a look that throws or hangs is a finding too. */
export async function looked(what: string, mend: string, look: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await inTime(look(), PATIENCE_MS)].flat()
  } catch (error) {
    return [wrong(what, scrub(error instanceof Error ? shortOf(error) : String(error)), mend)]
  }
}

// Long messages of libraries quote requests.
export function shortOf(error: Error): string {
  const short = 'shortMessage' in error && typeof error.shortMessage === 'string' ? error.shortMessage : error.message
  return short.split('\n').filter(Boolean).at(-1) ?? error.name
}
