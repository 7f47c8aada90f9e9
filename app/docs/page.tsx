import type { Metadata } from 'next'
import { connection } from 'next/server'
import { Article } from '@/components/site/docs/article'
import { docsGroups } from '@/components/site/docs/contents'
import { Start } from '@/components/site/docs/guides/start'
import { OldLinks } from '@/components/site/docs/old-links'
import { START } from '@/components/site/docs/pages'
import { chaptersOf, routePages } from '@/components/site/docs/reference/chapters'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { currentApp } from '@/server/app'

export const metadata: Metadata = pageMetadata(START)

export default async function DocsStartPage() {
  await connection()
  const app = currentApp()
  const api = app.api()
  return (
    <Article page={START} groups={docsGroups(api)} layout="wide">
      <OldLinks routes={routePages(chaptersOf(api))} />
      <Start baseUrl={app.config.baseUrl} />
    </Article>
  )
}
