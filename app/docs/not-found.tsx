import { connection } from 'next/server'
import { DocsMain } from '@/components/site/docs/article'
import { docsGroups } from '@/components/site/docs/contents'
import { MissingPath } from '@/components/site/docs/missing-page'
import { NearestPages } from '@/components/site/docs/nearest-pages'
import { EMPTY_CODE, EMPTY_PAGE, EMPTY_TITLE } from '@/components/site/frame/empty-page'
import { WithEmptySlip } from '@/components/site/frame/empty-slip'
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
      <div className={cx(EMPTY_PAGE, 'content-start!')}>
        <WithEmptySlip stamp="404">
          <p className={cx(EMPTY_CODE, 'lg:hidden')} aria-hidden>
            404
          </p>
          <h1 className={EMPTY_TITLE}>Page not found</h1>
          <MissingPath />
        </WithEmptySlip>
        <NearestPages pages={pages} />
      </div>
    </DocsMain>
  )
}
