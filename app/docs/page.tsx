import type { Metadata } from 'next'
import { connection } from 'next/server'
import { currentApp } from '@/server/app'
import { Reference } from './reference'
import './docs.css'

export const metadata: Metadata = {
  title: 'API reference',
  description: 'Every API route with its fields and responses, every reason code with its remedy, and a guide for agents.',
}

export default async function DocsPage() {
  // The base URL is known only at run time, so this page cannot be prerendered.
  await connection()
  const app = currentApp()
  const { baseUrl, merchantTokens } = app.config
  return <Reference baseUrl={baseUrl} tokens={merchantTokens} api={app.api()} />
}
