import type { CatalogQuery } from '@/server/discovery/present'
import { ICON_BUTTON } from '../../ui/bar'
import { cx } from '../../ui/class-names'
import { BUTTON } from './look'
import { catalogUrl } from './url'

/** The catalog search, a form that works without JavaScript. It keeps the filters. */
export function Search({ asked }: { asked: CatalogQuery }) {
  const { words, environment, network, asset, price, tag, sort } = asked
  const kept = { environment, network, asset, price, tag, sort: sort === 'volume' ? null : sort }
  return (
    <search>
      <form action="/catalog" className="flex gap-[0.6rem]">
        {Object.entries(kept).map(([name, value]) =>
          value === null ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        <span className="relative min-w-0 flex-auto">
          <Icon
            path="M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5"
            className="pointer-events-none absolute top-1/2 left-[0.85rem] -translate-y-1/2 text-soft"
          />
          <input
            type="search"
            name="query"
            defaultValue={words}
            maxLength={200}
            aria-label="Search the catalog"
            placeholder="Weather, translation, search…"
            className="h-11 w-full rounded-[10px] border bg-card pr-11 pl-[2.4rem] text-ellipsis [&::-webkit-search-cancel-button]:hidden"
          />
          {/* The browser's own needs a script, and exists in some browsers only. */}
          {words === '' ? null : (
            <a
              className={cx(ICON_BUTTON, 'absolute top-1 right-1')}
              href={catalogUrl({ ...asked, words: '', from: 0 })}
              aria-label="Clear the search"
            >
              <Icon path="M6 6l12 12M18 6L6 18" />
            </a>
          )}
        </span>
        <button className={BUTTON.primary} type="submit">
          Search
        </button>
      </form>
    </search>
  )
}

// Drawn here: the icon library is a script of its own, which this page does not need.
function Icon({ path, className }: { path: string; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      className={cx('size-[1.05rem]', className)}
    >
      <path d={path} />
    </svg>
  )
}
