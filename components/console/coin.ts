import { coins } from '@/server/x402/amounts'
import { isNetworkId, networks } from '@/server/x402/networks'

const SHOWN_DECIMALS = 6

/** A balance of a network's coin (digits of its smallest unit) as people read it: rounded down, with its coin; and exactly. */
export function coinAmount(network: string, digits: string): { shown: string; exact: string } {
  const { symbol, decimals } = coins[isNetworkId(network) ? networks[network].family : 'evm']
  const padded = digits.padStart(decimals + 1, '0')
  const whole = BigInt(padded.slice(0, -decimals)).toLocaleString('en')
  const fraction = padded.slice(-decimals)
  const written = (part: string) => {
    const kept = part.replace(/0+$/, '')
    return `${kept ? `${whole}.${kept}` : whole} ${symbol}`
  }
  return { shown: written(fraction.slice(0, SHOWN_DECIMALS)), exact: written(fraction) }
}

/** For how long a balance lasts, in words; null where nothing was spent that it could be measured by. */
export function runway(days: number | null): string {
  if (days === null) return 'nothing spent lately'
  if (days === 0) return 'less than a day'
  if (days > 365) return 'more than a year'
  return days === 1 ? 'a day' : `${days} days`
}
