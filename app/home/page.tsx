import type { Metadata } from 'next'
import { connection } from 'next/server'
import { sandboxSale, serverVariants } from '@/app/docs/programs/merchants'
import { pageMetadata } from '@/app/metadata'
import '@/components/code/code.css'
import { CodeTabs } from '@/components/code/tabs'
import { FlowPicture } from '@/components/flow-picture'
import { Footer } from '@/components/footer'
import { PITCH } from '@/components/pictures/cards'
import { Playground } from '@/components/playground/playground'
import { PublicBar } from '@/components/public-bar'
import { currentApp } from '@/server/app'
import { BaseUrls } from './base-urls'
import { Hero } from './hero'
import './home.css'
import { Plans } from './plans'
import { Ways } from './ways'

const TITLE = 'Quittance: get paid per request'

export const metadata: Metadata = {
  ...pageMetadata({ title: TITLE, description: PITCH, path: '/home' }),
  title: { absolute: TITLE },
}

export default async function HomePage() {
  // The base URL is known only at run time, so this page cannot be prerendered.
  await connection()
  const { baseUrl, playgroundUrl, planPrices, planContact } = currentApp().config
  return (
    <div className="page home">
      <PublicBar />
      <main id="text">
        <Hero baseUrl={baseUrl} canTry={playgroundUrl !== null} />
        <Playground merchantUrl={playgroundUrl} />
        <Flow />
        <section className="section" id="start">
          <header>
            <h2>Charge for a route in twenty lines</h2>
            <p className="muted">
              Any x402 middleware works; these are the official ones, and Python without any package. Set your address and run it.
              The sandbox is free and needs no account.
            </p>
          </header>
          <CodeTabs title="A server that is paid" variants={serverVariants(sandboxSale(baseUrl))} />
        </section>
        <BaseUrls baseUrl={baseUrl} />
        <Plans sale={{ planPrices, planContact }} />
        <Ways />
      </main>
      <Footer />
    </div>
  )
}

function Flow() {
  return (
    <section className="section" id="flow">
      <header>
        <h2>One paid request</h2>
        <p className="muted">A failed payment moves no money.</p>
      </header>
      {/* A phone shows the steps: the words of the picture would be too small. */}
      <FlowPicture />
      <ol className="steps">
        <li>A client requests a paid resource from your server.</li>
        <li>Your server answers 402 with the price, the asset and where to pay.</li>
        <li>The client signs a transfer and retries the request with it.</li>
        <li>Your middleware sends the signed transfer to Quittance, which verifies it and settles it on-chain.</li>
        <li>Once the transfer is in a block, your server delivers.</li>
      </ol>
    </section>
  )
}
