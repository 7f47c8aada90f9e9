import { MINUTE_MS } from '@/server/base/durations'
import type { Status } from '@/server/operations/status/status'
import { BARS, barsOf, type MarkedIncident, medianLine } from '../../client/days/bars'
import { NetworkDays } from '../../client/days/network-days'
import { Badge } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { duration } from '../../ui/figures'
import { hadPayments, stateOf, type Tone } from './text'
import { TierCard } from './tier-card'

type NetworkStatus = Status['networks'][number]

export const TONES = {
  good: 'text-accent',
  warn: 'text-warn',
  bad: 'text-bad',
  plain: 'text-soft',
} as const satisfies Record<Tone, string>

/** A dot of the color of the text before a state. */
export const DOT = 'before:inline-block before:flex-none before:rounded-full before:bg-current'

/** A network in a line: its state, its days, and its median time; its tiers are folded below it. */
export function NetworkLine({
  status,
  today,
  incidents,
}: {
  status: NetworkStatus
  today: string
  incidents: readonly MarkedIncident[]
}) {
  const { network, name, testnet, tiers, last_90_days: last } = status
  const state = stateOf(status)
  // It names the columns for those below it.
  const first = tiers.find(hadPayments)
  return (
    <section className="relative px-[1.35rem] pt-[1.1rem] not-first:border-t" aria-labelledby={network}>
      <div className={LINE}>
        <header className="grid content-start gap-[0.15rem]">
          <h2 id={network} className="flex flex-wrap items-center gap-x-[0.6rem] text-[1.1rem]">
            {name} {testnet ? <Badge tone="warn">Test money</Badge> : null}
          </h2>
          <p
            className={cx(
              'flex items-baseline gap-[0.45rem] text-[0.9rem] before:size-[0.5rem]',
              DOT,
              state.tone === 'good' ? 'text-soft before:bg-accent!' : TONES[state.tone],
            )}
          >
            {state.text}
          </p>
        </header>
        <NetworkDays name={name} last={last} today={today} incidents={incidents} />
        {last && last.days.length > 0 ? <MedianTime last={last} today={today} /> : null}
      </div>
      <details className="pt-1 pb-[0.6rem]">
        {/* On a wide screen the chevron stands at the end of the line. */}
        <summary className="unfolds flex w-fit items-center gap-2.5 py-[0.3rem] text-[0.9rem] text-soft hover:text-ink lg:absolute lg:top-[1.1rem] lg:right-[0.9rem] lg:size-8 lg:justify-center">
          <span className="lg:sr-only">
            Details <span className="sr-only">of {name}</span>
          </span>
        </summary>
        <PoorDays days={last?.days ?? []} today={today} incidents={incidents} />
        <div className="-mx-[1.35rem]">
          {tiers.map((tier) => (
            <TierCard key={tier.tier} network={name} status={tier} namesColumns={tier === first} />
          ))}
        </div>
      </details>
    </section>
  )
}

const POOR_MAX = 10

/** The newest days that were not good, in words: their bars say them to a pointer only. */
function PoorDays(shown: Parameters<typeof barsOf>[0]) {
  const poor = barsOf(shown).filter(({ tone }) => tone === 'warn' || tone === 'bad')
  if (poor.length === 0) return null
  return (
    <ul aria-label="Days with failures or incidents" className="grid gap-0.5 pt-1 text-[0.85rem] text-soft">
      {poor
        .slice(-POOR_MAX)
        .toReversed()
        .map(({ date, text }) => (
          <li key={date}>{text}</li>
        ))}
    </ul>
  )
}

// Where there is little room the days are below the name, and the time is below both.
const LINE = 'grid items-start gap-x-[1.6rem] gap-y-[0.7rem] lg:grid-cols-[14rem_minmax(0,1fr)_17rem] lg:pr-8'

const HEIGHT = 28
const SECOND_MS = 1_000

/** The fastest and the slowest day, in one unit: `1 to 1.6 s`, `0.9 to 1.2 s`. */
function rangeText({ low, high }: { low: number; high: number }): string {
  const to = duration(high)
  const from = low < SECOND_MS && high >= SECOND_MS ? `${(low / SECOND_MS).toFixed(1)} s` : duration(low)
  const unit = / (?:ms|s)$/.exec(to)?.[0] ?? ''
  // Minutes keep their words.
  return high < MINUTE_MS && from.endsWith(unit) ? `${from.slice(0, -unit.length)} to ${to}` : `${from} to ${to}`
}

function MedianTime({ last, today }: { last: NonNullable<NetworkStatus['last_90_days']>; today: string }) {
  const line = medianLine(last.days, today, HEIGHT)
  return (
    <div className="grid grid-cols-1 items-start justify-between gap-x-5 max-lg:items-end lg:grid-cols-[auto_minmax(0,1fr)] phone:gap-y-1 not-phone:max-lg:grid-cols-[11.75rem_minmax(0,1fr)]">
      <p className="grid gap-1 text-[0.8rem] leading-5 whitespace-nowrap text-soft tabular-nums max-lg:flex max-lg:items-baseline max-lg:gap-1.5">
        {last.median_ms === null ? (
          'Too few for a median'
        ) : (
          <>
            <strong className="text-[1.1rem] leading-7 font-[650] text-ink max-lg:order-1">{duration(last.median_ms)}</strong>
            <span>
              Median settle time<span className="sr-only">, {BARS} days</span>
            </span>
          </>
        )}
      </p>
      {last.median_ms === null ? null : line === null ? (
        <p className="text-[0.8rem] leading-5 text-soft lg:text-right">Too few payments for daily times</p>
      ) : (
        <div className="grid gap-1">
          <svg
            aria-hidden
            viewBox={`${line.from} 0 ${BARS - 1 - line.from} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="h-7 w-full border-b text-soft"
          >
            <path d={line.path} fill="none" stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
          </svg>
          <p className="text-right text-[0.8rem] leading-5 whitespace-nowrap text-soft tabular-nums">Daily {rangeText(line)}</p>
        </div>
      )}
    </div>
  )
}
