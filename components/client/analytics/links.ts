import type { Figures } from './figure'

/** Where a screen lists settlements, and whose it lists there: owner and tenant, for administrators. */
export type Listing = { path: string; of: Record<string, string> }

type Scope = { environment: string | undefined; network: string | null; zone: string }

/** The token of figures as a filter of a list; empty where only one occurs, which needs no filter. */
export function tokenFilter(figures: Pick<Figures, 'asset' | 'assets'> | undefined): { asset?: string } {
  return figures && figures.assets.length > 1 ? { asset: figures.asset.symbol } : {}
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
