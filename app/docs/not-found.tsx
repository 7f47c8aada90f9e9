import { connection } from 'next/server'
import { DocsMain } from '@/components/site/docs/article'
import { docsGroups } from '@/components/site/docs/contents'
import { MissingHead } from '@/components/site/docs/missing-head'
import { MissingSearch } from '@/components/site/docs/missing-page'
import { NearestPages } from '@/components/site/docs/nearest-pages'
import { EMPTY_PAGE } from '@/components/site/frame/empty-page'
import { cx } from '@/components/ui/class-names'
import { currentApp } from '@/server/app'

/** A missing page below /docs keeps the menu and the search, and names the pages that are most like it. */
export default async function DocsNotFound() {
  await connection()
  const pages = docsGroups(currentApp().api())
    .flatMap((group) => group.pages)
    .map(({ path, title, description }) => ({ path, title, description }))
  return (
    <DocsMain isWide className="w-full">
      <div className={cx(EMPTY_PAGE, 'pt-0!')}>
        <MissingHead>
          <MissingSearch />
          <NearestPages pages={pages} />
        </MissingHead>
      </div>
    </DocsMain>
  )
}
