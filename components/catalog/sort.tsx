import { CATALOG_SORTS, type CatalogQuery } from '@/server/discovery/present'
import { catalogUrl } from './url'

const TITLES = { seen: 'Last paid', volume: 'Volume', new: 'Newest' } as const satisfies Record<
  (typeof CATALOG_SORTS)[number],
  string
>

/** The orders of the list, as links: they work without scripts and stay in the address. */
export function SortLinks({ asked }: { asked: CatalogQuery }) {
  return (
    <nav aria-label="Sort by" className="sort">
      <span className="muted small">Sort</span>
      <span className="switch small">
        {CATALOG_SORTS.map((sort) => (
          <a key={sort} href={catalogUrl({ ...asked, sort, from: 0 })} aria-current={sort === asked.sort ? 'true' : undefined}>
            {TITLES[sort]}
          </a>
        ))}
      </span>
    </nav>
  )
}
