import type { CatalogAsked } from '@/server/discovery/present'
import { environments, networksIn } from '@/server/x402/networks'
import { titleOf } from '../settlements/explorer'

const TITLES = { mainnet: 'Mainnets', testnet: 'Testnets' } as const

/** The catalog search, a form that works without JavaScript. */
export function Search({ asked: { words, environment, network } }: { asked: CatalogAsked }) {
  const chosen = (to: (typeof environments)[number]) =>
    new URLSearchParams({ environment: to, ...(words ? { query: words } : {}) })
  return (
    <search className="look">
      <nav aria-label="Environment" className="switch">
        {environments.map((one) => (
          <a key={one} href={`/catalog?${chosen(one)}`} aria-current={one === environment ? 'true' : undefined}>
            {TITLES[one]}
          </a>
        ))}
      </nav>
      <form action="/catalog">
        <input type="hidden" name="environment" value={environment} />
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
