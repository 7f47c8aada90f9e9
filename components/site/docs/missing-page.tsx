'use client'

import { cx } from '../../ui/class-names'
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
export function MissingPath({ className }: { className?: string }) {
  const path = usePath()
  return (
    <p className={cx('lead flex max-w-full items-baseline gap-[0.4em] whitespace-nowrap', className)}>
      There is no page{' '}
      <code className="min-w-0 truncate text-ink" title={path ?? undefined}>
        {path ?? 'at this address'}
      </code>
      <span className="-ml-[0.4em]">.</span>
    </p>
  )
}

/** The search of the documentation; a link to the documentation until it is loaded. */
export function MissingSearch() {
  return <DocsSearch label="Search the documentation" />
}
