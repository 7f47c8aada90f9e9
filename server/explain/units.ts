import { displayMoney } from '../x402/networks/amounts'
import type { Token } from '../x402/networks/assets'

/** An amount in both units: "0.001 USDC (1000)". */
export function money(amount: bigint, token: Token): string {
  return `${displayMoney(amount, token)} (${amount})`
}

// The last second that a JavaScript date can have.
const DATES_MAX = 8_640_000_000_000n

/** Unix seconds as a date: "2026-11-27 07:00:40 UTC". */
export function moment(seconds: bigint): string {
  if (seconds > DATES_MAX) return 'later than any date'
  return new Date(Number(seconds) * 1_000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')
}

const UNITS = [
  ['year', 31_557_600n],
  ['day', 86_400n],
  ['h', 3_600n],
  ['min', 60n],
  ['s', 1n],
] as const

/** Seconds in their largest unit: "40 s", "3 h", "2 days". */
export function span(seconds: bigint): string {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? (['s', 1n] as const)
  const count = seconds / length
  return `${count} ${unit}${(unit === 'year' || unit === 'day') && count !== 1n ? 's' : ''}`
}

/** When something ends, seen from a clock: "expires in 40 s", "expired 3 h ago". */
export function ending(seconds: bigint, clock: bigint): string {
  if (seconds > DATES_MAX) return 'never expires'
  return seconds < clock ? `expired ${span(clock - seconds)} ago` : `expires in ${span(seconds - clock)}`
}

/** When something begins, seen from a clock: "valid for 3 min already", "valid in 3 min". */
export function beginning(seconds: bigint, clock: bigint): string {
  if (seconds > DATES_MAX) return 'never valid'
  return seconds > clock ? `valid in ${span(seconds - clock)}` : `valid for ${span(clock - seconds)} already`
}

/** A text as a sentence. The name of a field keeps its small letter. */
export function sentence(text: string): string {
  const ended = `${text.replace(/\.$/, '')}.`
  return /^[a-z]+ /.test(ended) ? `${ended.charAt(0).toUpperCase()}${ended.slice(1)}` : ended
}
