import type { Status } from '@/server/operations/status/status'
import { barsOf, markedOn } from '../../client/days/bars'
import { Legend } from '../../client/days/network-days'
import { cx } from '../../ui/class-names'
import { PublicPage } from '../frame/public-page'
import { Counted } from './counted'
import { type BadDay, OpenIncidents, PastIncidents } from './incidents'
import { DOT, NetworkLine, TONES } from './network'
import { SECTION } from './section'
import { headline } from './text'

/** The status of the service, or why it could not be read. */
export function StatusView({ found }: { found: Status | { refused: string } }) {
  return (
    <PublicPage className="text-[1rem]" mainClassName="min-h-[60vh]">
      {'refused' in found ? <Refused message={found.refused} /> : <Whole status={found} />}
    </PublicPage>
  )
}

function Whole({ status }: { status: Status }) {
  const { text, tone } = headline(status)
  const badDays = badDaysOf(status)
  const failing = badDays.filter(({ day }) => day === 'Today')
  const shown = tone === 'good' && failing.length > 0 ? 'warn' : tone
  const { networks, checked_at, incidents } = status
  return (
    <>
      <header className={INTRO}>
        <h1 className={TITLE}>Status</h1>
        <div
          className={cx(
            'flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 rounded-(--radius) px-[1.35rem] py-[0.8rem]',
            BANDS[shown],
          )}
        >
          <p
            className={cx(
              'flex items-baseline gap-[0.6rem] text-[1.15rem] font-semibold before:size-[0.65rem]',
              DOT,
              TONES[shown],
            )}
            role="status"
          >
            {text}
          </p>
          <p className="text-[0.9rem] text-soft">
            Updated{' '}
            <time dateTime={checked_at} className="tabular-nums">
              {checked_at.slice(11, 16)} UTC
            </time>
          </p>
          {failing.length === 0 ? null : (
            <p className="w-full pl-5 text-[0.95rem]">
              {failing.map(({ network, outcome }) => `${network}: ${outcome} today.`).join(' ')}
            </p>
          )}
        </div>
      </header>
      <OpenIncidents incidents={incidents ?? []} />
      {networks.length === 0 ? (
        <Nothing />
      ) : (
        <div className="grid gap-3 pb-[clamp(1.4rem,3vw,2.2rem)]">
          <div className="frame">
            {networks.map((network) => (
              <NetworkLine
                key={network.network}
                status={network}
                today={checked_at.slice(0, 10)}
                incidents={markedOn(incidents ?? [], network.network)}
              />
            ))}
          </div>
          <Legend />
        </div>
      )}
      <PastIncidents incidents={incidents} badDays={badDays} />
      <Counted status={status} />
    </>
  )
}

/** The newest days of all networks whose bars are red, without those that an incident explains. */
function badDaysOf({ networks, incidents, checked_at }: Status): BadDay[] {
  const today = checked_at.slice(0, 10)
  return networks
    .flatMap(({ network, name, last_90_days: last }) => {
      const marked = markedOn(incidents ?? [], network)
      return barsOf({ days: last?.days ?? [], incidents: marked, today }).flatMap(({ tone, ...bar }) => {
        const explained = marked.some(({ first, last: end }) => first <= bar.date && (end === null || bar.date <= end))
        return tone === 'bad' && !explained ? [{ network: name, ...bar }] : []
      })
    })
    .toSorted((one, other) => other.date.localeCompare(one.date))
    .slice(0, BAD_DAYS_MAX)
}

const BAD_DAYS_MAX = 10

const BANDS = { good: 'bg-wash', warn: 'bg-warn-wash', bad: 'bg-bad-wash' } as const
const INTRO = 'grid gap-[0.6rem] pt-[clamp(0.8rem,2vw,1.6rem)] pb-[clamp(1.4rem,3vw,2.2rem)]'
const TITLE = 'text-[clamp(1.7rem,1.4rem+1.4vw,2.3rem)]'

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
