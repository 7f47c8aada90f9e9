import type { CatalogQuery } from '@/server/discovery/present'
import { catalogUrl } from './url'

/** The catalog search, a form that works without JavaScript. It keeps the filters. */
export function Search({ asked }: { asked: CatalogQuery }) {
  const { words, environment, network, asset, price, sort } = asked
  const kept = { environment, network, asset, price, sort: sort === 'seen' ? null : sort }
  return (
    <search className="look">
      <form action="/catalog">
        {Object.entries(kept).map(([name, value]) =>
          value === null ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        <span className="box">
          <Icon path="M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5" />
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
              <Icon path="M6 6l12 12M18 6L6 18" />
            </a>
          )}
        </span>
        <button className="button" type="submit">
          Search
        </button>
      </form>
    </search>
  )
}

// Drawn here: the icon library is a script of its own, which this page does not need.
function Icon({ path }: { path: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round">
      <path d={path} />
    </svg>
  )
}
