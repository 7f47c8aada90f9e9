import { connection } from 'next/server'
import { MissingPath } from '@/components/docs/missing-page'
import { NearestPages } from '@/components/docs/nearest-pages'
import { currentApp } from '@/server/app'
import { docsGroups } from './menu'

/** A missing page below /docs keeps the menu and the search, and names the pages that are most like it. */
export default async function DocsNotFound() {
  await connection()
  const pages = docsGroups(currentApp().api())
    .flatMap((group) => group.pages)
    .map(({ path, title, description }) => ({ path, title, description }))
  return (
    <main className="docs-text wide missing" id="text">
      <header className="docs-head">
        <h1>Page not found</h1>
        <MissingPath />
      </header>
      <NearestPages pages={pages} />
    </main>
  )
}
