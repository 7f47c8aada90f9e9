import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { Catalog } from '@/components/site/catalog/catalog'
import { CATALOG_PITCH } from '@/components/site/pictures/cards'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { currentApp } from '@/server/app'
import { catalogView, readCatalogQuery } from '@/server/discovery/present'

export const metadata: Metadata = pageMetadata({ title: 'Catalog', description: CATALOG_PITCH, path: '/catalog' })

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function CatalogPage({ searchParams }: Props) {
  // The catalog exists only at run time, so this page cannot be prerendered.
  await connection()
  const app = currentApp()
  const asked = readCatalogQuery(app, await searchParams)
  return <Catalog asked={asked} view={await catalogView(app, await headers(), asked)} />
}
