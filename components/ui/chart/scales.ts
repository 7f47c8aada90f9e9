import { duration, percent } from '../figures'
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

const STEPS = [1, 2, 2.5, 5, 10] as const
const PARTS = 5

/** Round ticks from zero to the first one that is not below `most`: at most one more than `parts`. `whole`: only whole numbers. */
export function roundTicks(most: number, whole = false, parts = PARTS): number[] {
  const top = most > 0 ? most : 1
  const unit = 10 ** Math.floor(Math.log10(top / parts))
  const steps = STEPS.map((step) => step * unit).filter((step) => !whole || Number.isInteger(step))
  const step = steps.find((one) => one >= top / parts) ?? 1
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, at) => Number((at * step).toPrecision(12)))
}

/** Two or three intervals of whole numbers, from zero to the first round one above `most`: for a low chart, whose points have labels. */
export function lowTicks(most: number): number[] {
  const whole = Math.ceil(most)
  const ticks = roundTicks(whole, true, 2)
  const [top = 0, step = 0] = [ticks.at(-1), ticks[1]]
  return top > whole ? ticks : [...ticks, top + step]
}

/** An amount of a token with so many decimals as a number to draw: exact enough for a picture, never for a sum. */
export function drawn(atomic: bigint, decimals: number): number {
  const unit = 10n ** BigInt(decimals)
  return Number(atomic / unit) + Number(atomic % unit) / Number(unit)
}
