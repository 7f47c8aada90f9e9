'use client'

import { later } from '../../ui/later'
import { usePath } from './use-path'

// Every page carries the not-found page with it, so the search loads only where it shows. Until then it is a link.
const DocsSearch = later(
  () => import('./search').then((loaded) => loaded.DocsSearch),
  <a className="docs-search-button" href="/docs">
    Search the documentation
  </a>,
)

/** The path that has no page. Its line is there before the path is known. */
export function MissingPath() {
  const path = usePath()
  return (
    <p className="lead max-w-full">
      There is no page{' '}
      <span className="font-mono text-[0.86em] wrap-anywhere text-ink" title={path ?? undefined}>
        {path === null ? 'at this address' : cut(path, PATH_MAX)}
      </span>
      .
    </p>
  )
}

const PATH_MAX = 48
// A phone shows them in one line.
const WORDS_MAX = 20

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

// The text of the link stays where it is when the search arrives with its icon.
const SEARCH =
  'w-full [&_.docs-search-button]:h-11 [&_.docs-search-button]:w-full [&_a.docs-search-button]:pl-[calc(1.3rem+16px)]'

/** The search of the documentation; a link to the documentation until it is loaded. */
export function MissingSearch() {
  const path = usePath()
  const words = wordsOf(path ?? '')
  return (
    <div className={SEARCH}>
      <DocsSearch key={path} label={words ? `Search for “${cut(words, WORDS_MAX)}”` : 'Search the documentation'} words={words} />
    </div>
  )
}

/** The words of the missing path, to search for. */
const wordsOf = (path: string): string =>
  path
    .replace(/^\/docs/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim()
