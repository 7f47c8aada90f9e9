import type { CatalogItem } from '@/server/discovery/schemas'
import { titleOf } from '../settlements/explorer'
import { usdc } from '../ui/figures'

/** A resource as it is called at a glance: the service's own name, or where it lives. */
export function titleOfResource({ serviceName, resource }: Pick<CatalogItem, 'serviceName' | 'resource'>): string {
  return serviceName ?? withoutScheme(resource)
}

/** A URL without what every one of them has. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

/** What a resource costs: exactly, or from the least on where its ways to pay differ. */
export function priceOf({ accepts }: Pick<CatalogItem, 'accepts'>): string {
  const prices = accepts.map(({ maxAmountRequired }) => BigInt(maxAmountRequired)).sort((one, other) => (one < other ? -1 : 1))
  const [least, most] = [prices[0], prices.at(-1)]
  if (least === undefined) return 'no price'
  return `${least === most ? '' : 'from '}${usdc(least.toString())} USDC`
}

/** On which networks it is paid for. */
export function networksOf({ accepts }: Pick<CatalogItem, 'accepts'>): string[] {
  return [...new Set(accepts.map(({ network }) => titleOf(network)))]
}

/** A time of the database, to the minute. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
