import type { Figures } from './figure'

/** Where a screen lists settlements, and whose it lists there: owner and tenant, for administrators. */
export type Listing = { path: string; of: Record<string, string> }

type Scope = { environment: string | undefined; network: string | null; zone: string }

/** The token of figures as a filter of a list; empty where only one occurs, which needs no filter. */
export function tokenFilter(figures: Pick<Figures, 'asset' | 'assets'> | undefined): { asset?: string } {
  return figures && figures.assets.length > 1 ? { asset: figures.asset.symbol } : {}
}

/** The instants of a period, as filters of a list. */
export function periodFilter(figures: Pick<Figures, 'days'> | undefined): { from: string; to: string } | Record<string, never> {
  const [first, last] = [figures?.days[0], figures?.days.at(-1)]
  return first && last ? { from: first.from, to: last.until } : {}
}

/** The list of settlements with these filters. */
export function settlementsUrl({ path, of }: Listing, { environment, network, zone }: Scope, filters: Record<string, string>) {
  const all = {
    ...of,
    ...(environment ? { environment } : {}),
    ...(network ? { network } : {}),
    ...('from' in filters ? { zone } : {}),
    ...filters,
  }
  return `${path}?${new URLSearchParams(all)}`
}
