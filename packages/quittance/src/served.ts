import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServedStore } from './stores/store'

const SERVED = 'served'
const POLL_MS = 50
/** An answer of another process counts as lost after this many times the time that an answer takes. */
const LEASES = 3

/** Lets each payment have one answer, over all processes that share a store. */
export type Served = {
  /** Whether a payment may still be answered. Waits while another process may be answering it. */
  isOpen: (key: string) => Promise<boolean>
  /** Takes the answer of a payment, before it is sent. False if it was taken before. */
  take: (key: string) => Promise<boolean>
}

/**
 * An answer is marked with this process before it is sent. It counts as sent when this process lives `answerWithinMs` later: a crash in
 * between leaves the mark of a dead process, and the payment may be answered once more. With 0 it counts at once.
 */
export function createServed(store: ServedStore, answerWithinMs: number, now: () => number = () => performance.now()): Served {
  const self = randomUUID()
  const answering = new Set<string>()
  /** Marks that their process did not finish, by payment. */
  const lost = new Map<string, string>()
  /** The value to replace, or `served`. */
  const settledValue = async (key: string): Promise<string | null> => {
    // Only this process's clock counts how long it sees a mark: that of another machine may differ.
    let seen: { value: string; at: number } | undefined
    for (;;) {
      const value = await store.get(key)
      if (value === null || value === SERVED) return value
      if (value === self || answering.has(key)) return SERVED
      if (value === lost.get(key)) return value
      if (seen?.value !== value) seen = { value, at: now() }
      if (now() - seen.at >= LEASES * answerWithinMs) lost.set(key, value)
      else await delay(POLL_MS)
    }
  }
  return {
    isOpen: async (key) => !answering.has(key) && (await settledValue(key)) !== SERVED,
    async take(key) {
      const before = await settledValue(key)
      lost.delete(key)
      if (before === SERVED) return false
      const mark = answerWithinMs === 0 ? SERVED : self
      if (!(await store.replace(key, before, mark))) return false
      if (mark === SERVED) return true
      answering.add(key)
      // A failed write leaves the mark: another process then answers once more, none takes the money again.
      setTimeout(
        () =>
          void store.replace(key, mark, SERVED).then(
            () => answering.delete(key),
            () => answering.delete(key),
          ),
        answerWithinMs,
      )
      return true
    },
  }
}
