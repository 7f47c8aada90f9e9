import { LRUCache } from 'lru-cache'

/** What one payment wants of an account. Amounts are atomic units, times milliseconds of a clock that never jumps. */
export type Wish = {
  source: string
  amount: bigint
  /** What was left for others when it was judged, and when the chain was asked for that. */
  headroom: bigint
  askedAt: number
  /** Judges it anew; null when the chain would refuse it now. Throws when the chain does not answer. */
  again: () => Promise<bigint | null>
  until: number
}

/**
 * What payers have on its way, in this process. On Solana a transaction cannot be simulated behind others, so a payment that the money on
 * its way might not leave enough for waits until that has landed, and is judged anew: overspending is not signed, and nobody who can pay
 * is refused. Another instance counts for itself.
 */
export type PendingBalances = {
  /** Reserves the amount: `short` when the chain would refuse it, `late` when that is not known in time. */
  take(wish: Wish): Promise<'fits' | 'short' | 'late'>
  /** Counts what is in flight already, with any balance of the account. */
  hold(source: string, amount: bigint): void
  /** What was reserved is spent, or will never be. */
  give(source: string, amount: bigint): void
  /** Ends all waits as late. */
  stop(): void
}

type PendingBalance = { onItsWay: bigint; users: number; turn: Promise<void>; wake: () => void }

/** Longer than between a judgement and its claim. */
const REMEMBERED_MS = 30_000
const REMEMBERED_MAX = 10_000
const clock = () => performance.now()

/** Empty pending balances. The payments in flight bound them. */
export function createPendingBalances(): PendingBalances {
  const pendingBalances = new Map<string, PendingBalance>()
  /** When something of an account last landed or failed: what was said of it before is old news. */
  const ends = new LRUCache<string, number>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS })
  let stopping = false

  function pendingOf(source: string): PendingBalance {
    const pending = pendingBalances.get(source) ?? { onItsWay: 0n, users: 0, turn: Promise.resolve(), wake: () => {} }
    pendingBalances.set(source, pending)
    return pending
  }

  function drop(source: string, pending: PendingBalance): void {
    if (pending.users === 0 && pending.onItsWay === 0n) pendingBalances.delete(source)
  }

  const isNews = (source: string, at: number) => at > (ends.get(source) ?? 0)

  /** What is left after the payment, as of a moment after everything that ended has ended. */
  async function judge({ source, again }: Wish): Promise<bigint | null> {
    for (;;) {
      const askedAt = clock()
      const left = await again()
      if (left === null || isNews(source, askedAt)) return left
    }
  }

  async function measure(pending: PendingBalance, wish: Wish): Promise<'fits' | 'short' | 'late'> {
    const { source, amount, until } = wish
    let left = isNews(source, wish.askedAt) ? wish.headroom : await judge(wish)
    while (left !== null && left < pending.onItsWay) {
      if (stopping || clock() >= until) return 'late'
      await nextEnd(pending, until)
      left = await judge(wish)
    }
    if (left === null) return 'short'
    if (stopping) return 'late'
    pending.onItsWay += amount
    return 'fits'
  }

  return {
    async take(wish) {
      const pending = pendingOf(wish.source)
      const mine = pending.turn.then(() => measure(pending, wish))
      pending.users++
      // In the order in which they came: the next one is measured behind this one.
      pending.turn = mine.then(
        () => {},
        () => {},
      )
      return mine.finally(() => {
        pending.users--
        drop(wish.source, pending)
      })
    },
    hold(source, amount) {
      pendingOf(source).onItsWay += amount
    },
    give(source, amount) {
      const pending = pendingBalances.get(source)
      if (!pending) return
      pending.onItsWay -= amount
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
