import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { connection } from 'next/server'
import { Article } from '@/components/site/docs/article'
import { docsGroups } from '@/components/site/docs/contents'
import { Guide } from '@/components/site/docs/guides/guide'
import { newPageOf } from '@/components/site/docs/old-anchors'
import { guidePage, isGuide } from '@/components/site/docs/pages'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { currentApp } from '@/server/app'

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
  const { baseUrl, merchantTokens, playgroundUrl } = app.config
  return (
    <Article page={guidePage(page)} groups={docsGroups(app.api())}>
      <Guide name={page} baseUrl={baseUrl} tokens={merchantTokens} faucetUrl={playgroundUrl} />
    </Article>
  )
}
