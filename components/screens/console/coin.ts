import { USDC } from '@/server/x402/networks/assets'
import { coinUsdOf } from '@/server/x402/networks/coin-prices'
import { isNetworkId, networkRow } from '@/server/x402/networks/networks'
import { headlineText } from '../../ui/figures'

const SHOWN_DECIMALS = 6
const BESIDE_WHOLE = 4
const SMALL_DIGITS = 3
const UNKNOWN = { symbol: 'ETH', decimals: 18 }

const coinOf = (network: string) => (isNetworkId(network) ? networkRow(network).coin : UNKNOWN)

/** The coin of a network. */
export const coinSymbol = (network: string): string => coinOf(network).symbol

/** A balance in the coin of a network, rounded down for display, and exact. `digits` counts its smallest unit. */
export function coinAmount(network: string, digits: string): { shown: string; exact: string } {
  const { symbol, decimals } = coinOf(network)
  const padded = digits.padStart(decimals + 1, '0')
  const whole = BigInt(padded.slice(0, -decimals)).toLocaleString('en')
  const fraction = padded.slice(-decimals)
  const written = (part: string) => {
    const kept = part.replace(/0+$/, '')
    return `${kept ? `${whole}.${kept}` : whole} ${symbol}`
  }
  // A small cost keeps its first digits: it is not nothing.
  const shown = whole === '0' ? Math.max(SHOWN_DECIMALS, fraction.search(/[1-9]/) + SMALL_DIGITS) : BESIDE_WHOLE
  return { shown: written(fraction.slice(0, shown)), exact: written(fraction) }
}

/** What to send, rounded up to two digits that count: "0.052 ETH". */
export function amountToSend(network: string, digits: string): string {
  const rest = 10n ** BigInt(Math.max(0, digits.length - 2))
  const amount = BigInt(digits)
  return coinAmount(network, String(((amount + rest - 1n) / rest) * rest)).shown
}

/** What to send to a signer so that it lasts 30 days, in its coin; null if nothing, or if that is not known. */
export function missingText({ network, topUp }: { network: string; topUp: string | null }): string | null {
  return topUp === null || topUp === '0' ? null : amountToSend(network, topUp)
}

/** Millionths of a US dollar as an amount, which may be negative: "$1.20", "−$0.0034". */
export function dollarText(micro: string): string {
  return micro.startsWith('-') ? `−${headlineText(micro.slice(1), USDC)}` : headlineText(micro, USDC)
}

/** At which prices the gas of these networks is counted: "At about $3,000 per ETH". Null where no coin has a price. */
export function coinPricesText(networks: readonly string[]): string | null {
  const priced = networks.flatMap((network) => {
    const row = isNetworkId(network) ? networkRow(network) : null
    const coinUsd = row && coinUsdOf(row)
    return row && coinUsd ? [`$${coinUsd.toLocaleString('en')} per ${row.coin.symbol}`] : []
  })
  return priced.length === 0 ? null : `At about ${list.format(new Set(priced))}`
}

const list = new Intl.ListFormat('en-GB')

/** A balance that lasts fewer days needs the operator. */
export const SOON_DAYS = 7

/** How long a balance lasts, in words. Null: there was no spending. */
export function runway(days: number | null): string {
  if (days === null) return 'No spending'
  if (days === 0) return 'Less than a day'
  if (days > 365) return 'Over a year'
  return days === 1 ? '1 day' : `${days} days`
}

/** How long a balance lasts, as a sentence without its subject. */
export const lasting = (days: number | null): string => (days === null ? runway(days) : `Lasts ${runway(days).toLowerCase()}`)

type Funded = { network: string; balance: string | null; runwayDays: number | null; topUp: string | null }

/** How long what a signer has lasts, and from what that follows, with what to send. */
export function fundingText({ network, balance, runwayDays, topUp }: Funded): [lasts: string, why: string] {
  if (balance === null) return ['Balance unknown', 'Its network does not answer.']
  const { shown } = coinAmount(network, balance)
  if (runwayDays === null) return [shown, 'It spent nothing in the last 7 days.']
  const missing = missingText({ network, topUp })
  const why = `${shown} at the pace of the last 7 days.`
  return [lasting(runwayDays), missing ? `${why} Send ${missing} to last 30 days.` : why]
}
