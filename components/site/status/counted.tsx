import type { Status } from '@/server/operations/status/status'
import { buttonClass } from '../../ui/button'
import { shortDate } from '../../ui/dates'
import { ACTIONS } from '../frame/actions'
import { SECTION, SECTION_TITLE } from './section'

/** What the figures count, and what they do not. */
export function Counted({ status }: { status: Status }) {
  const { claim_min, counted_at, last_24_hours: day, last_30_days: days } = status
  return (
    <section className={SECTION} aria-labelledby="counted">
      <h2 id="counted" className={SECTION_TITLE}>
        How we count
      </h2>
      <p className="max-w-[46rem] text-soft">
        A bar is a UTC day. It counts valid payments: failures of a payer or merchant, such as a low balance, are left out.
      </p>
      <details className="max-w-[46rem]">
        <summary className="unfolds flex w-fit items-center gap-2.5 py-[0.3rem] text-accent">What the figures mean</summary>
        <ul className="grid list-disc gap-2 pt-2 pl-[1.15rem] text-soft [&_strong]:font-semibold [&_strong]:text-ink">
          <li>
            <strong>Success</strong> is the share that settled. It counts failures of the chain and of Quittance, and no others.
            “At least” is the lower end of its 95% Wilson interval.
          </li>
          <li>
            <strong>All attempts</strong> also counts failures of the payer or the merchant, such as a low balance or a bad
            signature.
          </li>
          <li>
            <strong>Time</strong> runs from acceptance to inclusion in a block; on flash, to the preconfirmation. It is exact to
            10%. The line of a network leaves flash out.
          </li>
          <li>
            <strong>Bars</strong>: on a day with fewer than {claim_min} payments, any failure shows.
          </li>
          <li>
            <strong>Too few</strong>: with fewer than {claim_min} payments we show no share and no time.
          </li>
          <li>
            <strong>Our failures</strong>: we accepted the payment and did not settle it in time. No money moved. Unknown causes
            count here too.
          </li>
          <li>
            Only the sandbox and keys that keep history count. A request that we refuse for a rate limit, a quota or an outage is
            not a payment.
          </li>
          <li>
            Availability is what this process sees now. “Since” is never before the process started. Refusals by address screening
            do not count.
          </li>
          {counted_at === null || day === null || days === null ? null : (
            <li>
              Counted at {shortDate(new Date(counted_at), 'UTC')}, at most once a minute. 24 hours: since{' '}
              {shortDate(new Date(day.from), 'UTC')}. 30 days: completed UTC days from {shortDate(new Date(days.from), 'UTC')} to{' '}
              {shortDate(new Date(days.until), 'UTC')}.
            </li>
          )}
        </ul>
      </details>
      <p className={ACTIONS}>
        <a className={buttonClass({ size: 'large' })} href="/status.json">
          View as JSON
        </a>
        <a href="/docs/errors">All error codes</a>
      </p>
    </section>
  )
}
