import type { CatalogQuery } from '@/server/discovery/present'
import { environments, networksIn } from '@/server/x402/networks'
import { titleOf } from '../settlements/explorer'
import { catalogUrl } from './url'

const TITLES = { mainnet: 'Live', testnet: 'Test' } as const

/** The catalog search, a form that works without JavaScript. */
export function Search({ asked: { words, environment, network, sort } }: { asked: CatalogQuery }) {
  const chosen = (to: (typeof environments)[number]) => catalogUrl({ words, environment: to, network: null, sort, from: 0 })
  return (
    <search className="look">
      <nav aria-label="Environment" className="switch">
        {environments.map((one) => (
          <a key={one} href={chosen(one)} aria-current={one === environment ? 'true' : undefined}>
            {TITLES[one]}
          </a>
        ))}
      </nav>
      <form action="/catalog">
        <input type="hidden" name="environment" value={environment} />
        {sort === 'seen' ? null : <input type="hidden" name="sort" value={sort} />}
        <input
          type="search"
          name="query"
          defaultValue={words}
          maxLength={200}
          aria-label="Search the catalog"
          placeholder="Weather, translation, search…"
        />
        <select name="network" defaultValue={network ?? ''} aria-label="Network">
          <option value="">All networks</option>
          {networksIn(environment).map((id) => (
            <option key={id} value={id}>
              {titleOf(id)}
            </option>
          ))}
        </select>
        <button className="button" type="submit">
          Search
        </button>
      </form>
    </search>
  )
}
