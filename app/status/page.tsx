import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { Footer } from '@/components/site/frame/footer'
import { PublicBar } from '@/components/site/frame/public-bar'
import { STATUS_PITCH } from '@/components/site/pictures/cards'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { Counted } from '@/components/site/status/counted'
import { headline } from '@/components/site/status/text'
import { TierCard } from '@/components/site/status/tier-card'
import { currentApp } from '@/server/app'
import type { Status } from '@/server/operations/status/status'
import { statusView } from '@/server/operations/status/view'
import '@/components/site/status/status.css'

export const metadata: Metadata = pageMetadata({ title: 'Status', description: STATUS_PITCH, path: '/status' })

export default async function StatusPage() {
  // The status exists only at run time, so this page cannot be prerendered.
  await connection()
  const found = await statusView(currentApp(), await headers())
  return (
    <>
      <PublicBar />
      <div className="page status">
        <main id="text">{'refused' in found ? <Refused message={found.refused} /> : <Whole status={found} />}</main>
        <Footer />
      </div>
    </>
  )
}

function Whole({ status }: { status: Status }) {
  const { text, isGood } = headline(status)
  return (
    <>
      <header className="intro">
        <h1>Status</h1>
        <p className={isGood ? 'now good' : 'now bad'} role="status">
          {text}
        </p>
      </header>
      {status.networks.length === 0 ? <Nothing /> : null}
      {status.networks.map(({ network, name, testnet, tiers }) => (
        <section key={network} className="section" aria-labelledby={network}>
          <header>
            <h2 id={network}>
              {name} {testnet ? <span className="tag">Test money</span> : null}
            </h2>
          </header>
          <div className="tiers">
            {tiers.map((tier) => (
              <TierCard key={tier.tier} network={name} status={tier} />
            ))}
          </div>
        </section>
      ))}
      <Counted status={status} />
    </>
  )
}

function Nothing() {
  return (
    <section className="section">
      <p className="muted">No networks yet. A network appears here when it is configured.</p>
    </section>
  )
}

function Refused({ message }: { message: string }) {
  return (
    <section className="intro" role="alert">
      <h1>Status</h1>
      <p className="muted">The status could not be read: {message}</p>
      <p>
        <a href="/status">Try again</a>
      </p>
    </section>
  )
}
