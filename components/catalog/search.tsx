import { Search as SearchIcon, X } from 'lucide-react'
import type { CatalogQuery } from '@/server/discovery/present'
import { environments } from '@/server/x402/networks'
import { catalogUrl } from './url'

const TITLES = { mainnet: 'Live', testnet: 'Test' } as const

/** The catalog search, a form that works without JavaScript. It keeps the filters. */
export function Search({ asked }: { asked: CatalogQuery }) {
  const { words, environment, network, price, sort } = asked
  const chosen = (to: (typeof environments)[number]) => catalogUrl({ ...asked, environment: to, network: null, from: 0 })
  const kept = { environment, network, price, sort: sort === 'seen' ? null : sort }
  return (
    <search className="look">
      <form action="/catalog">
        {Object.entries(kept).map(([name, value]) =>
          value === null ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        <span className="box">
          <SearchIcon aria-hidden />
          <input
            type="search"
            name="query"
            defaultValue={words}
            maxLength={200}
            aria-label="Search the catalog"
            placeholder="Weather, translation, search…"
          />
          {words === '' ? null : (
            <a className="icon-button" href={catalogUrl({ ...asked, words: '', from: 0 })} aria-label="Clear the search">
              <X aria-hidden />
            </a>
          )}
        </span>
        <button className="button" type="submit">
          Search
        </button>
      </form>
      <nav aria-label="Environment" className="switch">
        {environments.map((one) => (
          <a key={one} href={chosen(one)} aria-current={one === environment ? 'true' : undefined}>
            {TITLES[one]}
          </a>
        ))}
      </nav>
    </search>
  )
}
