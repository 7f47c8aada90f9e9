import { type BinCount, percentileOf } from '../../sums/time-queries'
import { type Cause, causeOf, codeOf, NOT_SENT } from '../../x402/reasons/causes'
import type { OutcomeRow } from './queries'
import { wilsonLowerBound } from './wilson'

/** With fewer payments, nothing is claimed about a share or a time. */
export const CLAIM_MIN = 20

/** A share of payments with the lower end of its 95% interval; null where there are too few. */
type Share = { of: number; share: number | null; lower_bound: number | null }

/** Failures of one cause, the most frequent reason first. */
export type Failed = { count: number; reasons: { reason: string; count: number }[] }

/** What the payments of a window came to. */
export type Figures = {
  settled: number
  failed: Record<Cause, Failed>
  success: Share
  success_of_all: Share
  settle_ms: { of: number; p50: number | null; p95: number | null }
}

/** The figures of some outcomes, with the payments that were given up before they were signed. */
export function figuresOf(outcomes: readonly OutcomeRow[], notSent: number): Figures {
  const { settled, failed } = countsOf(outcomes, notSent)
  const [payers, others] = [failed.payer.count, failed.chain.count + failed.facilitator.count]
  const timed = outcomes.filter(({ reason, bin }) => reason === '' && bin >= 0)
  const of = sum(timed)
  const percentile = (share: number) => claimedTime(timed, share)
  return {
    settled,
    failed,
    success: shareOf(settled, settled + others),
    success_of_all: shareOf(settled, settled + others + payers),
    settle_ms: { of, p50: percentile(0.5), p95: percentile(0.95) },
  }
}

type Outcome = Pick<OutcomeRow, 'accepted' | 'reason' | 'count'>

/** What outcomes came to: settled payments, and failures by cause. */
export function countsOf(outcomes: readonly Outcome[], notSent: number): Pick<Figures, 'settled' | 'failed'> {
  return { settled: sum(outcomes.filter(({ reason }) => reason === '')), failed: failedOf(outcomes, notSent) }
}

/** The time in milliseconds below which this share of payments stayed; null where there are too few. */
export function claimedTime(timed: readonly BinCount[], share: number): number | null {
  return sum(timed) < CLAIM_MIN ? null : percentileOf(timed, share)
}

const sum = (rows: readonly { count: number }[]) => rows.reduce((total, { count }) => total + count, 0)

/** A share of payments; nothing is claimed of too few. */
export function shareOf(good: number, of: number): Share {
  if (of < CLAIM_MIN) return { of, share: null, lower_bound: null }
  return { of, share: good / of, lower_bound: wilsonLowerBound(good, of) }
}

function failedOf(outcomes: readonly Outcome[], notSent: number): Record<Cause, Failed> {
  const found = outcomes.flatMap(({ reason, accepted, count }) => {
    if (reason === '') return []
    const code = codeOf(reason)
    return [{ cause: causeOf(code, accepted), reason: code, count }]
  })
  const all = notSent > 0 ? [...found, { cause: causeOf(NOT_SENT, true), reason: NOT_SENT, count: notSent }] : found
  const of = (cause: Cause): Failed => {
    const counts = new Map<string, number>()
    for (const row of all) if (row.cause === cause) counts.set(row.reason, (counts.get(row.reason) ?? 0) + row.count)
    const listed = [...counts].map(([reason, count]) => ({ reason, count }))
    return { count: sum(listed), reasons: listed.toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)) }
  }
  return { payer: of('payer'), chain: of('chain'), facilitator: of('facilitator') }
}
