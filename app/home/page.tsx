import type { Metadata } from 'next'
import { connection } from 'next/server'
import { sandboxSale, serverVariants } from '@/app/docs/programs/merchants'
import { pageMetadata } from '@/app/metadata'
import '@/components/code/code.css'
import { CodeTabs } from '@/components/code/tabs'
import { Footer } from '@/components/footer'
import { PITCH } from '@/components/pictures/cards'
import { Playground } from '@/components/playground/playground'
import { PublicBar } from '@/components/public-bar'
import { currentApp } from '@/server/app'
import { catalogTotals } from '@/server/discovery/present'
import { BaseUrls } from './base-urls'
import { Hero } from './hero'
import './home.css'
import { Plans } from './plans'
import { Proof } from './proof'
import { servedBy } from './served'
import { Ways } from './ways'

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
  return (
    <>
      <PublicBar />
      <div className="page home">
        <main id="text">
          <Hero baseUrl={baseUrl} served={served} proof={<Proof totals={totals} />} />
          <Playground merchantUrl={playgroundUrl} />
          <section className="section" id="start">
            <header>
              <h2>Charge for a route with one file</h2>
              <p className="muted">
                Any x402 middleware works; these are the official ones, and Python without any package. Set your address and run
                it. The sandbox is free and needs no account.
              </p>
            </header>
            <CodeTabs title="A server that is paid" variants={serverVariants(sandboxSale(baseUrl))} />
          </section>
          <BaseUrls baseUrl={baseUrl} served={served} />
          <Plans sale={{ planPrices, planContact }} served={served} />
          <Ways />
        </main>
        <Footer />
      </div>
    </>
  )
}
