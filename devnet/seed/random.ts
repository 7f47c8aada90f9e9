/** Numbers that look random. */
export type Random = {
  /** From 0 to 1, without 1. */
  next: () => number
  bytes: (count: number) => Uint8Array
  /** One of these, those with more weight more often. */
  pick: <T>(choices: readonly (readonly [weight: number, choice: T])[]) => T
}

/** The same numbers for the same seed: mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(next() * 256)),
    pick(choices) {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0)
      const found = choices.find(([weight]) => {
        left -= weight
        return left < 0
      })
      const [, choice] = found ?? choices[choices.length - 1] ?? []
      if (choice === undefined) throw new Error('there is nothing to pick from')
      return choice
    },
  }
}
