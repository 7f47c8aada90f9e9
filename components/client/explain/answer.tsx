import { ArrowRight, Check as CheckMark, ChevronDown, CircleCheck, CircleQuestionMark, CircleX, Minus, X } from 'lucide-react'
import type { Check, Explanation, Field } from '@/server/explain/checks'
import { isNetworkId, networkRow, networkTitle, readNetwork } from '@/server/x402/networks/networks'
import { Badge } from '../../ui/badge'
import { Breaking } from '../../ui/breaking'
import { cx } from '../../ui/class-names'
import { CopyLine } from '../../ui/copy-line'
import { Copyable } from '../../ui/copyable'
import { Panel } from '../../ui/panel'
import { CheckTrack } from './check-track'

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

/** What was pasted, how payment and requirements differ, what to fix, and the rest folded. */
export function Answer({ answer, input }: { answer: Explanation; input: string }) {
  const { kind, x402Version, network, fields, headline } = answer
  // The balance of today is no check of a past payment.
  const since = answer.checks.find(({ name, status }) => name === 'balance_today' && status === 'failed')
  const checks = answer.checks.filter((check) => check !== since)
  const failed = checks.filter(({ status }) => status === 'failed')
  const { tone, text } = summaryOf(answer, failed)
  const hasBoth = kind === 'payment' || kind === 'payment_request'
  const differing = hasBoth ? fields.filter(differs) : []
  return (
    <>
      <section aria-label="Result" className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Badge>{KINDS[kind]}</Badge>
          {x402Version === null ? null : <Badge>Version {x402Version}</Badge>}
          {network === null ? null : <Badge>{networkTitle(network)}</Badge>}
          {network !== null && isNetworkId(network) && networkRow(network).testnet ? <Badge tone="warn">Test money</Badge> : null}
          {failed.length > 0 ? (
            <span className="ml-auto">
              <Copyable
                text={asMarkdown(headline, differing, failed)}
                shown="Copy as Markdown"
                label="result as Markdown"
                inWords
              />
            </span>
          ) : null}
        </div>
        <div className="overflow-hidden panel">
          <div className={cx('grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 px-4 py-4 sm:px-5', TONES[tone])}>
            <VerdictMark tone={tone} />
            <div className="grid gap-0.5">
              <h2 className="text-xl leading-snug font-semibold tracking-tight wrap-anywhere">{headline}</h2>
              {text === null ? null : (
                <p className="wrap-anywhere">
                  <Breaking text={text} />
                </p>
              )}
            </div>
          </div>
          {checks.length > 1 ? (
            <div className="border-t px-4 py-3.5 sm:px-5">
              <CheckTrack checks={checks} />
            </div>
          ) : null}
        </div>
      </section>
      {differing.length > 0 ? (
        <Panel title="Payment against requirements">
          <Differences fields={differing} />
        </Panel>
      ) : null}
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
      {since ? <SinceThen check={since} isSaid={failed.some(({ remedy }) => remedy === since.remedy)} /> : null}
      {checks.length > failed.length ? (
        <Panel title={failed.length > 0 ? 'Other checks' : 'Checks'}>
          <Folded status="passed" checks={checks} />
          <Folded status="not_reached" checks={checks} />
        </Panel>
      ) : null}
      {fields.length > 0 ? (
        <Panel title="Fields">
          <FieldTable fields={fields} hasBoth={hasBoth} />
        </Panel>
      ) : null}
    </>
  )
}

const TONES = { good: 'bg-wash text-accent', bad: 'bg-bad-wash text-bad', plain: 'bg-code' } as const

const VERDICTS = { good: CircleCheck, bad: CircleX, plain: CircleQuestionMark } as const

function VerdictMark({ tone }: { tone: keyof typeof TONES }) {
  const Icon = VERDICTS[tone]
  return <Icon aria-hidden className="size-9" strokeWidth={1.5} />
}

/** The line below the headline; null where the failed checks say it. */
type Summary = { tone: keyof typeof TONES; text: string | null }

function summaryOf({ kind, verdict, checks }: Explanation, failed: readonly Check[]): Summary {
  if (verdict.isValid) return { tone: 'good', text: 'No check failed.' }
  if (verdict.isValid === false) {
    const { invalidReason } = verdict
    const isSaid = failed.some(({ reason }) => reason === invalidReason)
    return { tone: 'bad', text: isSaid ? null : `Reason: ${invalidReason ?? 'unknown'}` }
  }
  if (kind === 'url') return { tone: 'plain', text: 'No URL is fetched here. Run the command and paste its output.' }
  const [first] = failed
  if (first) return { tone: 'bad', text: first.reason ? null : 'Nothing could be checked.' }
  return checks.some(({ status }) => status === 'passed')
    ? { tone: 'good', text: reachedText(checks) }
    : { tone: 'plain', text: 'The checks below show what is missing.' }
}

/** How many checks ran, where all that ran passed. */
function reachedText(checks: readonly Check[]): string {
  const waiting = checks.filter(({ status }) => status === 'not_reached').length
  if (waiting === 0) return 'All checks passed.'
  return `${waiting === 1 ? 'One check needs' : `${waiting} checks need`} a payment or more fields. Each says what is missing.`
}

/** What failed, to paste into a chat or an issue. */
function asMarkdown(headline: string, differing: readonly Field[], failed: readonly Check[]): string {
  const rows = differing.map(({ name, payment, requirements }) => `| ${name} | ${payment} | ${requirements} |`)
  return [
    `**${headline}**`,
    ...(rows.length > 0 ? ['', '| Field | Payment | Required |', '| --- | --- | --- |', ...rows] : []),
    '',
    ...failed.map(({ title, evidence, remedy }) => `- **${title}**: ${[evidence, remedy].filter(Boolean).join(' ')}`),
  ].join('\n')
}

function Fix({ check: { name, title, evidence, remedy, reason } }: { check: Check }) {
  // How a payment ended needs no name.
  const [head, text] = name === 'outcome' ? [evidence, null] : [title, evidence]
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 gap-y-2 panel px-4 py-3.5 sm:px-5">
      <X aria-hidden className="mt-0.5 size-5 text-bad" />
      <div className="grid gap-0.5">
        <h3 className="font-semibold wrap-anywhere">{head}</h3>
        {text === null ? null : <p className="wrap-anywhere text-soft">{text}</p>}
      </div>
      {remedy ? (
        <>
          <ArrowRight aria-hidden className="mt-0.5 size-5 text-accent" />
          <p className="font-medium wrap-anywhere">{remedy}</p>
        </>
      ) : null}
      {reason ? (
        <p className="col-start-2 flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          <a href={`/docs/errors#reason-${reason}`}>About this error</a>
          <Copyable text={reason} shown={reason} label="code" />
        </p>
      ) : null}
    </li>
  )
}

/** What a new payment would fail for, apart from the past one. `isSaid`: what to do stands above it. */
function SinceThen({ check: { evidence, remedy }, isSaid }: { check: Check; isSaid: boolean }) {
  return (
    <section aria-label="Since then" className="grid gap-0.5 rounded-(--radius) bg-warn-wash px-4 py-3.5 sm:px-5">
      <h2 className="font-semibold text-warn">Since then</h2>
      <p className="wrap-anywhere">{withoutUnits(evidence)} A new payment would fail too.</p>
      {remedy && !isSaid ? <p className="wrap-anywhere">{remedy}</p> : null}
    </section>
  )
}

/** Without the atomic units that follow an amount in brackets: "0.02 USDC (20000)". */
const withoutUnits = (text: string): string => text.replaceAll(/(\d \S+) \(\d+\)/g, '$1')

const MARKS = {
  passed: { Icon: CheckMark, word: 'Passed', color: 'text-accent' },
  failed: { Icon: X, word: 'Failed', color: 'text-bad' },
  not_reached: { Icon: Minus, word: 'Not reached', color: 'text-soft' },
} as const satisfies Record<Check['status'], object>

const COUNTED = { passed: 'passed', not_reached: 'not reached' } as const

/** The checks of one status, folded to a line. */
function Folded({ status, checks }: { status: keyof typeof COUNTED; checks: readonly Check[] }) {
  const own = checks.filter((check) => check.status === status)
  if (own.length === 0) return null
  const { Icon, color } = MARKS[status]
  return (
    <details className="border-b last:border-b-0">
      <summary className="flex min-h-10 cursor-pointer items-center gap-3 px-4 py-2">
        <Icon aria-hidden className={cx('size-4 shrink-0', color)} />
        <span className="font-medium tabular-nums">
          {own.length} {COUNTED[status]}
        </span>
        <ChevronDown aria-hidden className="ml-auto size-4 text-soft in-open:rotate-180" />
      </summary>
      <div className="border-t">
        <CheckList checks={own} />
      </div>
    </details>
  )
}

/** Checks in their order with what was found. The checks of each offer stand below its name. */
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

function CheckRow({ check: { status, evidence, remedy }, title }: { check: Check; title: string }) {
  const { Icon, word, color } = MARKS[status]
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 border-b px-4 py-2 last:border-b-0 sm:grid-cols-[1rem_15rem_minmax(0,1fr)]">
      <Icon aria-hidden className={cx('mt-1 size-4', color)} />
      <span className={cx('font-medium', status === 'not_reached' && 'text-soft')}>
        {title} <span className="sr-only">{word}.</span>
      </span>
      <span className="text-md wrap-anywhere text-soft max-sm:col-start-2">
        {evidence} {remedy}
      </span>
    </li>
  )
}

/** The fields in which a payment is not what was required. */
function Differences({ fields }: { fields: readonly Field[] }) {
  return (
    <table className="text-md sm:table-fixed max-sm:[&_td]:block max-sm:[&_th]:block max-sm:[&_tr]:block">
      <thead className="text-sm text-soft max-sm:sr-only">
        <tr>
          <th scope="col" className="w-44 px-4 py-2">
            Field
          </th>
          <th scope="col" className="px-4 py-2">
            Offered
          </th>
          <th scope="col" className="px-4 py-2">
            Required
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, payment, requirements }) => (
          <tr key={name} className="border-t max-sm:py-2">
            <th scope="row" className="px-4 py-1.5 align-top font-medium wrap-anywhere max-sm:py-0.5">
              {name}
            </th>
            <Side label="Offered" text={payment} tone="text-bad" />
            <Side label="Required" text={requirements} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Whether both sides name a field, and not alike. A network has several names, and an EVM address any case. */
function differs({ name, payment, requirements }: Field): boolean {
  if (payment === null || requirements === null) return false
  return normal(name, payment) !== normal(name, requirements)
}

function normal(name: string, written: string): string {
  const network = name === 'network' ? readNetwork(written) : null
  if (network && 'known' in network) return network.known
  return written.startsWith('0x') ? written.toLowerCase() : written
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

function FieldRow({ field, hasBoth }: { field: Field; hasBoth: boolean }) {
  const { name, payment, requirements } = field
  const isDifferent = hasBoth && differs(field)
  return (
    <tr className={cx('border-t max-sm:py-2', isDifferent && 'bg-bad-wash')}>
      <th scope="row" className="px-4 py-1.5 align-top font-medium wrap-anywhere max-sm:py-0.5">
        {fieldName(name)}
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

/** The place of a field as programs write it: "body.accepts[0].payTo". */
const fieldName = (name: string): string => name.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]')

function Side({ label, text, tone }: { label: string; text: string | null; tone?: string }) {
  return (
    <td className={cx('px-4 py-1.5 align-top max-sm:py-0.5', text === null && 'max-sm:hidden!')}>
      <span className="mr-2 text-soft sm:hidden">{label}</span>
      {text === null ? <span className="text-soft">–</span> : <code className={cx('text-sm wrap-anywhere', tone)}>{text}</code>}
    </td>
  )
}
