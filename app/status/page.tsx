import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { STATUS_PITCH } from '@/components/site/pictures/cards'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { StatusView } from '@/components/site/status/status'
import { currentApp } from '@/server/app'
import { statusView } from '@/server/operations/status/view'

export const metadata: Metadata = pageMetadata({ title: 'Status', description: STATUS_PITCH, path: '/status' })

export default async function StatusPage() {
  // The status exists only at run time, so this page cannot be prerendered.
  await connection()
  return <StatusView found={await statusView(currentApp(), await headers())} />
}
