import { Check as CheckMark, Minus, X } from 'lucide-react'
import type { Check, Explanation, Field } from '@/server/explain/checks'
import { isNetworkId, networkRow, networkTitle } from '@/server/x402/networks/networks'
import { reasonTitle } from '@/server/x402/reasons/titles'
import { Badge } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { CopyLine } from '../../ui/copy-line'
import { Panel } from '../../ui/panel'

const KINDS = {
  payment_request: 'Body of verify or settle',
  payment: 'Payment header',
  payment_required: '402 response',
  payment_requirements: 'Payment requirements',
  payment_response: 'Payment response',
  verify_response: 'Response of verify',
  settlement: 'Settlement',
  reason: 'Reason code',
  url: 'URL',
  unknown: 'Not recognized',
} as const satisfies Record<Explanation['kind'], string>

/** What was pasted, what to fix, every check and every field. */
export function Answer({ answer, input }: { answer: Explanation; input: string }) {
  const { kind, x402Version, network, checks, fields } = answer
  const failed = checks.filter(({ status }) => status === 'failed')
  const { tone, title, text } = summaryOf(answer, failed.length)
  return (
    <>
      <section aria-label="Result" className="grid gap-3">
        <p className="flex flex-wrap items-center gap-2">
          <Badge>{KINDS[kind]}</Badge>
          {x402Version === null ? null : <Badge>Version {x402Version}</Badge>}
          {network === null ? null : <Badge>{networkTitle(network)}</Badge>}
          {network !== null && isNetworkId(network) && networkRow(network).testnet ? <Badge tone="warn">Test money</Badge> : null}
        </p>
        <div className={TONES[tone]}>
          <h2 className="text-lg font-semibold">{title}</h2>
          <p>{text}</p>
        </div>
      </section>
      {kind === 'url' ? <CopyLine name="Command" text={`curl -sS -i '${input.trim().replaceAll("'", '%27')}'`} /> : null}
      {failed.length > 0 ? (
        <section aria-label="To fix" className="grid gap-3">
          <h2 className="font-semibold">To fix</h2>
          <ul className="grid gap-3">
            {failed.map((check) => (
              <Fix key={`${check.name} ${check.evidence}`} check={check} />
            ))}
          </ul>
        </section>
      ) : null}
      <Panel title="Checks" action={<Tally checks={checks} />}>
        <CheckList checks={checks} />
      </Panel>
      {fields.length > 0 ? (
        <Panel title="Fields">
          <FieldTable fields={fields} hasBoth={kind === 'payment' || kind === 'payment_request'} />
        </Panel>
      ) : null}
    </>
  )
}

const TONES = {
  good: 'grid gap-1 rounded-lg bg-wash px-4 py-3 text-accent',
  bad: 'grid gap-1 rounded-lg bg-bad-wash px-4 py-3 text-bad',
  plain: 'grid gap-1 rounded-lg bg-code px-4 py-3',
} as const

type Summary = { tone: keyof typeof TONES; title: string; text: string }

function summaryOf({ kind, verdict, checks }: Explanation, failed: number): Summary {
  if (verdict.isValid) return { tone: 'good', title: 'Verify would accept it', text: 'No check failed.' }
  if (verdict.isValid === false) {
    const reason = verdict.invalidReason ?? ''
    return { tone: 'bad', title: `Verify would refuse it: ${reasonTitle(reason)}`, text: `Reason: ${reason}` }
  }
  if (kind === 'url')
    return {
      tone: 'plain',
      title: 'Paste the response of this URL',
      text: 'No URL is fetched here. Run the command and paste its output.',
    }
  if (failed > 0) {
    return { tone: 'bad', title: failed === 1 ? 'One check failed' : `${failed} checks failed`, text: 'See below what to do.' }
  }
  const isOpen = checks.every(({ status }) => status === 'not_reached')
  return isOpen
    ? { tone: 'plain', title: 'Nothing could be checked', text: 'The checks below show what is missing.' }
    : { tone: 'good', title: 'No check failed', text: 'A check that was not reached says why.' }
}

function Tally({ checks }: { checks: readonly Check[] }) {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length
  return (
    <span className="text-sm text-soft tabular-nums">
      {count('passed')} passed, {count('failed')} failed, {count('not_reached')} not reached
    </span>
  )
}

function Fix({ check: { title, evidence, remedy, reason } }: { check: Check }) {
  return (
    <li className="grid gap-1 rounded-lg border bg-card px-4 py-3">
      <h3 className="font-medium">{title}</h3>
      <p className="wrap-anywhere">{evidence}</p>
      {remedy ? <p className="font-medium wrap-anywhere">{remedy}</p> : null}
      {reason ? (
        <a href={`/docs/errors#reason-${reason}`} className="w-fit max-w-full text-sm wrap-anywhere">
          More about {reason}
        </a>
      ) : null}
    </li>
  )
}

const MARKS = {
  passed: { Icon: CheckMark, word: 'Passed', color: 'text-accent' },
  failed: { Icon: X, word: 'Failed', color: 'text-bad' },
  not_reached: { Icon: Minus, word: 'Not reached', color: 'text-soft' },
} as const satisfies Record<Check['status'], object>

/** Every check in its order, with its status and what was found. The checks of each offer stand below its name. */
function CheckList({ checks }: { checks: readonly Check[] }) {
  const offers = [...new Set(checks.map(({ title }) => offerIn(title)))]
  return offers.map((offer) => (
    <div key={offer} className="border-b last:border-b-0">
      {offer === '' ? null : <h3 className="border-b bg-code px-4 py-2 text-sm font-semibold">{offer}</h3>}
      <ol aria-label={offer === '' ? 'Checks' : offer}>
        {checks
          .filter(({ title }) => offerIn(title) === offer)
          .map((check) => (
            <CheckRow
              key={`${check.name} ${check.evidence}`}
              check={check}
              title={offer === '' ? check.title : check.title.slice(offer.length + 2)}
            />
          ))}
      </ol>
    </div>
  ))
}

// "Offer 1 in the header: Amount".
const offerIn = (title: string): string => /^(Offer \d+ in the \w+): /.exec(title)?.[1] ?? ''

function CheckRow({ check: { status, evidence }, title }: { check: Check; title: string }) {
  const { Icon, word, color } = MARKS[status]
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 border-b px-4 py-2 last:border-b-0 sm:grid-cols-[1rem_15rem_minmax(0,1fr)]">
      <Icon aria-hidden className={cx('mt-1 size-4', color)} />
      <span className={cx('font-medium', status === 'not_reached' && 'text-soft')}>
        {title} <span className="sr-only">{word}.</span>
      </span>
      <span className={cx('text-md wrap-anywhere max-sm:col-start-2', status !== 'failed' && 'text-soft')}>{evidence}</span>
    </li>
  )
}

/** The fields side by side; on a phone below each other. */
function FieldTable({ fields, hasBoth }: { fields: readonly Field[]; hasBoth: boolean }) {
  return (
    <table className="text-md sm:table-fixed max-sm:[&_td]:block max-sm:[&_th]:block max-sm:[&_tr]:block">
      <thead className={cx('text-sm text-soft', 'max-sm:sr-only')}>
        <tr>
          <th scope="col" className={cx('px-4 py-2', hasBoth ? 'w-44' : 'w-2/5')}>
            Field
          </th>
          <th scope="col" className="px-4 py-2">
            {hasBoth ? 'Payment' : 'Value'}
          </th>
          {hasBoth ? (
            <th scope="col" className="px-4 py-2">
              Requirements
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <FieldRow key={field.name} field={field} hasBoth={hasBoth} />
        ))}
      </tbody>
    </table>
  )
}

function FieldRow({ field: { name, payment, requirements }, hasBoth }: { field: Field; hasBoth: boolean }) {
  const isDifferent = payment !== null && requirements !== null && payment.toLowerCase() !== requirements.toLowerCase()
  return (
    <tr className={cx('border-t max-sm:py-2', isDifferent && 'bg-bad-wash')}>
      <th scope="row" className="px-4 py-1.5 align-top font-medium wrap-anywhere max-sm:py-0.5">
        {name}
        {isDifferent ? <span className="ml-2 text-xs font-medium text-bad">differs</span> : null}
      </th>
      {hasBoth ? (
        <>
          <Side label="Payment" text={payment} />
          <Side label="Requirements" text={requirements} />
        </>
      ) : (
        <Side label="Value" text={payment ?? requirements} />
      )}
    </tr>
  )
}

function Side({ label, text }: { label: string; text: string | null }) {
  return (
    <td className={cx('px-4 py-1.5 align-top max-sm:py-0.5', text === null && 'max-sm:hidden!')}>
      <span className="mr-2 text-soft sm:hidden">{label}</span>
      {text === null ? <span className="text-soft">–</span> : <code className="text-sm wrap-anywhere">{text}</code>}
    </td>
  )
}
