import type { CatalogItem } from '@/server/discovery/schemas'
import { titleOf, withoutScheme } from '../settlements/explorer'
import { usdc } from '../ui/figures'

/** The title of a resource: its service name, or else its URL. */
export function resourceTitle({ serviceName, resource }: Pick<CatalogItem, 'serviceName' | 'resource'>): string {
  return serviceName ?? withoutScheme(resource)
}

/** The exact price of a resource, or the lowest if prices differ. */
export function priceOf({ accepts }: Pick<CatalogItem, 'accepts'>): string {
  const prices = accepts.map(({ maxAmountRequired }) => BigInt(maxAmountRequired)).sort((one, other) => (one < other ? -1 : 1))
  const [least, most] = [prices[0], prices.at(-1)]
  if (least === undefined) return 'No price'
  return `${least === most ? '' : 'from '}${usdc(least.toString())} USDC`
}

/** The networks that a resource accepts. */
export function networksOf({ accepts }: Pick<CatalogItem, 'accepts'>): string[] {
  return [...new Set(accepts.map(({ network }) => titleOf(network)))]
}

/** A timestamp to the minute, in UTC. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
