import type { Check, Explanation } from '@/server/explain/checks'
import { isNetworkId, networkRow, networkTitle } from '@/server/x402/networks/networks'
import { reasonTitle } from '@/server/x402/reasons/titles'
import { Badge } from '../../ui/badge'
import { CopyLine } from '../../ui/copy-line'
import { Panel } from '../../ui/panel'
import { CheckList } from './check-list'
import { FieldTable } from './field-table'

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
