import type { Metadata } from 'next'
import { connection } from 'next/server'
import { API, docsGroups } from '@/app/docs/menu'
import { pageMetadata } from '@/app/metadata'
import { Article } from '@/components/docs/article'
import { chaptersOf } from '@/components/reference/chapters'
import { Overview } from '@/components/reference/overview'
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
