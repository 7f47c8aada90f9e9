import { LRUCache } from 'lru-cache'
import { atMost } from '../../base/at-most'

/** One payment's need of its source account. Amounts are atomic units, times monotonic milliseconds. */
export type Spend = {
  source: string
  amount: bigint
  /** The balance left after it when it was judged, and when that was read. */
  headroom: bigint
  readAt: number
  /** Judges it again; null when the chain would reject it now. Throws when no node answers. */
  judgeAgain: () => Promise<bigint | null>
  until: number
}

/**
 * The amounts that payers have in flight, in this process. On Solana a transaction cannot be simulated behind others. A payment for which
 * the amounts in flight may leave too little waits until they have landed, and is judged again. So overspending is not signed, and a
 * payer with enough money is not refused. Each instance counts its own.
 */
type PendingBalances = {
  /** Reserves the amount. `short`: the chain would reject it; `late`: that is not known in time. */
  take(spend: Spend): Promise<'fits' | 'short' | 'late'>
  /** Counts an amount already in flight, at any balance of the account. */
  hold(source: string, amount: bigint): void
  /** Releases a reserved amount: it is spent, or never will be. */
  release(source: string, amount: bigint): void
  /** Ends all waits as late. */
  stop(): void
}

type PendingBalance = { inFlight: bigint; users: number; queue: Promise<void>; wake: () => void }

/** Longer than the time between a judgement and its claim. */
const REMEMBERED_MS = 30_000
const REMEMBERED_MAX = 10_000
const clock = () => performance.now()

/** Empty pending balances. Payments in flight bound their size. */
export function createPendingBalances(): PendingBalances {
  const pendingBalances = new Map<string, PendingBalance>()
  /** When a payment of an account last landed or failed: earlier readings are outdated. */
  const ends = new LRUCache<string, number>({ ...atMost(REMEMBERED_MAX), ttl: REMEMBERED_MS })
  let stopping = false

  function pendingOf(source: string): PendingBalance {
    const pending = pendingBalances.get(source) ?? { inFlight: 0n, users: 0, queue: Promise.resolve(), wake: () => {} }
    pendingBalances.set(source, pending)
    return pending
  }

  function drop(source: string, pending: PendingBalance): void {
    if (pending.users === 0 && pending.inFlight === 0n) pendingBalances.delete(source)
  }

  const isCurrent = (source: string, at: number) => at > (ends.get(source) ?? 0)

  /** The balance left after the payment, read after all ended payments have ended. */
  async function judge({ source, judgeAgain }: Spend): Promise<bigint | null> {
    for (;;) {
      const readAt = clock()
      const left = await judgeAgain()
      if (left === null || isCurrent(source, readAt)) return left
    }
  }

  async function reserve(pending: PendingBalance, spend: Spend): Promise<'fits' | 'short' | 'late'> {
    const { source, amount, until } = spend
    let left = isCurrent(source, spend.readAt) ? spend.headroom : await judge(spend)
    while (left !== null && left < pending.inFlight) {
      if (stopping || clock() >= until) return 'late'
      await nextEnd(pending, until)
      left = await judge(spend)
    }
    if (left === null) return 'short'
    if (stopping) return 'late'
    pending.inFlight += amount
    return 'fits'
  }

  return {
    async take(spend) {
      const pending = pendingOf(spend.source)
      const mine = pending.queue.then(() => reserve(pending, spend))
      pending.users++
      // In order of arrival: the next one is judged behind this one.
      pending.queue = mine.then(
        () => {},
        () => {},
      )
      return mine.finally(() => {
        pending.users--
        drop(spend.source, pending)
      })
    },
    hold(source, amount) {
      pendingOf(source).inFlight += amount
    },
    release(source, amount) {
      const pending = pendingBalances.get(source)
      if (!pending) return
      pending.inFlight -= amount
      ends.set(source, clock())
      pending.wake()
      drop(source, pending)
    },
    stop() {
      stopping = true
      for (const pending of pendingBalances.values()) pending.wake()
    },
  }
}

function nextEnd(pending: PendingBalance, until: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, until - clock()))
    pending.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
