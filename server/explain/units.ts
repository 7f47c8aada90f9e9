import { displayAmount } from '../x402/amounts'

/** An amount in both units: "0.001 USDC (1000)". */
export function money(amount: bigint): string {
  return `${displayAmount(amount)} USDC (${amount})`
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

/** A text as a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}
