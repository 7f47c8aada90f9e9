import type { CatalogQuery } from '@/server/discovery/present'
import type { CatalogItem } from '@/server/discovery/schemas'
import { type Environment, environments } from '@/server/x402/networks/networks'
import { ACTIONS } from '../frame/actions'
import { CHOICE, CHOICES, EMPTY_PAGE, EMPTY_TITLE, LEAD } from '../frame/empty-page'
import { WithEmptySlip } from '../frame/empty-slip'
import { CatalogFrame } from './frame'
import { Search } from './search'
import { placeOf, priceOf, readablePath, resourceTitle } from './text'

// Resources of one service differ by their path.
function nameOf(item: CatalogItem): string {
  const { path } = placeOf(item.resource)
  return path ? readablePath(path) : resourceTitle(item)
}

type Props = { url: string | null; environment: string; near: readonly CatalogItem[] }

const environmentOf = (text: string): Environment => environments.find((one) => one === text) ?? 'mainnet'

/** A search for the host: what else it sells may be listed. */
function searchFor(url: string | null, environment: string): CatalogQuery {
  const words = url && URL.canParse(url) ? new URL(url).hostname : ''
  const all = { network: null, asset: null, price: null, tag: null, sort: 'volume', from: 0 } as const
  return { ...all, words, environment: environmentOf(environment) }
}

/** The page of a resource that is not listed, with the entries that are most like it. */
export function NotListed({ url, environment, near }: Props) {
  return (
    <CatalogFrame isNarrow>
      <div className={EMPTY_PAGE}>
        <WithEmptySlip word="Listing" stamp="Not listed">
          <h1 className={EMPTY_TITLE}>This resource is not listed</h1>
          {url ? <code className="max-w-full wrap-anywhere">{url}</code> : null}
          <p className={LEAD}>It was never listed, or it was removed: by its merchant, or 90 days after its last payment.</p>
          <div className="w-full max-w-[34rem]">
            <Search asked={searchFor(url, environment)} />
          </div>
          <p className={ACTIONS}>
            <a href={`/catalog?environment=${environmentOf(environment)}`}>Open the catalog</a>
            <span className="text-soft">
              Yours? <a href="/docs/catalog">List your endpoint</a>
            </span>
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
