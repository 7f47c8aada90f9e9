import type { CatalogItem } from '@/server/discovery/schemas'
import { cx } from '../../ui/class-names'
import { ACTIONS } from '../frame/actions'
import { CHOICE, CHOICES, EMPTY_PAGE, EMPTY_TITLE } from '../frame/empty-page'
import { WithEmptySlip } from '../frame/empty-slip'
import { CatalogFrame } from './frame'
import { BUTTON } from './look'
import { placeOf, priceOf, readablePath, resourceTitle } from './text'

// Resources of one service differ by their path.
function nameOf(item: CatalogItem): string {
  const { path } = placeOf(item.resource)
  return path ? readablePath(path) : resourceTitle(item)
}

type Props = { url: string | null; environment: string; near: readonly CatalogItem[] }

/** The page of a resource that is not listed, with the entries that are most like it. */
export function NotListed({ url, environment, near }: Props) {
  return (
    <CatalogFrame>
      <div className={cx(EMPTY_PAGE, 'w-full py-[1.6rem]')}>
        <WithEmptySlip stamp="Not listed">
          <h1 className={EMPTY_TITLE}>This resource is not listed</h1>
          {url ? <code className="max-w-full wrap-anywhere">{url}</code> : null}
          <p className="text-soft">
            A listing leaves the catalog 90 days after its last payment, or when its merchant removes it.
          </p>
          <p className={ACTIONS}>
            <a className={BUTTON.primary} href="/catalog">
              Search the catalog
            </a>
            <a href="/docs/catalog">List your endpoint</a>
          </p>
        </WithEmptySlip>
        {near.length === 0 ? null : (
          <section aria-label="Similar resources" className="grid w-full pt-3">
            <h2 className="text-[1.1rem]">Similar resources</h2>
            <ul className={CHOICES}>
              {near.map((item) => (
                <li key={item.resource} className="grid min-w-0">
                  <a href={`/catalog/resource?${new URLSearchParams({ environment, url: item.resource })}`} className={CHOICE}>
                    <strong className="truncate">{nameOf(item)}</strong>
                    <span className="truncate">{placeOf(item.resource).host}</span>
                    <span className="text-ink tabular-nums">{priceOf(item)}</span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </CatalogFrame>
  )
}
