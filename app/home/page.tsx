import type { Metadata } from 'next'
import { connection } from 'next/server'
import { TestPayment } from '@/components/client/paid-request/use-payment'
import { PublicPage } from '@/components/site/frame/public-page'
import { BaseUrls } from '@/components/site/home/base-urls'
import { FirstServer } from '@/components/site/home/first-server'
import { Hero } from '@/components/site/home/hero'
import { Plans } from '@/components/site/home/plans'
import { Proof } from '@/components/site/home/proof'
import { servedBy } from '@/components/site/home/served'
import { Ways } from '@/components/site/home/ways'
import { PITCH } from '@/components/site/pictures/cards'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { Playground } from '@/components/site/playground/playground'
import { currentApp } from '@/server/app'
import { catalogTotals } from '@/server/discovery/present'
import { serviceRecord } from '@/server/operations/status/status'
import '@/components/ui/code/code.css'

const TITLE = 'Quittance: get paid per request'

export const metadata: Metadata = {
  ...pageMetadata({ title: TITLE, description: PITCH, path: '/home' }),
  title: { absolute: TITLE },
}

export default async function HomePage() {
  // The base URL is known only at run time, so this page cannot be prerendered.
  await connection()
  const app = currentApp()
  const { baseUrl, playgroundUrl, planPrices, planContact } = app.config
  const served = servedBy(app)
  const totals = await catalogTotals(app)
  const record = totals && (await serviceRecord(app, totals.environment))
  return (
    <PublicPage>
      <TestPayment merchantUrl={playgroundUrl}>
        <Hero merchantUrl={playgroundUrl} served={served} proof={<Proof totals={totals} record={record} />} />
        <Playground merchantUrl={playgroundUrl} />
      </TestPayment>
      <FirstServer baseUrl={baseUrl} />
      <BaseUrls baseUrl={baseUrl} served={served} />
      <Plans sale={{ planPrices, planContact }} served={served} />
      <Ways />
    </PublicPage>
  )
}
