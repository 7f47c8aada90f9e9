'use client'

import { lazy, Suspense, useSyncExternalStore } from 'react'

// Every page carries the not-found page with it, so the search loads only where it shows.
const DocsSearch = lazy(() => import('./search').then(({ DocsSearch: loaded }) => ({ default: loaded })))

const never = () => () => {}

/** The path that has no page. Only the browser knows it; its line is there before. */
export function MissingPath() {
  const path = useSyncExternalStore(
    never,
    () => location.pathname,
    () => null,
  )
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
