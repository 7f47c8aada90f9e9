import type { Metadata } from 'next'
import { connection } from 'next/server'
import { currentApp } from '@/server/http/bind'
import { Reference } from './reference'
import './docs.css'

export const metadata: Metadata = {
  title: 'API reference',
  description:
    'Every route of the API with its fields and answers, every reason with its remedy, and how agents buy, call and check.',
}

export default async function DocsPage() {
  // The base URL is known to the running process only, so nothing of this page may be built ahead.
  await connection()
  const app = currentApp()
  const { baseUrl, merchantTokens } = app.config
  return <Reference baseUrl={baseUrl} tokens={merchantTokens} api={app.api()} />
}
