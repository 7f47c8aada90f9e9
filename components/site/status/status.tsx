import type { Status } from '@/server/operations/status/status'
import { Tag } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { Footer } from '../frame/footer'
import { PublicBar } from '../frame/public-bar'
import { Counted } from './counted'
import { SECTION, SECTION_TITLE } from './section'
import { hadPayments, headline } from './text'
import { TierCard } from './tier-card'

/** The status of the service, or why it could not be read. */
export function StatusView({ found }: { found: Status | { refused: string } }) {
  return (
    <>
      <PublicBar />
      <div className="page text-[1rem]">
        <main id="text" className="min-h-[60vh]">
          {'refused' in found ? <Refused message={found.refused} /> : <Whole status={found} />}
        </main>
        <Footer />
      </div>
    </>
  )
}

function Whole({ status }: { status: Status }) {
  const { text, isGood } = headline(status)
  const { networks } = status
  return (
    <>
      <header className={INTRO}>
        <h1 className={TITLE}>Status</h1>
        <p
          className={cx(
            'flex items-baseline gap-[0.6rem] text-[1.15rem] before:size-[0.65rem] before:flex-none before:rounded-full before:bg-current',
            isGood ? 'text-accent' : 'text-bad',
          )}
          role="status"
        >
          {text}
        </p>
      </header>
      {networks.length === 0 ? <Nothing /> : null}
      {networks.map((network, place) => (
        <Network key={network.network} {...network} follows={isQuiet(networks[place - 1])} />
      ))}
      <Counted status={status} />
    </>
  )
}

const INTRO = 'grid gap-[0.6rem] pt-[clamp(0.8rem,2vw,1.6rem)] pb-[clamp(1.4rem,3vw,2.2rem)]'
const TITLE = 'text-[clamp(1.7rem,1.4rem+1.4vw,2.3rem)]'

type NetworkStatus = Status['networks'][number]

/** Whether a network had no payments. Such networks follow each other closely: there may be many. */
const isQuiet = (network: NetworkStatus | undefined): boolean => network !== undefined && !network.tiers.some(hadPayments)

/** A panel with a part for each tier. `follows`: the network before it had no payments. */
function Network({ follows, ...status }: NetworkStatus & { follows: boolean }) {
  const { network, name, testnet, tiers } = status
  // It names the columns for those below it.
  const first = tiers.find(hadPayments)
  const look = isQuiet(status) ? cx('grid gap-[0.6rem] border-t py-[1.4rem]', follows && 'border-t-0 pt-0') : SECTION
  return (
    <section className={look} aria-labelledby={network}>
      <header className="max-w-[42rem]">
        <h2 id={network} className={SECTION_TITLE}>
          {name} {testnet ? <Tag>Test money</Tag> : null}
        </h2>
      </header>
      <div className="frame">
        {tiers.map((tier) => (
          <TierCard key={tier.tier} network={name} status={tier} namesColumns={tier === first} />
        ))}
      </div>
    </section>
  )
}

function Nothing() {
  return (
    <section className={SECTION}>
      <p className="text-soft">No networks yet. A network appears here when it is configured.</p>
    </section>
  )
}

function Refused({ message }: { message: string }) {
  return (
    <section className={INTRO} role="alert">
      <h1 className={TITLE}>Status</h1>
      <p className="text-soft">The status could not be read: {message}</p>
      <p>
        <a href="/status">Try again</a>
      </p>
    </section>
  )
}
