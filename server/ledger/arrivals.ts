/** Settle requests whose payments may soon be queued, by network. */
export type Arrivals = {
  /** Counts a request. Call the result when its payment is queued or will not be; later calls change nothing. */
  add(network: string): () => void
  /** Whether requests are on their way, and one of them came a moment ago. */
  areComing(network: string): boolean
  /** Calls the listener when no request of the network is left. */
  onNone(network: string, listener: () => unknown): void
}

/** Slow judgements alone must not delay others: after so long, only a newer request makes a batch wait. */
const NEW_MS = 100

/** No arrivals yet. */
export function createArrivals(): Arrivals {
  // Requests name networks: only those in use are kept.
  const coming = new Map<string, { count: number; newestAt: number }>()
  const listeners = new Map<string, (() => unknown)[]>()

  function leave(network: string): void {
    const left = coming.get(network)
    if (left && --left.count > 0) return
    coming.delete(network)
    for (const listener of listeners.get(network) ?? []) listener()
  }

  return {
    areComing: (network) => performance.now() - (coming.get(network)?.newestAt ?? Number.NEGATIVE_INFINITY) < NEW_MS,
    add(network) {
      let isOver = false
      coming.set(network, { count: (coming.get(network)?.count ?? 0) + 1, newestAt: performance.now() })
      return () => {
        if (!isOver) leave(network)
        isOver = true
      }
    },
    onNone(network, listener) {
      listeners.set(network, [...(listeners.get(network) ?? []), listener])
    },
  }
}

/** A batch waits no longer than this for requests that are being judged: a tenth of the shortest block time. */
const GATHER_MS = 20

type Batch = { size(): number; sharing(): number; hasReturned(): boolean }

/** Says how long a lane's next batch still waits for requests that are being judged. With none of them, no payment waits. */
export function createGathering({ arrivals, batchMax }: { arrivals: Arrivals; batchMax: number }, network: string) {
  let since: number | null = null
  return {
    /** Milliseconds; zero when the batch is full, when nothing arrives, and when a returned payment or one that is sent alone waits. */
    msFor(queue: Batch): number {
      const sharing = queue.sharing()
      const hasRoom = sharing > 0 && sharing < batchMax && sharing === queue.size() && !queue.hasReturned()
      since = hasRoom && arrivals.areComing(network) ? (since ?? performance.now()) : null
      const left = since === null ? 0 : since + GATHER_MS - performance.now()
      if (left <= 0) since = null
      return Math.max(left, 0)
    },
  }
}
