import { duration, percent } from '../ui/figures'
import type { Scale } from './series'

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })

/** Amounts: "1.2K", "0.001". */
export const amounts: Scale = { format: (value) => compact.format(value) }

/** Counts: "1.2K", "3". */
export const counts: Scale = { ...amounts, whole: true }

/** Milliseconds. */
export const times: Scale = { format: (value) => duration(value).replaceAll(' ', '\u00a0') }

/** Shares, from a round percentage below the lowest up to 100%. */
export function shares(values: readonly (number | null)[]): Scale {
  const known = values.filter((value) => value !== null)
  const lowest = known.length === 0 ? 0 : Math.min(...known)
  return { format: percent, domain: [Math.max(0, Math.floor(lowest * 10 - 0.5) / 10), 1] }
}

/** An amount of atomic units as a number of USDC to draw: exact enough for a picture, never for a sum. */
export function drawn(atomic: bigint): number {
  return Number(atomic / 1_000_000n) + Number(atomic % 1_000_000n) / 1_000_000
}
