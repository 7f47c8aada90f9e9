import { LRUCache } from 'lru-cache'

/**
 * What one payment wants of an account: its amount, and what was left for others when it was judged, in atomic units; when the chain was
 * asked for that, and how long it may wait, in milliseconds of a clock that never jumps.
 */
export type Wish = { source: string; amount: bigint; spare: bigint; askedAt: number; until: number }

/**
 * What payers have on its way. On Solana a transaction cannot be simulated behind others, so a payment that the money on its way might
 * not leave enough for waits until that has landed, and is measured again: nobody's overspending costs us fees, and nobody who can pay
 * is refused.
 */
export type Purses = {
  /** Reserves the amount: `short` when the account does not hold it, `late` when that is not known in time. Throws when the account cannot be read. */
  take(wish: Wish): Promise<'fits' | 'short' | 'late'>
  /** What was reserved is spent, or will never be. */
  give(source: string, amount: bigint): void
}

type Purse = { onItsWay: bigint; users: number; turn: Promise<void>; wake: () => void }

/** Longer than between a judgement and its claim. */
const REMEMBERED_MS = 30_000
const REMEMBERED_MAX = 10_000
const clock = () => performance.now()

/** Purses of nobody yet. They are bounded by the payments that are under way. `held` tells what an account holds now. */
export function createPurses(held: (source: string) => Promise<bigint>): Purses {
  const purses = new Map<string, Purse>()
  /** When something of an account last landed or failed: what was said of it before is old news. */
  const ends = new LRUCache<string, number>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS })

  function purseOf(source: string): Purse {
    const purse = purses.get(source) ?? { onItsWay: 0n, users: 0, turn: Promise.resolve(), wake: () => {} }
    purses.set(source, purse)
    return purse
  }

  function drop(source: string, purse: Purse): void {
    if (purse.users === 0 && purse.onItsWay === 0n) purses.delete(source)
  }

  // With nothing on its way, what the account holds decides: an end that came while it was read is no reason to wait for another.
  async function measure(purse: Purse, { source, amount, spare, askedAt, until }: Wish): Promise<'fits' | 'short' | 'late'> {
    let left = askedAt > (ends.get(source) ?? 0) ? spare : (await held(source)) - amount
    while (purse.onItsWay > 0n && left < purse.onItsWay) {
      if (clock() >= until) return 'late'
      await nextEnd(purse, until)
      left = (await held(source)) - amount
    }
    if (left < 0n) return 'short'
    purse.onItsWay += amount
    return 'fits'
  }

  return {
    async take(wish) {
      const purse = purseOf(wish.source)
      const before = purse.turn
      const mine = before.then(() => measure(purse, wish))
      purse.users++
      // In the order in which they came: the next one is measured behind this one.
      purse.turn = mine.then(
        () => {},
        () => {},
      )
      return mine.finally(() => {
        purse.users--
        drop(wish.source, purse)
      })
    },
    give(source, amount) {
      const purse = purses.get(source)
      if (!purse) return
      purse.onItsWay -= amount
      ends.set(source, clock())
      purse.wake()
      drop(source, purse)
    },
  }
}

function nextEnd(purse: Purse, until: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, until - clock()))
    purse.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
