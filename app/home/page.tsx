import type { Metadata } from 'next'
import { connection } from 'next/server'
import { expressProgram, sandboxSale } from '@/app/docs/programs/merchants'
import { FlowPicture } from '@/components/flow-picture'
import { Playground } from '@/components/playground/playground'
import { PublicBar } from '@/components/public-bar'
import { Snippet } from '@/components/snippet'
import { currentApp } from '@/server/app'
import { BaseUrls } from './base-urls'
import { Hero } from './hero'
import './home.css'
import { Plans } from './plans'
import { Ways } from './ways'

export const metadata: Metadata = { title: { absolute: 'Quittance: get paid per request' } }

export default async function HomePage() {
  // The base URL is known only at run time, so this page cannot be prerendered.
  await connection()
  const { baseUrl, playgroundUrl } = currentApp().config
  return (
    <div className="page home">
      <PublicBar />
      <main>
        <Hero baseUrl={baseUrl} canTry={playgroundUrl !== null} />
        <Playground merchantUrl={playgroundUrl} />
        <Flow />
        <section className="section" id="start">
          <header>
            <h2>Charge for a route in twenty lines</h2>
            <p className="muted">
              Any x402 middleware works; this is the official one for Express. Set your address and run it. The sandbox is free
              and needs no account.
            </p>
          </header>
          <Snippet code={expressProgram(sandboxSale(baseUrl))} name="weather.mjs" />
        </section>
        <BaseUrls baseUrl={baseUrl} />
        <Plans />
        <Ways />
      </main>
      <footer className="foot">
        <span>Quittance, an x402 facilitator</span>
        <a href="/docs">API reference</a>
        <a href="/llms.txt">For agents</a>
        <a href="/supported">Networks and assets</a>
        <a href="/health">Service health</a>
      </footer>
    </div>
  )
}

function Flow() {
  return (
    <section className="section" id="flow">
      <header>
        <h2>One paid request</h2>
      </header>
      <div className="split">
        <FlowPicture />
        <ol className="steps">
          <li>A client requests a paid resource from your server.</li>
          <li>Your server answers 402 with the price, the asset and where to pay.</li>
          <li>The client signs a transfer and retries the request with it.</li>
          <li>Your middleware sends the signed transfer to Quittance, which verifies it and settles it on-chain.</li>
          <li>Once the transfer is in a block, your server delivers. A failed payment moves no money.</li>
        </ol>
      </div>
    </section>
  )
}
