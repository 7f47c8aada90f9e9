import type { Metadata } from 'next'
import { connection } from 'next/server'
import { Article } from '@/components/site/docs/article'
import { API, docsGroups } from '@/components/site/docs/contents'
import { chaptersOf } from '@/components/site/docs/reference/chapters'
import { Overview } from '@/components/site/docs/reference/overview'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { currentApp } from '@/server/app'

export const metadata: Metadata = pageMetadata(API)

export default async function ApiPage() {
  await connection()
  const app = currentApp()
  const api = app.api()
  return (
    <Article page={API} groups={docsGroups(api)}>
      <Overview chapters={chaptersOf(api)} baseUrl={app.config.baseUrl} />
    </Article>
  )
}
