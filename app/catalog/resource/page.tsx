import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { CatalogFrame } from '@/components/catalog/frame'
import { Resource } from '@/components/catalog/resource'
import { currentApp } from '@/server/app'
import { catalogEntry } from '@/server/discovery/present'
import '../catalog.css'

// Merchant text stays out of our page titles.
export const metadata: Metadata = { title: 'Resource', robots: { index: false } }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ResourcePage({ searchParams }: Props) {
  // The catalog exists only at run time, so this page cannot be prerendered.
  await connection()
  const found = await catalogEntry(currentApp(), await headers(), await searchParams)
  if (found === null) notFound()
  return (
    <CatalogFrame>
      <main>{'refused' in found ? <p role="alert">{found.refused}</p> : <Resource item={found} />}</main>
    </CatalogFrame>
  )
}
