import { connection } from 'next/server'
import { DocsHead, DocsMain } from '@/components/site/docs/article'
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
    <DocsMain isWide className="w-full py-[1.6rem]">
      <DocsHead title="Page not found">
        <MissingPath className="text-[1.12rem]" />
      </DocsHead>
      <NearestPages pages={pages} />
    </DocsMain>
  )
}
