import type { ReactNode } from 'react'
import { reasonUrl } from '@/server/http/error-catalog'
import type { TierStatus } from '@/server/operations/status/status'
import { shortDate } from '../ui/dates'
import { causeNames, hadPayments, pendingText, reasonRows, successText, tierNames, timeText } from './text'

/** A tier on a network: whether it takes payments now, and what its payments came to. */
export function TierCard({ network, status }: { network: string; status: TierStatus }) {
  const { tier, available, since, pending } = status
  const name = tierNames[tier]
  return (
    <article className="card" aria-label={`${name} on ${network}`}>
      <header>
        <h3>{name}</h3>
        <Availability available={available} />
      </header>
      <p className="small">
        {since === null ? null : <>Since {shortDate(new Date(since), 'UTC')}. </>}
        {pendingText(pending)}.
      </p>
      {hadPayments(status) ? (
        <Outcomes name={`${name} on ${network}`} status={status} />
      ) : (
        <NoPayments isKnown={pending !== null} />
      )}
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
  const windows = [day, days]
  const reasons = reasonRows(status)
  return (
    <>
      <table>
        <caption>{name}: payments by outcome</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">24 hours</th>
            <th scope="col">30 days</th>
          </tr>
        </thead>
        <tbody>
          <Row className="success" title="Success" values={windows.map(({ success }) => success).map(Success)} />
          <Row title="All attempts" values={windows.map((one) => successText(one.success_of_all)?.share ?? <TooFew />)} />
          <Row title="Settled" values={windows.map(({ settled }) => settled.toLocaleString('en'))} />
          <Row title="Time, median" values={windows.map(({ settle_ms }) => timeText(settle_ms.p50))} />
          <Row title="Time, 95%" values={windows.map(({ settle_ms }) => timeText(settle_ms.p95))} />
        </tbody>
        <tbody>
          <tr>
            <th scope="rowgroup" colSpan={3} className="group">
              Failed, by cause
            </th>
          </tr>
          <Row title={causeNames.payer} values={windows.map(({ failed }) => failed.payer.count.toLocaleString('en'))} />
          <Row title={causeNames.chain} values={windows.map(({ failed }) => failed.chain.count.toLocaleString('en'))} />
          <Row
            title={causeNames.facilitator}
            values={windows.map(({ failed }) => failed.facilitator.count.toLocaleString('en'))}
          />
        </tbody>
      </table>
      {reasons.length > 0 ? <Reasons name={name} rows={reasons} /> : null}
    </>
  )
}

function Row({ title, values, className }: { title: string; values: readonly ReactNode[]; className?: string }) {
  const [day, days] = values
  return (
    <tr className={className}>
      <th scope="row">{title}</th>
      <td>{day}</td>
      <td>{days}</td>
    </tr>
  )
}

function Success(share: NonNullable<TierStatus['last_24_hours']>['success']) {
  const text = successText(share)
  if (text === null) return <TooFew />
  return (
    <>
      {text.share} <small>{text.bound}</small>
    </>
  )
}

const TooFew = () => <small>Too few to claim</small>

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
