import { setTimeout as delay } from 'node:timers/promises'

export type RetryOptions = {
  /** Receives one line when the wait is long. */
  say?: ((line: string) => void) | undefined
  signal?: AbortSignal | undefined
  forMs?: number | undefined
}

const defaultMs = 120_000
const noticeMs = 5_000
const pauseMs = 500

/** Thrown by work that got no answer: `retryUntilAnswered` tries again. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

/**
 * Runs `work` again until the named part of the local world answers; `work` must be safe to repeat. Says what it waits for, and throws an
 * error that names the part when the time is over. Any other error is thrown at once.
 */
export async function retryUntilAnswered<T>(part: string, work: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { say = () => {}, signal, forMs = defaultMs } = options
  const began = Date.now()
  let noticed = false
  const notice = (): void => {
    if (!noticed) say(`Waiting for ${part} to answer; a busy machine may take a minute.`)
    noticed = true
  }
  const timer = setTimeout(notice, noticeMs)
  try {
    for (;;) {
      try {
        return await work()
      } catch (cause) {
        signal?.throwIfAborted()
        const silence = silenceIn(cause)
        if (silence === undefined) throw cause
        const waitedMs = Date.now() - began
        if (waitedMs >= forMs)
          throw new Error(`${part} did not answer within ${Math.round(waitedMs / 1_000)} s: ${silence}`, { cause })
        notice()
      }
      await delay(pauseMs, undefined, { signal })
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Passes each line on once: several steps may wait for the same part. */
export function withoutRepeats(say: (line: string) => void): (line: string) => void {
  const said = new Set<string>()
  return (line) => {
    if (!said.has(line)) say(line)
    said.add(line)
  }
}

const silent = new Set(['NoAnswerError', 'TimeoutError', 'HttpRequestError', 'WaitForTransactionReceiptTimeoutError'])

/** The first line of the error that means "no answer"; undefined for any other error. */
function silenceIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (silent.has(error.name) || error.message === 'fetch failed') return error.message.split('\n')[0]
  return silenceIn(error.cause)
}
