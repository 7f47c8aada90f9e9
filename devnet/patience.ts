import { setTimeout as delay } from 'node:timers/promises'

export type Patience = {
  /** Hears what is waited for. */
  say?: ((line: string) => void) | undefined
  signal?: AbortSignal | undefined
  forMs?: number | undefined
}

const usualMs = 120_000
const noticeMs = 5_000
const pauseMs = 500

/**
 * Does something with a part of a local world, and again while that part does not answer; `work` must be safe to repeat. Says what it waits
 * for, and names it when it gives up. Any other error is thrown at once.
 */
export async function patiently<T>(part: string, work: () => Promise<T>, patience: Patience = {}): Promise<T> {
  const { say = () => {}, signal, forMs = usualMs } = patience
  const began = Date.now()
  let said = false
  const notice = (): void => {
    if (!said) say(`Waiting for ${part} to answer; a busy machine may take a minute.`)
    said = true
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

const silent = new Set(['TimeoutError', 'HttpRequestError', 'WaitForTransactionReceiptTimeoutError'])

/** What an error says of a part that did not answer, in one line; undefined for every other error. */
function silenceIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (silent.has(error.name) || error.message === 'fetch failed') return error.message.split('\n')[0]
  return silenceIn(error.cause)
}
