import { HOUR_MS } from '@/server/base/durations'
import { useMinute } from '../../client/clock'
import type { Endpoint } from '../../client/webhook-texts'
import { useZone } from '../../client/zone'
import { form } from '../../ui/dates'

const HOURS = { least: 12, most: 24 }
// The units of the drawing.
const [STEP, BAR, HEIGHT] = [8, 5, 28]

const tickText = form({ hour: '2-digit', minute: '2-digit' })
const hourText = form({ weekday: 'short', hour: '2-digit', minute: '2-digit' })

/** The attempts of a webhook in each of its last 24 hours, failures on top. Their heights compare within one webhook. */
export function HourBars({ hours, createdAt }: Pick<Endpoint, 'hours' | 'createdAt'>) {
  const bars = eachHour(hours, useMinute(), Date.parse(createdAt))
  const sum = (of: 'good' | 'bad') => bars.reduce((total, bar) => total + bar[of], 0)
  const [good, bad] = [sum('good'), sum('bad')]
  const most = Math.max(1, ...bars.map((bar) => bar.good + bar.bad))
  return (
    <figure className="grid gap-1">
      <figcaption className="flex flex-wrap items-center gap-x-3 text-soft">
        <span>
          Attempts per hour <span className="tabular-nums">(peak {most.toLocaleString('en')})</span>
        </span>
        {bad === 0 ? null : (
          <span className="flex flex-wrap gap-x-3">
            <span className="flex items-center gap-1.5">
              <span aria-hidden className="size-2 rounded-xs bg-accent" /> succeeded
            </span>
            <span className="flex items-center gap-1.5">
              <span aria-hidden className="size-2 rounded-xs bg-bad" /> failed
              <span className="-ml-1.5 max-sm:hidden">, retried for up to 24 h</span>
            </span>
          </span>
        )}
      </figcaption>
      <Bars bars={bars} most={most} label={`Attempts in 24 hours: ${countsText({ good, bad })}`} />
      <Ticks bars={bars} />
    </figure>
  )
}

/** About four times under the chart, each at the beginning of its hour. */
function Ticks({ bars }: { bars: readonly Bar[] }) {
  const zone = useZone()
  const step = Math.ceil(bars.length / 4)
  return (
    <p aria-hidden className="flex text-xs whitespace-nowrap text-soft tabular-nums *:w-0 *:grow">
      {bars.map(({ hour }, at) => (
        <span key={hour}>{at % step === 0 && at + step / 2 < bars.length ? tickText(new Date(hour), zone) : null}</span>
      ))}
      <span className="grow-0! [direction:rtl]">now</span>
    </p>
  )
}

type Counts = { good: number; bad: number }
type Bar = Counts & { hour: number }

function Bars({ bars, most, label }: { bars: readonly Bar[]; most: number; label: string }) {
  const zone = useZone()
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-16 w-full border-b"
    >
      {bars.map(({ hour, good, bad }, at) => {
        const [goodHeight, badHeight] = [heightOf(good, most), heightOf(bad, most)]
        return (
          <g key={hour}>
            <title>{`${hourText(new Date(hour), zone)}: ${countsText({ good, bad })}`}</title>
            <rect x={at * STEP} width={STEP} height={HEIGHT} fill="transparent" />
            <rect x={at * STEP + 1.5} y={HEIGHT - goodHeight} width={BAR} height={goodHeight} fill="var(--accent)" />
            <rect x={at * STEP + 1.5} y={HEIGHT - goodHeight - badHeight} width={BAR} height={badHeight} fill="var(--bad)" />
          </g>
        )
      })}
    </svg>
  )
}

const countsText = ({ good, bad }: Counts): string => `${good.toLocaleString('en')} succeeded, ${bad.toLocaleString('en')} failed`

// The smallest count still shows.
const heightOf = (count: number, most: number): number => (count === 0 ? 0 : Math.max(1.5, (count / most) * (HEIGHT - 2)))

/** Each hour since a time, oldest first, with zeros where nothing was sent: 12 at least, 24 at most. */
export function eachHour(known: Endpoint['hours'], now: number, since: number): Bar[] {
  const current = now - (now % HOUR_MS)
  const length = Math.min(HOURS.most, Math.max(HOURS.least, Math.ceil((current - since) / HOUR_MS) + 1))
  return Array.from({ length }, (_, at) => {
    const hour = current - (length - 1 - at) * HOUR_MS
    const { good = 0, bad = 0 } = known.find((one) => Date.parse(one.hour) === hour) ?? {}
    return { hour, good, bad }
  })
}
