import { DAY_MS } from '@/server/base/durations'
import { useMinute } from '../../client/clock'
import { useZone } from '../../client/zone'
import { dayText, form } from '../../ui/dates'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { type BurnDown, burnDown, type CreditHistory } from './burn-down'

// The library is large: it loads after the page.
const BurnDownPlot = later(
  () => import('./burn-down-plot').then((loaded) => loaded.BurnDownPlot),
  <Skeleton className="h-full" />,
)

/** The most days to come that the chart shows. */
const AHEAD = 30

const endDay = form({ weekday: 'short', month: 'short', day: 'numeric' })

type Props = { history: CreditHistory | undefined; keepsHistory: boolean }

/** The credits left over 30 days, with purchases, and when they end at the current pace. Its size does not depend on its data. */
export function BurnDownChart({ history, keepsHistory }: Props) {
  const zone = useZone()
  const now = useMinute()
  if (!keepsHistory) return <p className="text-sm text-soft">History is off, so the use by day is not shown.</p>
  const curve = history && burnDown(history, now)
  return (
    <figure className="grid gap-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {curve?.end ? (
          <p className="font-medium">{`Empty on ${endDay(new Date(curve.end), zone)}`}</p>
        ) : (
          <p className="text-sm text-soft">{curve ? 'No end in sight at the current pace' : null}</p>
        )}
        <p className="text-sm text-soft">
          Last 30 days:
          {/* The space comes with the figures: alone at the end of its line, it would count as moved when they come. */}
          {history ? <span className="text-ink tabular-nums"> {totalText(history)}</span> : null}
        </p>
      </div>
      <div className="h-48">
        {curve ? (
          <BurnDownPlot {...curve} now={now} until={Math.min(curve.end ?? now, now + AHEAD * DAY_MS)} />
        ) : (
          <Skeleton className="h-full" />
        )}
      </div>
      <Legend />
      {curve ? <Days days={curve.days} /> : null}
    </figure>
  )
}

function totalText({ days }: CreditHistory): string {
  const sum = (of: 'settled' | 'failed') => days.reduce((total, day) => total + day[of], 0)
  const failed = sum('failed')
  return `${sum('settled').toLocaleString('en')} settled${failed > 0 ? `, ${failed.toLocaleString('en')} failed` : ''}`
}

function Legend() {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
      {MARKS.map(([name, dashes]) => (
        <li key={name} className="flex items-center gap-1.5">
          <svg aria-hidden className="h-2.5 w-5" viewBox="0 0 20 10">
            <line x2={20} y1={5} y2={5} stroke="var(--accent)" strokeWidth={2} strokeDasharray={dashes} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

// The dots name themselves.
const MARKS = [
  ['Credits left', 'none'],
  ['At the current pace', '4 3'],
] as const

/** The same figures for screen readers. */
function Days({ days }: Pick<BurnDown, 'days'>) {
  return (
    <div className="sr-only">
      <table>
        <caption>Credits by day</caption>
        <thead>
          <tr>
            {['Day', 'Used', 'Bought', 'Left at its end'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, used, bought, left }) => (
            <tr key={day}>
              <th scope="row">{dayText(day, 'long')}</th>
              <td>{used.toLocaleString('en')}</td>
              <td>{bought.toLocaleString('en')}</td>
              <td>{left.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
