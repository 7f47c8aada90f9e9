/** A task that repeats until stopped, one run at a time. */
export type Loop = {
  /** Runs the task now, or once more right after the run in progress. */
  kick(): void
  /** Stops the repetition and waits for the run in progress. */
  stop(): Promise<void>
}

/** How often a loop asks for work that is not announced: the usual pause, and the longest one while it finds none. */
export type Pauses = { usualMs: number; idleMs: number }

/** Behind the response that announces the work, so that it does not delay that response. */
const EXPECTED_MS = 100

/**
 * The pause after each round, by whether it found work: the usual one after work, then doubled with each round without any. `expect`:
 * work may come, so a loop in a longer pause asks soon, and then as often as usual.
 */
export function createPauses({ usualMs, idleMs }: Pauses): { after(found: boolean): number; expect(loop: Loop): void } {
  let pause = usualMs
  return {
    after(found) {
      pause = found ? usualMs : Math.min(2 * pause, Math.max(idleMs, usualMs))
      return pause
    },
    expect(loop) {
      if (pause <= usualMs) return
      pause = usualMs / 2
      setTimeout(loop.kick, EXPECTED_MS).unref()
    },
  }
}

/**
 * Repeats a task: after each run it waits for the milliseconds that the run returned, or until kicked when that is
 * null. On an error it calls `onError` and retries after `retryMs`, then after twice and four times as long. A long task calls
 * `isStopped` between its parts.
 */
export function startLoop(
  task: (isStopped: () => boolean) => Promise<number | null>,
  onError: (error: unknown) => void,
  retryMs: number,
): Loop {
  let stopped = false
  let kicked = true
  let failures = 0
  let wake = () => {}
  const rest = (ms: number | null) =>
    new Promise<void>((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (kicked || stopped) wake()
    })
  const ended = (async () => {
    while (!stopped) {
      kicked = false
      const pause = await task(() => stopped).then(
        (ms) => {
          failures = 0
          return ms
        },
        (error: unknown) => {
          onError(error)
          return retryMs * Math.min(2 ** failures++, 4)
        },
      )
      if (!stopped) await rest(pause)
    }
  })()
  return {
    kick() {
      kicked = true
      wake()
    },
    stop() {
      stopped = true
      wake()
      return ended
    },
  }
}
