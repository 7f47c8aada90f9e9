import { displayMoney } from '../x402/networks/amounts'
import type { Token } from '../x402/networks/assets'

/** An amount in both units: "0.001 USDC (1000)". */
export function money(amount: bigint, token: Token): string {
  return `${displayMoney(amount, token)} (${amount})`
}

// The last second that a JavaScript date can have.
const DATES_MAX = 8_640_000_000_000n

/** Unix seconds with the date, where there is one. */
export function moment(seconds: bigint): string {
  return seconds > DATES_MAX
    ? `${seconds}`
    : `${seconds} (${new Date(Number(seconds) * 1_000).toISOString().replace('.000', '')})`
}

/** How far a time is from a clock: "280 s after". */
export function distance(seconds: bigint, clock: bigint): string {
  const difference = seconds - clock
  return difference < 0n ? `${-difference} s before` : `${difference} s after`
}

/** A text as a sentence. The name of a field keeps its small letter. */
export function sentence(text: string): string {
  const ended = `${text.replace(/\.$/, '')}.`
  return /^[a-z]+ /.test(ended) ? `${ended.charAt(0).toUpperCase()}${ended.slice(1)}` : ended
}
