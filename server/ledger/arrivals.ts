/** Settle requests whose payments may soon be queued, counted by network. */
export type Arrivals = {
  /** Counts a request. Call the result when its payment is queued or will not be; later calls change nothing. */
  add(network: string): () => void
  count(network: string): number
  /** Calls the listener when no request of the network is left. */
  onNone(network: string, listener: () => unknown): void
}

/** No arrivals yet. */
export function createArrivals(): Arrivals {
  const counts = new Map<string, number>()
  const listeners = new Map<string, (() => unknown)[]>()
  const count = (network: string) => counts.get(network) ?? 0
  return {
    count,
    add(network) {
      let isOver = false
      counts.set(network, count(network) + 1)
      return () => {
        if (isOver) return
        isOver = true
        const left = count(network) - 1
        counts.set(network, left)
        if (left > 0) return
        // Requests name networks: only those in use are kept.
        counts.delete(network)
        for (const listener of listeners.get(network) ?? []) listener()
      }
    },
    onNone(network, listener) {
      listeners.set(network, [...(listeners.get(network) ?? []), listener])
    },
  }
}

/** A batch waits no longer than this for requests that are being judged: a tenth of the shortest block time. */
const GATHER_MS = 20

/** Says how long a lane's next batch still waits for requests that are being judged. A lone payment never waits. */
export function createGathering({ arrivals, batchMax }: { arrivals: Arrivals; batchMax: number }, network: string) {
  let since: number | null = null
  return {
    /** Milliseconds; zero when the batch is full, when nothing arrives, and when a payment that travels alone waits too. */
    msFor(queue: { size(): number; sharing(): number }): number {
      const sharing = queue.sharing()
      const waits = sharing > 0 && sharing < batchMax && sharing === queue.size() && arrivals.count(network) > 0
      since = waits ? (since ?? performance.now()) : null
      const left = since === null ? 0 : since + GATHER_MS - performance.now()
      if (left <= 0) since = null
      return Math.max(left, 0)
    },
  }
}
