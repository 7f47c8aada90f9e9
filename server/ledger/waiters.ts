/**
 * How a wait ended: the settlement may be answerable; it will not be signed because it would fail; the deadline passed; or the caller
 * hung up.
 */
export type WaitEnd = 'woken' | 'underfunded' | 'deadline' | 'hung-up'

/** The waiting requests of this process: at most one per settlement, as the ledger's waiter column says. */
export type Waiters = {
  wait(settlementId: string, deadlineMs: number, hangUp: AbortSignal): Promise<WaitEnd>
  /** Wakes the request that waits for a settlement here; without one, notifies the other processes. */
  wake(settlementId: string, how?: 'woken' | 'underfunded'): void
  /** Wakes the request that waits for a settlement here after a notice from another process. */
  wakeHere(settlementId: string, how?: 'woken' | 'underfunded'): void
  /** The settlements with a waiting request here. */
  waitedFor(): string[]
}

/** A registry of waiting requests, bounded by the open requests. `announce` notifies other processes. */
export function createWaiters(announce: (settlementId: string, how: 'woken' | 'underfunded') => void): Waiters {
  const waiting = new Map<string, (how: WaitEnd) => void>()
  return {
    wait(settlementId, deadlineMs, hangUp) {
      return new Promise((resolve) => {
        const end = (how: WaitEnd) => {
          clearTimeout(timer)
          hangUp.removeEventListener('abort', hungUp)
          // A later request may wait instead by now.
          if (waiting.get(settlementId) === end) waiting.delete(settlementId)
          resolve(how)
        }
        const hungUp = () => end('hung-up')
        const timer = setTimeout(() => end('deadline'), deadlineMs)
        waiting.set(settlementId, end)
        if (hangUp.aborted) hungUp()
        else hangUp.addEventListener('abort', hungUp)
      })
    },
    wake(settlementId, how = 'woken') {
      const end = waiting.get(settlementId)
      if (end) end(how)
      else announce(settlementId, how)
    },
    wakeHere: (settlementId, how = 'woken') => waiting.get(settlementId)?.(how),
    waitedFor: () => [...waiting.keys()],
  }
}
