import type { Metadata } from 'next'
import { connection } from 'next/server'
import { Article } from '@/components/docs/article'
import { OldLinks } from '@/components/docs/old-links'
import { routePages } from '@/components/docs/route-pages'
import { chaptersOf } from '@/components/reference/chapters'
import { currentApp } from '@/server/app'
import { pageMetadata } from '../metadata'
import { Start } from './guide/start'
import { docsGroups } from './menu'
import { START } from './pages'

export const metadata: Metadata = pageMetadata(START)

export default async function DocsStartPage() {
  await connection()
  const app = currentApp()
  const api = app.api()
  const groups = docsGroups(api)
  return (
    <Article page={START} groups={groups} layout="wide">
      <OldLinks routes={routePages(chaptersOf(api))} />
      <Start groups={groups} baseUrl={app.config.baseUrl} />
    </Article>
  )
}
