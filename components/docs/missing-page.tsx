'use client'

import { lazy, Suspense, useSyncExternalStore } from 'react'
import { type NamedPage, nearestPages } from './nearest'

// Every page carries the not-found page with it, so the search loads only where it shows.
const DocsSearch = lazy(() => import('./search').then(({ DocsSearch: loaded }) => ({ default: loaded })))

const never = () => () => {}

// Only the browser knows it.
const usePath = (): string | null =>
  useSyncExternalStore(
    never,
    () => location.pathname,
    () => null,
  )

/** The path that has no page. Its line is there before the path is known. */
export function MissingPath() {
  const path = usePath()
  return (
    <p className="lead missing-path">
      There is no page <code title={path ?? undefined}>{path ?? 'at this address'}</code>
    </p>
  )
}

/** The search of the documentation; a link to the documentation until it is loaded. */
export function MissingSearch() {
  const isInBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const link = (
    <a className="docs-search-button" href="/docs">
      Search the documentation
    </a>
  )
  return <Suspense fallback={link}>{isInBrowser ? <DocsSearch label="Search the documentation" /> : link}</Suspense>
}

const SHOWN = 3

/** The pages that are most like the missing one; the first pages of the menu until its path is known, or if none is like it. */
export function NearestPages({ pages }: { pages: readonly NamedPage[] }) {
  const path = usePath()
  const nearest = path === null ? [] : nearestPages(pages, path, SHOWN)
  return (
    <>
      <h2 className="nearest-title">{nearest.length > 0 ? 'Did you mean' : 'Start here'}</h2>
      <ul className="docs-tasks">
        {(nearest.length > 0 ? nearest : pages.slice(0, SHOWN)).map((page) => (
          <li key={page.path}>
            <a href={page.path}>
              <strong>{page.title}</strong>
              <span>{page.description}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
