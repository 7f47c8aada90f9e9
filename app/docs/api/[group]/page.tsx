import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { Article } from '@/components/site/docs/article'
import { chapterPage, docsGroups, objectsPage } from '@/components/site/docs/contents'
import { ChapterReference } from '@/components/site/docs/reference/chapter'
import { chaptersOf } from '@/components/site/docs/reference/chapters'
import { Schemas } from '@/components/site/docs/reference/schemas'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { currentApp } from '@/server/app'

type Props = { params: Promise<{ group: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await connection()
  const { group } = await params
  const api = currentApp().api()
  if (group === 'objects') return pageMetadata(objectsPage(api))
  const chapter = chaptersOf(api).find(({ slug }) => slug === group)
  return chapter ? pageMetadata(chapterPage(chapter)) : { title: 'Not found' }
}

export default async function ApiGroupPage({ params }: Props) {
  await connection()
  const { group } = await params
  const app = currentApp()
  const api = app.api()
  const groups = docsGroups(api)
  const parts = api.document.components
  if (group === 'objects') {
    return (
      <Article page={objectsPage(api)} groups={groups}>
        <Schemas parts={parts} />
      </Article>
    )
  }
  const chapter = chaptersOf(api).find(({ slug }) => slug === group)
  if (!chapter) notFound()
  return (
    <Article page={chapterPage(chapter)} groups={groups} layout="wide">
      <ChapterReference chapter={chapter} parts={parts} baseUrl={app.config.baseUrl} />
    </Article>
  )
}
