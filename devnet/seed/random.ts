import { base58 } from '@scure/base'
import { bytesToHex } from 'viem'
import { DAY_MS } from '../../server/base/durations'

/** How busy the day after `start` is: weekends are quieter. */
export const weekday = (start: number): number => ([0, 6].includes(new Date(start).getUTCDay()) ? 0.6 : 1)

/** A time within 24 hours of `start`; three in the afternoon is five times as likely as three at night. */
export function timeOfDay(random: Random, start: number): number {
  for (;;) {
    const offset = Math.floor(random.next() * DAY_MS)
    const hour = ((start + offset) % DAY_MS) / 3_600_000
    if (random.next() < 0.6 + 0.4 * Math.cos(((hour - 15) / 12) * Math.PI)) return offset
  }
}

/** So many random bytes as 0x and hex digits. */
export const hex = (random: Random, bytes: number): string => bytesToHex(random.bytes(bytes))

/** The id of a transaction on EVM or Solana. */
export const transaction = (random: Random, family: 'evm' | 'svm'): string =>
  family === 'evm' ? hex(random, 32) : base58.encode(random.bytes(64))

/** A source of pseudo-random choices. */
export type Random = {
  /** At least 0 and below 1. */
  next: () => number
  bytes: (count: number) => Uint8Array
  /** One of the choices, in proportion to the weights. */
  pick: <T>(choices: readonly (readonly [weight: number, choice: T])[]) => T
}

/** Pseudo-random numbers that depend on the seed alone (mulberry32). */
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
      if (choice === undefined) throw new Error('there is no choice')
      return choice
    },
  }
}
