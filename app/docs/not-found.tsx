import { connection } from 'next/server'
import { docsGroups } from '@/components/site/docs/contents'
import { MissingPath } from '@/components/site/docs/missing-page'
import { NearestPages } from '@/components/site/docs/nearest-pages'
import { currentApp } from '@/server/app'

/** A missing page below /docs keeps the menu and the search, and names the pages that are most like it. */
export default async function DocsNotFound() {
  await connection()
  const pages = docsGroups(currentApp().api())
    .flatMap((group) => group.pages)
    .map(({ path, title, description }) => ({ path, title, description }))
  return (
    <main className="docs-text wide w-full" id="text">
      <header className="docs-head">
        <h1>Page not found</h1>
        <MissingPath />
      </header>
      <NearestPages pages={pages} />
    </main>
  )
}
