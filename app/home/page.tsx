import type { Metadata } from 'next'
import { connection } from 'next/server'
import { FlowPicture } from '@/components/flow-picture'
import { PublicBar } from '@/components/public-bar'
import { Snippet } from '@/components/snippet'
import { currentApp } from '@/server/app'
import { expressProgram, sandboxSale } from '@/server/http/guide/merchants'
import { plans } from '@/server/services/plans'
import { Plans, whole } from './plans'

export const metadata: Metadata = { title: { absolute: 'Quittance: get paid per request' } }

export default async function HomePage() {
  // The base URL is known to the running process only, so nothing of this page may be built ahead.
  await connection()
  const { baseUrl } = currentApp().config
  return (
    <div className="page">
      <PublicBar />
      <main>
        <div className="hero">
          <h1>Get paid per request.</h1>
          <p className="lead">
            Quittance is a payment facilitator for HTTP APIs. Your server names a price, the caller signs a stablecoin transfer,
            and Quittance checks it, puts it on chain, pays the gas and tells you when the money is yours.
          </p>
          <div className="actions">
            <a className="button" href="#start">
              Start in the sandbox
            </a>
            <a href="#flow">How it works</a>
          </div>
        </div>
        <Audience />
        <Flow />
        <BaseUrls baseUrl={baseUrl} />
        <Plans />
        <section className="section" id="start">
          <header>
            <h2>Charge for a route in twenty lines</h2>
            <p className="muted">
              Any x402 middleware works; this is the official one for Express. Put in your address and run it: the sandbox needs
              no account and costs nothing.
            </p>
          </header>
          <Snippet code={expressProgram(sandboxSale(baseUrl))} name="weather.mjs" />
        </section>
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

function Audience() {
  return (
    <section className="section" aria-label="For whom">
      <div className="cards">
        <article className="card">
          <h3>You run an API</h3>
          <p>Add one middleware. No accounts, cards or invoices: each request pays for itself, straight to your own wallet.</p>
        </article>
        <article className="card">
          <h3>You build an agent</h3>
          <p>Sign and retry. Your wallet needs stablecoin and nothing else, because the facilitator pays for gas.</p>
        </article>
        <article className="card">
          <h3>You pay from a wallet</h3>
          <p>A signature moves exactly the amount, recipient and time you signed. It is used once or never.</p>
        </article>
      </div>
    </section>
  )
}

function Flow() {
  return (
    <section className="section" id="flow">
      <header>
        <h2>One request, paid</h2>
      </header>
      <div className="split">
        <FlowPicture />
        <ol className="steps">
          <li>A client asks your server for something that costs money.</li>
          <li>Your server answers 402 with the price, the asset and where to pay.</li>
          <li>The client signs a transfer and repeats the request with it.</li>
          <li>Your middleware hands the signed transfer to Quittance, which judges it and sends it to the chain.</li>
          <li>Once the transfer is included, your server delivers. A payment that fails moves no money.</li>
        </ol>
      </div>
    </section>
  )
}

function BaseUrls({ baseUrl }: { baseUrl: string }) {
  return (
    <section className="section" id="urls">
      <header>
        <h2>The base URL is all you configure</h2>
        <p className="muted">
          Give it to your middleware. Below it are <code>/verify</code>, <code>/settle</code> and <code>/supported</code>.
        </p>
      </header>
      <div className="cards">
        <article className="card">
          <header>
            <h3>Sandbox</h3>
            <span className="tag live">open now</span>
          </header>
          <code className="url">{baseUrl}/sandbox</code>
          <p>
            Base Sepolia and Solana devnet, free, no key: {whole(plans.sandbox.settlements)} settlements a month per IP address.
          </p>
        </article>
        <article className="card">
          <header>
            <h3>Production</h3>
            <span className="tag live">open with a key</span>
          </header>
          <code className="url">
            {baseUrl}
            <wbr />
            /v1/&lt;API_KEY&gt;
          </code>
          <p>
            Base and Solana, for real money, and Base Sepolia. The operator of this facilitator makes your key, or your agent buys
            one; it is part of the URL, so every official client works as it is. Keep the URL secret.
          </p>
        </article>
        <article className="card">
          <header>
            <h3>Flash</h3>
            <span className="tag live">growth, scale</span>
          </header>
          <code className="url">
            {baseUrl}
            <wbr />
            /v1/&lt;API_KEY&gt;
            <wbr />
            /flash
          </code>
          <p>
            On Base answers come after about 200 milliseconds, from preconfirmed blocks; Solana is as quick as it always is. For
            the plans Growth and Scale.
          </p>
        </article>
      </div>
    </section>
  )
}
