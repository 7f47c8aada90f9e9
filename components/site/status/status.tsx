import type { Status } from '@/server/operations/status/status'
import { Footer } from '../frame/footer'
import { PublicBar } from '../frame/public-bar'
import { Counted } from './counted'
import { headline } from './text'
import { TierCard } from './tier-card'

/** The status of the service, or why it could not be read. */
export function StatusView({ found }: { found: Status | { refused: string } }) {
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
