import type { CatalogQuery } from '@/server/discovery/present'

/** The address of a part of the catalog. */
export function catalogUrl({ words, network, environment, asset, price, tag, sort, from }: CatalogQuery): string {
  const query = {
    environment,
    ...(words ? { query: words } : {}),
    ...(network ? { network } : {}),
    ...(asset ? { asset } : {}),
    ...(price ? { price } : {}),
    ...(tag ? { tag } : {}),
    ...(sort === 'volume' ? {} : { sort }),
    ...(from > 0 ? { from: String(from) } : {}),
  }
  return `/catalog?${new URLSearchParams(query)}`
}
