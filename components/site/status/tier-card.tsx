import type { ReactNode } from 'react'
import { reasonUrl } from '@/server/http/documented-codes'
import type { TierStatus } from '@/server/operations/status/status'
import { shortDate } from '../../ui/dates'
import { causeNames, hadPayments, pendingText, reasonRows, successText, tierNames, timeText } from './text'

/** A tier on a network: whether it takes payments now, and what its payments came to. */
export function TierCard({ network, status }: { network: string; status: TierStatus }) {
  const { tier, available, since, pending } = status
  const name = `${tierNames[tier]} on ${network}`
  const reasons = reasonRows(status)
  return (
    <article className="tier" aria-label={name}>
      <header>
        <h3>{tierNames[tier]}</h3>
        <Availability available={available} />
        <p>
          {since === null ? null : <>Since {shortDate(new Date(since), 'UTC')}. </>}
          {pendingText(pending)}.
        </p>
      </header>
      {hadPayments(status) ? <Outcomes name={name} status={status} /> : <NoPayments isKnown={pending !== null} />}
      {reasons.length > 0 ? <Reasons name={name} rows={reasons} /> : null}
    </article>
  )
}

function Availability({ available }: Pick<TierStatus, 'available'>) {
  if (available === null) return <span className="tag">Not configured</span>
  return <span className={available ? 'tag live' : 'tag down'}>{available ? 'Available' : 'Not available'}</span>
}

function NoPayments({ isKnown }: { isKnown: boolean }) {
  return <p className="none">{isKnown ? 'No payments yet.' : 'Payments cannot be counted now. Try again in a minute.'}</p>
}

function Outcomes({ name, status }: { name: string; status: TierStatus }) {
  const { last_24_hours: day, last_30_days: days } = status
  if (day === null || days === null) return null
  return (
    <table className="outcomes card-rows">
      <caption>{name}: payments by outcome</caption>
      <colgroup>
        <col className="window" />
        <col className="success" />
      </colgroup>
      <thead>
        <tr>
          <td rowSpan={2} />
          {FIGURES.map((title) => (
            <th key={title} scope="col" rowSpan={2}>
              {title}
            </th>
          ))}
          <th scope="colgroup" colSpan={CAUSES.length} className="group">
            Failed, by cause
          </th>
        </tr>
        <tr>
          {CAUSES.map((cause) => (
            <th key={cause} scope="col">
              {causeNames[cause]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <OutcomesRow title="24 hours" figures={day} />
        <OutcomesRow title="30 days" figures={days} />
      </tbody>
    </table>
  )
}

const FIGURES = ['Success', 'All attempts', 'Settled', 'Median time', '95% time'] as const
const CAUSES = ['payer', 'chain', 'facilitator'] as const

/** What a phone calls the causes. */
const FAILED = { payer: 'Payer failed', chain: 'Chain failed', facilitator: 'We failed' } as const satisfies Record<
  (typeof CAUSES)[number],
  string
>

function OutcomesRow({ title, figures }: { title: string; figures: NonNullable<TierStatus['last_24_hours']> }) {
  const { success, success_of_all, settled, settle_ms, failed } = figures
  const values = {
    Success: <Success {...success} />,
    'All attempts': successText(success_of_all)?.share ?? TOO_FEW,
    Settled: settled.toLocaleString('en'),
    'Median time': timeText(settle_ms.p50),
    '95% time': timeText(settle_ms.p95),
  } as const satisfies Record<(typeof FIGURES)[number], ReactNode>
  return (
    <tr>
      <th scope="row">{title}</th>
      {FIGURES.map((name) => (
        <td key={name} data-name={name}>
          {values[name]}
        </td>
      ))}
      {CAUSES.map((cause) => (
        <td key={cause} data-name={FAILED[cause]}>
          {failed[cause].count.toLocaleString('en')}
        </td>
      ))}
    </tr>
  )
}

function Success(share: NonNullable<TierStatus['last_24_hours']>['success']) {
  const text = successText(share)
  if (text === null) return TOO_FEW
  return (
    <>
      <strong>{text.share}</strong> <small>{text.bound}</small>
    </>
  )
}

const TOO_FEW = <small>Too few</small>

function Reasons({ name, rows }: { name: string; rows: ReturnType<typeof reasonRows> }) {
  return (
    <details>
      <summary>Reasons of failures</summary>
      <table>
        <caption>{name}: failures by reason</caption>
        <thead>
          <tr>
            <th scope="col">Reason</th>
            <th scope="col">24 hours</th>
            <th scope="col">30 days</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cause, code, title, day, days }) => (
            <tr key={`${cause} ${code}`}>
              <th scope="row">
                {code === 'not_sent' ? title : <a href={reasonUrl(code)}>{title}</a>}
                <small>{causeNames[cause]}</small>
              </th>
              <td>{day.toLocaleString('en')}</td>
              <td>{days.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
