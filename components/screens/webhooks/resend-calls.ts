/** The most messages of one run. */
export const RESENT_MAX = 1_000
// The service takes five calls a second.
const PAUSE_MS = 300

type Call = (cursor: string | null) => Promise<{ resent: number; cursor: string | null }>

/**
 * Calls until nothing is left, or 1,000 messages are sent again; tells how many so far. An error ends it: what was begun before goes on.
 */
export async function resendAll(
  call: Call,
  progress: (resent: number) => void,
  pauseMs = PAUSE_MS,
): Promise<{ resent: number; error: Error | null }> {
  let resent = 0
  let cursor: string | null = null
  try {
    do {
      const answer: Awaited<ReturnType<Call>> = await call(cursor)
      resent += answer.resent
      cursor = answer.cursor
      progress(resent)
      if (cursor !== null) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    } while (cursor !== null && resent < RESENT_MAX)
    return { resent, error: null }
  } catch (error) {
    return { resent, error: error instanceof Error ? error : new Error(String(error)) }
  }
}
