import { isNetworkId, networkRow } from '@/server/x402/networks/networks'

const SHOWN_DECIMALS = 6
const SMALL_DIGITS = 3
const UNKNOWN = { symbol: 'ETH', decimals: 18 }

/** A balance in the coin of a network, rounded down for display, and exact. `digits` counts its smallest unit. */
export function coinAmount(network: string, digits: string): { shown: string; exact: string } {
  const { symbol, decimals } = isNetworkId(network) ? networkRow(network).coin : UNKNOWN
  const padded = digits.padStart(decimals + 1, '0')
  const whole = BigInt(padded.slice(0, -decimals)).toLocaleString('en')
  const fraction = padded.slice(-decimals)
  const written = (part: string) => {
    const kept = part.replace(/0+$/, '')
    return `${kept ? `${whole}.${kept}` : whole} ${symbol}`
  }
  // A small cost keeps its first digits: it is not nothing.
  const shown = whole === '0' ? Math.max(SHOWN_DECIMALS, fraction.search(/[1-9]/) + SMALL_DIGITS) : SHOWN_DECIMALS
  return { shown: written(fraction.slice(0, shown)), exact: written(fraction) }
}

/** A balance that lasts fewer days needs the operator. */
export const SOON_DAYS = 7

/** How long a balance lasts, in words. Null: there was no spending. */
export function runway(days: number | null): string {
  if (days === null) return 'No recent spending'
  if (days === 0) return 'Less than a day'
  if (days > 365) return 'Over a year'
  return days === 1 ? '1 day' : `${days} days`
}
