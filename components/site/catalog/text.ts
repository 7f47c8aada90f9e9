import type { CatalogItem } from '@/server/discovery/schemas'
import { assetAt, bySymbol, type Token, USDC } from '@/server/x402/networks/assets'
import { networkTitle } from '@/server/x402/networks/networks'
import { BATCH_SETTLEMENT } from '@/server/x402/schemes/batch-settlement/scheme'
import { UPTO } from '@/server/x402/schemes/upto/scheme'
import { age } from '../../ui/dates'
import { moneyText } from '../../ui/figures'
import { withoutScheme } from '../../ui/urls'

/** The title of a resource: its service name, or else its URL. */
export function resourceTitle({ serviceName, resource }: Pick<CatalogItem, 'serviceName' | 'resource'>): string {
  return serviceName ?? withoutScheme(resource)
}

/** A URL as its host and the path on it, which is empty for the host itself. */
export function placeOf(resource: string): { host: string; path: string } {
  if (!URL.canParse(resource)) return { host: resource, path: '' }
  const { host } = new URL(resource)
  // Not the parsed path, which would encode the braces of a template.
  const path = withoutScheme(resource).replace(/^[^/?#]*\/?/, '/')
  return { host, path: path === '/' ? '' : path }
}

/** A path with its letters and braces decoded; what else is encoded stays so, because it could mislead. */
export function readablePath(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      const text = decodeURIComponent(encoded)
      return /^[\p{L}\p{N}\p{M}{}:]+$/u.test(text) ? text : encoded
    } catch {
      return encoded
    }
  })
}

/** Whether a URL stands for many: a part of its path begins with a colon or stands in braces. Nothing is found there. */
export function isTemplate(resource: string): boolean {
  return /\/:|\{|%7B/i.test(placeOf(resource).path)
}

/** The exact price of a resource, or the lowest if prices differ. */
export function priceOf(item: Pick<CatalogItem, 'accepts'>): string {
  const lowest = lowestOf(item)
  return lowest.length === 0 ? 'No price' : lowest.map((price) => `${price.before}${moneyText(price.atomic, price)}`).join(' or ')
}

/** A price in atomic units of its token. `before` stands before it. */
type Price = Token & { atomic: string; before: string }

/** The lowest price in each token, USDC first, with the word before it if prices in it differ. Empty without a price. */
export function lowestOf({ accepts }: Pick<CatalogItem, 'accepts'>): Price[] {
  const tokens = new Map(accepts.map((accept) => [tokenOf(accept).symbol, tokenOf(accept)]))
  return [...tokens.values()]
    .toSorted((one, other) => bySymbol(one.symbol, other.symbol))
    .map((token) => {
      const ways = accepts
        .filter((accept) => tokenOf(accept).symbol === token.symbol)
        .toSorted((low, high) => (BigInt(low.maxAmountRequired) < BigInt(high.maxAmountRequired) ? -1 : 1))
      const [least] = ways
      const atomic = least?.maxAmountRequired ?? '0'
      if (least && isMaximum(least)) return { ...token, atomic, before: UP_TO }
      return { ...token, atomic, before: atomic === ways.at(-1)?.maxAmountRequired ? '' : 'from ' }
    })
}

type Way = Pick<CatalogItem['accepts'][number], 'scheme'>

/** Whether a way to pay has a maximum: the merchant charges what was used of it. */
export const isMaximum = ({ scheme }: Way): boolean => scheme === UPTO || scheme === BATCH_SETTLEMENT

/** Whether calls are paid through a channel, from one deposit. */
export const isByChannel = ({ scheme }: Way): boolean => scheme === BATCH_SETTLEMENT

/** The least deposit that a merchant suggests for its channels, in atomic units; null without one. */
export function leastDepositOf({ extra: { minDeposit } }: Pick<CatalogItem['accepts'][number], 'extra'>): string | null {
  return typeof minDeposit === 'string' && /^[1-9]\d{0,38}$/.test(minDeposit) ? minDeposit : null
}

/** What stands before a maximum. */
export const UP_TO = 'up to '

/** The token of a way to pay. */
export function tokenOf({ network, asset }: Pick<CatalogItem['accepts'][number], 'network' | 'asset'>): Token {
  const { symbol, decimals } = assetAt(network, asset) ?? USDC
  return { symbol, decimals }
}

/** The networks that a resource accepts. */
export function networksOf({ accepts }: Pick<CatalogItem, 'accepts'>): string[] {
  return [...new Set(accepts.map(({ network }) => networkTitle(network)))]
}

/** A timestamp to the minute, in UTC. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}

/** How long ago, in the largest unit: "3 h ago". A page does not update, so it counts no seconds. */
export function sinceText(time: string, now = Date.now()): string {
  return now - Date.parse(time) < 60_000 ? 'just now' : age(new Date(time), new Date(now))
}
