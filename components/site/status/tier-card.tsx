import type { ReactNode } from 'react'
import { reasonUrl } from '@/server/http/documented-codes'
import type { TierStatus } from '@/server/operations/status/status'
import { Tag } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { shortDate } from '../../ui/dates'
import { causeNames, hadPayments, pendingText, reasonRows, successText, tierNames, timeText } from './text'

/** A tier on a network: whether it takes payments now, and what its payments came to. `namesColumns`: its table shows its head. */
export function TierCard({ network, status, namesColumns }: { network: string; status: TierStatus; namesColumns: boolean }) {
  const { tier, available, since, pending } = status
  const name = `${tierNames[tier]} on ${network}`
  const reasons = reasonRows(status)
  const layout = hadPayments(status) ? WITH_FIGURES : WITHOUT_FIGURES
  return (
    <article className={cx('grid px-[1.35rem] py-[1.1rem] not-first:border-t', layout.card)} aria-label={name}>
      <header className={cx('grid content-start', layout.head)}>
        <h3>{tierNames[tier]}</h3>
        <Availability available={available} />
        <p className="text-[0.82rem] leading-[1.45] text-soft narrow:col-span-full">
          {since === null ? null : <>Since {shortDate(new Date(since), 'UTC')}. </>}
          {pendingText(pending)}.
        </p>
      </header>
      {hadPayments(status) ? (
        <Outcomes name={name} status={status} namesColumns={namesColumns} />
      ) : (
        <NoPayments isKnown={pending !== null} />
      )}
      {reasons.length > 0 ? <Reasons name={name} rows={reasons} /> : null}
    </article>
  )
}

const WITH_FIGURES = {
  card: 'grid-cols-[9.5rem_minmax(0,1fr)] gap-x-[1.6rem] gap-y-[0.4rem] narrow:grid-cols-1 narrow:gap-[0.7rem]',
  head: 'justify-items-start gap-[0.35rem] narrow:grid-cols-[minmax(0,1fr)_auto] narrow:justify-items-stretch',
} as const

const WITHOUT_FIGURES = {
  card: 'grid-cols-[minmax(0,1fr)_auto] gap-x-[1.6rem] gap-y-[0.4rem] narrow:gap-[0.35rem]',
  head: 'grid-cols-[auto_auto_minmax(0,1fr)] items-center justify-items-start gap-[0.7rem] narrow:grid-cols-[minmax(0,1fr)_auto] narrow:justify-items-stretch narrow:gap-[0.35rem]',
} as const

function Availability({ available }: Pick<TierStatus, 'available'>) {
  if (available === null) return <Tag>Not configured</Tag>
  return available ? <Tag tone="good">Available</Tag> : <Tag tone="bad">Not available</Tag>
}

function NoPayments({ isKnown }: { isKnown: boolean }) {
  return (
    <p className="self-center text-[0.92rem] text-soft narrow:col-span-full">
      {isKnown ? 'No payments yet.' : 'Payments cannot be counted now. Try again in a minute.'}
    </p>
  )
}

const TABLE = 'w-full text-[0.9rem] leading-[1.45] tabular-nums'
const SMALL = 'block text-[0.8rem] font-normal whitespace-nowrap text-soft'

// Rows say the looks of their cells: the page stays small.
const HEAD_ROW = '*:pt-[0.1rem] *:pb-[0.35rem] *:pl-[0.9rem] *:text-right *:align-bottom *:text-[0.8rem] *:text-soft'
const FIRST = '*:first:pl-0 *:first:text-left'
const ROW = `*:py-[0.4rem] *:pl-[0.9rem] *:text-right *:align-baseline ${FIRST} [&>th]:text-soft`

// On a narrow screen each window is a block of figures with their names.
const WINDOW_ROW = cx(
  ROW,
  'narrow:grid narrow:grid-cols-3 narrow:gap-x-[0.7rem] narrow:gap-y-2 narrow:border-t narrow:py-[0.7rem]',
  'narrow:*:border-0 narrow:*:p-0 narrow:*:text-left',
  'narrow:[&>td]:before:block narrow:[&>td]:before:text-[0.78rem] narrow:[&>td]:before:text-soft narrow:[&>td]:before:content-[attr(data-name)]',
  'narrow:[&>th]:col-span-full narrow:[&>th]:font-semibold narrow:[&>th]:text-ink',
)

function Outcomes({ name, status, namesColumns }: { name: string; status: TierStatus; namesColumns: boolean }) {
  const { last_24_hours: day, last_30_days: days } = status
  if (day === null || days === null) return null
  return (
    <table className={cx(TABLE, 'table-fixed narrow:block')}>
      <caption className="sr-only">{name}: payments by outcome</caption>
      <colgroup>
        <col className="w-[5rem]" />
        <col className="w-[7.5rem]" />
      </colgroup>
      <thead className={namesColumns ? 'narrow:sr-only' : 'sr-only'}>
        <tr className={cx(HEAD_ROW, FIRST)}>
          <td />
          {[...FIGURES, ...CAUSES.map((cause) => causeNames[cause])].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="narrow:block">
        <OutcomesRow title="24 hours" figures={day} line={namesColumns} />
        <OutcomesRow title="30 days" figures={days} line />
      </tbody>
    </table>
  )
}

const FIGURES = ['Success', 'All attempts', 'Settled', 'Median time', '95% time'] as const
const CAUSES = ['payer', 'chain', 'facilitator'] as const

type Window = { title: string; figures: NonNullable<TierStatus['last_24_hours']>; line: boolean }

/** The figures of a window; `line`: with a line above it. */
function OutcomesRow({ title, figures, line }: Window) {
  const { success, success_of_all, settled, settle_ms, failed } = figures
  const values = {
    Success: <Success {...success} />,
    'All attempts': successText(success_of_all)?.share ?? TOO_FEW,
    Settled: settled.toLocaleString('en'),
    'Median time': timeText(settle_ms.p50),
    '95% time': timeText(settle_ms.p95),
  } as const satisfies Record<(typeof FIGURES)[number], ReactNode>
  return (
    <tr className={cx(WINDOW_ROW, line && '*:border-t')}>
      <th scope="row">{title}</th>
      {FIGURES.map((name) => (
        <td key={name} data-name={name}>
          {values[name]}
        </td>
      ))}
      {CAUSES.map((cause) => (
        <td key={cause} data-name={causeNames[cause]}>
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
      <strong className="font-[650]">{text.share}</strong> <small className={SMALL}>{text.bound}</small>
    </>
  )
}

const TOO_FEW = <small className={SMALL}>Too few</small>

function Reasons({ name, rows }: { name: string; rows: ReturnType<typeof reasonRows> }) {
  return (
    <details className="col-start-2 text-[0.92rem] narrow:col-start-1">
      <summary className="unfolds flex w-fit items-center gap-2.5 py-[0.3rem] text-accent">Why payments failed</summary>
      <table className={cx(TABLE, 'max-w-[36rem]')}>
        <caption className="sr-only">{name}: failures by reason</caption>
        <thead>
          <tr className={cx(HEAD_ROW, FIRST)}>
            {['Reason', '24 hours', '30 days'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cause, code, title, day, days }) => (
            <tr key={`${cause} ${code}`} className={cx(ROW, 'border-t')}>
              <th scope="row">
                {code === 'not_sent' ? title : <a href={reasonUrl(code)}>{title}</a>}
                <small className={SMALL}>{causeNames[cause]}</small>
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
