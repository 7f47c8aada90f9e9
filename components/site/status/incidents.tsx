import { MINUTE_MS } from '@/server/base/durations'
import type { Status } from '@/server/operations/status/status'
import { networkTitle } from '@/server/x402/networks/networks'
import { Tag } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { shortDate } from '../../ui/dates'
import { SECTION, SECTION_TITLE } from './section'
import { isOpen } from './text'

type Incident = NonNullable<Status['incidents']>[number]

const IMPACTS = { degraded: 'Degraded', outage: 'Outage' } as const satisfies Record<Incident['impact'], string>

/** The incidents that last, with all their messages: the first thing to read. */
export function OpenIncidents({ incidents }: { incidents: readonly Incident[] }) {
  const open = incidents.filter(isOpen)
  if (open.length === 0) return null
  return (
    <section aria-label="Open incidents" className="grid gap-[0.9rem] pb-[1.4rem]">
      {open.map((incident) => (
        <article
          key={incident.id}
          aria-labelledby={incident.id}
          className={cx(
            'frame border-l-4 px-[1.35rem] py-[1.1rem]',
            incident.impact === 'outage' ? 'border-l-bad' : 'border-l-warn',
          )}
        >
          <Told incident={incident} />
        </article>
      ))}
    </section>
  )
}

/** A day on which many valid payments of a network failed, in words. */
export type BadDay = { network: string; date: string; day: string; outcome: string }

/** The incidents that are over, and the worst days. `incidents` is null if they cannot be read. */
export function PastIncidents({ incidents, badDays }: { incidents: readonly Incident[] | null; badDays: readonly BadDay[] }) {
  const past = incidents?.filter((incident) => !isOpen(incident)) ?? []
  return (
    <section className={SECTION} aria-labelledby="incidents">
      <h2 id="incidents" className={SECTION_TITLE}>
        Past incidents
      </h2>
      {past.length === 0 ? (
        <p className="text-soft">
          {incidents === null ? 'Incidents cannot be read now. Try again in a minute.' : 'None in the last 90 days.'}
        </p>
      ) : (
        <div className="frame *:border-t *:px-[1.35rem] *:py-[1.1rem] *:first:border-t-0">
          {past.map((incident) => (
            <article key={incident.id} aria-labelledby={incident.id}>
              <Told incident={incident} />
            </article>
          ))}
        </div>
      )}
      {badDays.length === 0 ? null : (
        <div className="frame grid gap-1 px-[1.35rem] py-[1.1rem]">
          <h3 id="bad-days" className="text-[1.05rem]">
            Days below 95%
          </h3>
          <ul aria-labelledby="bad-days" className="grid gap-0.5">
            {badDays.map(({ network, date, day, outcome }) => (
              <li key={`${network} ${date}`} className={UPDATE}>
                <time dateTime={date} className={UPDATE_TIME}>
                  {day}
                </time>
                <span>
                  {network}: {outcome}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

// A time, and what is said of it.
const UPDATE = 'grid grid-cols-[9.5rem_minmax(0,1fr)] phone:grid-cols-[4rem_minmax(0,1fr)] gap-x-[1.6rem] text-[0.95rem]'
const UPDATE_TIME = 'text-[0.85rem] leading-[1.6rem] text-soft tabular-nums'

function Told({ incident: { id, title, impact, networks, started_at, resolved_at, updates } }: { incident: Incident }) {
  const started = new Date(started_at)
  const lasted = resolved_at === null ? null : new Date(resolved_at).getTime() - started.getTime()
  return (
    <>
      <h3 id={id} className="flex flex-wrap items-center gap-x-[0.7rem] gap-y-1.5 text-[1.05rem] wrap-anywhere">
        {title} {resolved_at === null ? <Tag tone="bad">{IMPACTS[impact]}</Tag> : <Tag>{IMPACTS[impact]}, resolved</Tag>}
      </h3>
      <p className="text-[0.85rem] text-soft phone:mt-1.5">
        {networks.length === 0 ? 'All networks' : networks.map(networkTitle).join(', ')} · {lasted === null ? 'since ' : ''}
        {shortDate(started, 'UTC')}
        {lasted === null ? null : ` · lasted ${lastingText(lasted)}`}
      </p>
      <ol className="mt-[0.6rem] grid gap-[0.5rem]" aria-label={`Updates about ${title}`}>
        {updates.map(({ at, text }) => (
          <li key={at} className={cx(UPDATE, 'phone:grid-cols-1! phone:border-l-2 phone:pl-3')}>
            <time dateTime={at} className={UPDATE_TIME}>
              {shortDate(new Date(at), 'UTC')}
            </time>
            <span className="whitespace-pre-line wrap-anywhere">{text}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

/** How long an incident lasted, in whole minutes: `47 min`, `3 h 5 min`. */
function lastingText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS))
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
