/** What one payment wants of an account: its amount, and what was left for others when it was judged. Atomic units. */
export type Wish = { source: string; amount: bigint; spare: bigint; until: number }

/**
 * What payers have on its way. On Solana a transaction cannot be simulated behind others, so a payment that the money on its way might
 * not leave enough for waits until that has landed, and is measured again: nobody's overspending costs us fees, and nobody who can pay
 * is refused.
 */
export type Purses = {
  /** Reserves the amount: `short` when the account does not hold it, `late` when that is not known by `until` (milliseconds of a clock that never jumps). */
  take(wish: Wish): Promise<'fits' | 'short' | 'late'>
  /** What was reserved is spent, or will never be. */
  give(source: string, amount: bigint): void
}

type Purse = { onItsWay: bigint; users: number; turn: Promise<void>; wake: () => void }

const clock = () => performance.now()

/** Purses of nobody yet. They are bounded by the payments that are under way. `held` tells what an account holds now. */
export function createPurses(held: (source: string) => Promise<bigint>): Purses {
  const purses = new Map<string, Purse>()

  function purseOf(source: string): Purse {
    const purse = purses.get(source) ?? { onItsWay: 0n, users: 0, turn: Promise.resolve(), wake: () => {} }
    purses.set(source, purse)
    return purse
  }

  function drop(source: string, purse: Purse): void {
    if (purse.users === 0 && purse.onItsWay === 0n) purses.delete(source)
  }

  async function measure(purse: Purse, { source, amount, spare, until }: Wish): Promise<'fits' | 'short' | 'late'> {
    let left = spare
    while (left < purse.onItsWay) {
      if (clock() >= until) return 'late'
      await nextEnd(purse, until)
      left = (await held(source)) - amount
      if (left < 0n && purse.onItsWay === 0n) return 'short'
    }
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
      purse.wake()
      drop(source, purse)
    },
  }
}

function nextEnd(purse: Purse, until: number): Promise<void> {
  if (purse.onItsWay === 0n) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, until - clock()))
    purse.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
