/** Pseudo-random numbers: the same seed gives the same numbers in every process. */
export type Random = {
  /** At least 0 and below 1. */
  next(): number
  chance(share: number): boolean
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  /** One of the choices. Throws for an empty list. */
  pick<T>(choices: readonly T[]): T
  /** Random bytes in hex with 0x. */
  hex(bytes: number): `0x${string}`
  /** An independent stream; its draws do not affect this one. */
  stream(name: string): Random
}

/** The numbers of a seed (mulberry32 over an FNV-1a hash of its name). */
export function randomOf(seed: string): Random {
  let state = hashOf(seed)
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    chance: (share) => next() < share,
    whole,
    pick(choices) {
      const at = whole(0, choices.length - 1)
      for (const choice of choices.slice(at, at + 1)) return choice
      throw new Error('there is nothing to choose from')
    },
    hex: (bytes) => `0x${Array.from({ length: bytes }, () => whole(0, 255).toString(16).padStart(2, '0')).join('')}`,
    stream: (name) => randomOf(`${seed}/${name}`),
  }
}

/** FNV-1a over the characters of a text, 32 bits. */
export function hashOf(text: string, before = 0x811c9dc5): number {
  let hash = before
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}
