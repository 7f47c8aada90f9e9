import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { connection } from 'next/server'
import { docsGroups } from '@/app/docs/menu'
import { guidePage, isGuide } from '@/app/docs/pages'
import { pageMetadata } from '@/app/metadata'
import { Article } from '@/components/docs/article'
import { newPageOf } from '@/components/docs/old-anchors'
import { currentApp } from '@/server/app'
import { Guide } from '../guide/guide'

type Props = { params: Promise<{ page: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { page } = await params
  return isGuide(page) ? pageMetadata(guidePage(page)) : { title: 'Not found' }
}

export default async function GuidePage({ params }: Props) {
  await connection()
  const { page } = await params
  if (!isGuide(page)) {
    const moved = newPageOf(page)
    if (moved) redirect(moved)
    notFound()
  }
  const app = currentApp()
  const { baseUrl, merchantTokens } = app.config
  return (
    <Article page={guidePage(page)} groups={docsGroups(app.api())}>
      <Guide name={page} baseUrl={baseUrl} tokens={merchantTokens} />
    </Article>
  )
}
