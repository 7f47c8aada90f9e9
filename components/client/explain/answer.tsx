import {
  ArrowRight,
  Check as CheckMark,
  ChevronDown,
  CircleAlert,
  CircleCheck,
  CircleQuestionMark,
  CircleX,
  Minus,
  X,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Check, Explanation, Field } from '@/server/explain/checks'
import { isNetworkId, networkRow, networkTitle } from '@/server/x402/networks/networks'
import { Badge } from '../../ui/badge'
import { Breaking } from '../../ui/breaking'
import { Button, buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { CopyLine } from '../../ui/copy-line'
import { Copyable } from '../../ui/copyable'
import { Panel } from '../../ui/panel'
import { CheckTrack, outcomeOf, WORDS } from './check-track'
import { differs, Fields } from './field-table'
import { summaryOf, type Tone, withoutUnits } from './summary'

const KINDS = {
  payment_request: 'Body of verify or settle',
  payment: 'Payment header',
  payment_required: '402 response',
  payment_requirements: 'Payment requirements',
  payment_response: 'Payment response',
  verify_response: 'Response of verify',
  settlement: null,
  reason: 'Reason code',
  url: 'URL',
  unknown: null,
} as const satisfies Record<Explanation['kind'], string | null>

/** What was pasted, what to fix, where payment and requirements differ, and the rest folded. */
export function Answer({ answer, input, pasteAgain }: { answer: Explanation; input: string; pasteAgain?: () => void }) {
  const { kind, fields, headline } = answer
  // The balance of today is no check of a past payment.
  const since = answer.checks.find(({ name, status }) => name === 'balance_today' && status === 'failed')
  // Of a cut text its one check is the verdict.
  const checks = answer.checks.filter((check) => check !== since && kind !== 'unknown')
  const failed = checks.filter(({ status }) => status === 'failed')
  const first = failed.find(({ reason }) => reason !== null && reason === answer.verdict.invalidReason)
  const { tone, text } = summaryOf(answer, failed)
  const hasBoth = kind === 'payment' || kind === 'payment_request'
  const differing = hasBoth ? fields.filter(differs) : []
  const title = kind === 'unknown' ? 'What we could read' : 'Fields'
  const table = <Fields title={title} fields={fields} hasBoth={hasBoth} folds={answer.verdict.isValid !== null} />
  const isOffer = kind === 'payment_required' || kind === 'payment_requirements'
  return (
    <>
      <section aria-label="Result" className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Badges answer={answer} />
          {kind === 'url' || kind === 'unknown' ? null : (
            <span className="ml-auto">
              <Copyable
                text={asMarkdown(headline, differing, failed.length > 0 ? failed : checks)}
                shown="Copy as Markdown"
                label="result as Markdown"
                inWords
              />
            </span>
          )}
        </div>
        <Verdict tone={tone} headline={headline} text={text} checks={checks}>
          {isOffer && tone === 'good' ? (
            <a className={buttonClass({ size: 'small' })} href="/docs/payers-and-agents#pay">
              See how a client pays it
            </a>
          ) : kind === 'unknown' && pasteAgain ? (
            <Button size="small" onClick={pasteAgain}>
              Clear and paste again
            </Button>
          ) : null}
        </Verdict>
      </section>
      {kind === 'url' ? <CopyLine name="Command" text={`curl -sS -i '${input.trim().replaceAll("'", '%27')}'`} /> : null}
      {failed.length > 0 ? (
        <section aria-label="To fix" className="grid gap-3">
          <h2 className="font-semibold">To fix</h2>
          <ul className="grid gap-3">
            {failed.map((check) => (
              <Fix key={`${check.name} ${check.evidence}`} check={check} isFirst={check === first && failed.length > 1} />
            ))}
          </ul>
        </section>
      ) : null}
      {since ? <SinceThen check={since} isSaid={failed.some(({ remedy }) => remedy === since.remedy)} /> : null}
      {isOffer ? table : null}
      {checks.length > failed.length ? (
        <Panel title={failed.length > 0 ? 'Other checks' : 'Checks'}>
          <Folded status="passed" checks={checks} />
          <Folded status="not_reached" checks={checks} />
          <Folded status="not_applicable" checks={checks} />
        </Panel>
      ) : null}
      {isOffer ? null : table}
    </>
  )
}

type VerdictProps = { tone: Tone; headline: string; text: ReactNode; checks: readonly Check[]; children?: ReactNode }

/** The result in a few words with what to do next, and how its checks went. */
export function Verdict({ tone, headline, text, checks, children }: VerdictProps) {
  const { Icon, color } = TONES[tone]
  return (
    <div className="overflow-hidden panel">
      <div className={cx('flex items-center gap-x-4 gap-y-3 px-4 py-4 max-sm:flex-wrap sm:px-5', color)}>
        <Icon aria-hidden className="size-9 shrink-0" strokeWidth={1.5} />
        <div className="grid min-w-0 flex-1 gap-0.5">
          <h2 className="text-xl leading-snug font-semibold tracking-tight wrap-anywhere">
            {headline.replaceAll(/(version) (\d)/g, '$1\u00a0$2')}
          </h2>
          {text === null ? null : <p className="wrap-anywhere">{typeof text === 'string' ? <Breaking text={text} /> : text}</p>}
        </div>
        {children ? <div className="max-sm:basis-full max-sm:pl-13">{children}</div> : null}
      </div>
      {checks.length > 1 ? (
        <div className="border-t px-4 py-3.5 sm:px-5">
          <CheckTrack checks={checks} />
        </div>
      ) : null}
    </div>
  )
}

function Badges({ answer: { kind, x402Version, network } }: { answer: Explanation }) {
  return (
    <>
      {KINDS[kind] === null ? null : <Badge>{KINDS[kind]}</Badge>}
      {x402Version === null ? null : <Badge>Version {x402Version}</Badge>}
      {network === null ? null : <Badge>{networkTitle(network)}</Badge>}
      {network !== null && isNetworkId(network) && networkRow(network).testnet ? <Badge tone="warn">Test money</Badge> : null}
    </>
  )
}

const TONES = {
  good: { Icon: CircleCheck, color: 'bg-wash text-accent' },
  bad: { Icon: CircleX, color: 'bg-bad-wash text-bad' },
  warn: { Icon: CircleAlert, color: 'bg-warn-wash text-warn' },
  plain: { Icon: CircleQuestionMark, color: 'bg-code' },
} as const satisfies Record<Tone, object>

/** What was found, to paste into a chat or an issue: what failed, or else every check. */
function asMarkdown(headline: string, differing: readonly Field[], checks: readonly Check[]): string {
  const rows = differing.map(({ name, payment, requirements }) => `| ${name} | ${payment} | ${requirements} |`)
  return [
    `**${headline}**`,
    ...(rows.length > 0 ? ['', '| Field | Payment | Required |', '| --- | --- | --- |', ...rows] : []),
    '',
    ...checks.map(({ title, evidence, remedy }) => `- **${title}**: ${[evidence, remedy].filter(Boolean).join(' ')}`),
  ].join('\n')
}

/** A failed check and what to do. `isFirst`: verify stops here. */
export function Fix({ check: { name, title, evidence, remedy, reason }, isFirst }: { check: Check; isFirst: boolean }) {
  // What follows from another check needs no text of its own.
  if (remedy?.startsWith('Fix the check ')) {
    return (
      <li className="px-4 text-md text-soft sm:px-5">
        {title} fails too. {remedy}
      </li>
    )
  }
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 gap-y-2 panel px-4 py-3.5 sm:px-5">
      <X aria-hidden className="mt-0.5 size-5 text-bad" />
      <div className="grid gap-0.5">
        {/* How a payment ended needs no name. */}
        {name === 'outcome' ? null : (
          <h3 className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
            {title}
            {isFirst ? <Badge tone="bad">Fails first</Badge> : null}
          </h3>
        )}
        <p className="wrap-anywhere text-soft">{withoutUnits(evidence)}</p>
      </div>
      {remedy ? <Remedy text={remedy} /> : null}
      {reason ? (
        <p className="col-start-2 flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          <a href={`/docs/errors#reason-${reason}`}>About this error</a>
          <Copyable text={reason} shown={reason} label="code" />
        </p>
      ) : null}
    </li>
  )
}

function Remedy({ text }: { text: string }) {
  return (
    <>
      <ArrowRight aria-hidden className="mt-0.5 size-5 text-accent" />
      <p className="font-medium wrap-anywhere">{text}</p>
    </>
  )
}

/** What a new payment would fail for, apart from the past one. `isSaid`: what to do stands above it. */
function SinceThen({ check: { evidence, remedy }, isSaid }: { check: Check; isSaid: boolean }) {
  return (
    <section
      aria-label="Since then"
      className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 gap-y-2 rounded-(--radius) bg-warn-wash px-4 py-3.5 sm:px-5"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-5 text-warn" />
      <div className="grid gap-0.5">
        <h2 className="font-semibold text-warn">A new payment would fail too</h2>
        <p className="wrap-anywhere">{withoutUnits(evidence)}</p>
      </div>
      {remedy && !isSaid ? <Remedy text={remedy} /> : null}
    </section>
  )
}

const MARKS = {
  passed: { Icon: CheckMark, word: 'Passed', color: 'text-accent' },
  failed: { Icon: X, word: 'Failed', color: 'text-bad' },
  not_reached: { Icon: Minus, word: 'Not reached', color: 'text-soft' },
  not_applicable: { Icon: Minus, word: 'Not applicable', color: 'text-soft' },
} as const satisfies Record<ReturnType<typeof outcomeOf>, object>

/** The checks of one status, folded to a line, which names one or two that did not run. */
function Folded({ status, checks }: { status: keyof typeof WORDS; checks: readonly Check[] }) {
  const own = checks.filter((check) => outcomeOf(check) === status)
  if (own.length === 0) return null
  const { Icon, color } = MARKS[status]
  return (
    <details className="border-b last:border-b-0">
      <summary className="flex min-h-10 cursor-pointer items-center gap-3 px-4 py-2">
        <Icon aria-hidden className={cx('size-4 shrink-0', color)} />
        <span className="flex min-w-0 flex-wrap gap-x-3 tabular-nums">
          <span className="font-medium">
            {own.length} {WORDS[status]}
          </span>
          {status !== 'passed' && own.length <= 2 ? (
            <span className="text-soft in-open:hidden">{own.map(({ title }) => title).join(', ')}</span>
          ) : null}
        </span>
        <ChevronDown aria-hidden className="ml-auto size-4 shrink-0 text-soft in-open:rotate-180" />
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

function CheckRow({ check, title }: { check: Check; title: string }) {
  const { status, evidence, remedy } = check
  const { Icon, word, color } = MARKS[outcomeOf(check)]
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 border-b px-4 py-2 last:border-b-0 sm:grid-cols-[1rem_15rem_minmax(0,1fr)]">
      <Icon aria-hidden className={cx('mt-1 size-4', color)} />
      <span className={cx('font-medium', status === 'not_reached' && 'text-soft')}>
        {title} <span className="sr-only">{word}.</span>
      </span>
      <span className="text-md wrap-anywhere text-soft max-sm:col-start-2">
        {withoutUnits(evidence)} {remedy}
      </span>
    </li>
  )
}
