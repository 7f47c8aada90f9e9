import type { Status } from '@/server/operations/status/status'
import { percent } from '../../ui/figures'
import { BARS, type MarkedIncident } from './bars'
import { DayBars } from './day-bars'

type DaysProps = {
  name: string
  last: Status['networks'][number]['last_90_days']
  today: string
  incidents: readonly MarkedIncident[]
}

/** The last 90 days of a network as bars, or why there are none. */
export function NetworkDays({ name, last, today, incidents }: DaysProps) {
  const days = last?.days ?? []
  if (days.length === 0 && incidents.length === 0) {
    return (
      <p className="self-center text-[0.92rem] text-soft">
        {last === null ? 'Payments cannot be counted now. Try again in a minute.' : 'No payments in the last 90 days.'}
      </p>
    )
  }
  const failing = days.filter(({ failed }) => failed > 0).length
  const settled = last?.success.share ?? null
  const share = settled === null ? null : percent(settled)
  const label = [
    `${name}, the last ${BARS} days`,
    ...(share === null ? [] : [`${share} of valid payments settled`]),
    `${failing === 0 ? 'no day' : failing === 1 ? 'one day' : `${failing} days`} with failures of ours or the chain`,
  ].join(': ')
  return <DayBars label={label} share={share} days={days} incidents={incidents} today={today} />
}

/** What the colors of the bars mean. */
export function Legend() {
  return (
    <ul aria-label="Colors of the bars" className="flex flex-wrap gap-x-5 gap-y-1 phone:flex-col text-[0.85rem] text-soft">
      {COLORS.map(([color, text]) => (
        <li key={color} className="flex items-baseline gap-2">
          <span aria-hidden className={`size-2.5 rounded-xs ${color}`} /> {text}
        </li>
      ))}
    </ul>
  )
}

const COLORS = [
  ['bg-accent', '99% or more settled'],
  ['bg-day-warn', 'Below 99%, or an incident'],
  ['bg-day-bad', 'Below 95%, or an outage'],
  ['bg-line', 'No payments'],
] as const
