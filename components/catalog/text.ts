import type { CatalogItem } from '@/server/discovery/schemas'
import { titleOf, withoutScheme } from '../settlements/explorer'
import { usdc } from '../ui/figures'

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

/** The exact price of a resource, or the lowest if prices differ. */
export function priceOf(item: Pick<CatalogItem, 'accepts'>): string {
  const lowest = lowestOf(item)
  return lowest === null ? 'No price' : `${lowest.before}${usdc(lowest.atomic)} USDC`
}

/** The lowest price in atomic units, with the word before it if prices differ. Null without a price. */
export function lowestOf({ accepts }: Pick<CatalogItem, 'accepts'>): { atomic: string; before: string } | null {
  const prices = accepts.map(({ maxAmountRequired }) => BigInt(maxAmountRequired)).sort((one, other) => (one < other ? -1 : 1))
  const [least, most] = [prices[0], prices.at(-1)]
  if (least === undefined) return null
  return { atomic: least.toString(), before: least === most ? '' : 'from ' }
}

/** The networks that a resource accepts. */
export function networksOf({ accepts }: Pick<CatalogItem, 'accepts'>): string[] {
  return [...new Set(accepts.map(({ network }) => titleOf(network)))]
}

/** A timestamp to the minute, in UTC. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const relative = new Intl.RelativeTimeFormat('en', { style: 'short' })

/** How long ago, in the largest unit: "3 hr ago". */
export function sinceText(time: string, now = Date.now()): string {
  const passed = now - Date.parse(time)
  const [unit, length] = UNITS.find(([, length]) => passed >= length) ?? ['minute', passed]
  return passed < 60_000 ? 'now' : relative.format(-Math.floor(passed / length), unit).replace('.', '')
}
