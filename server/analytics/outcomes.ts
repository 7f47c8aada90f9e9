import type { Sums } from '../sums/sum-queries'
import { causeOf, codeOf } from '../x402/reasons/causes'

/** What the outcomes of settlements are by. */
export const OUTCOMES = ['network', 'symbol', 'accepted', 'reason'] as const

/** How many settlements of a window had an outcome (`reason` empty: successes). */
export type Outcome = Sums<{ outcomes: typeof OUTCOMES }>['outcomes'][number]

/**
 * How many settlements succeeded and failed, of all tokens, and the volume of the successes of one token as digits. `valid`: all but those
 * that their payers made fail. A success rate is the part of them that settled, here as on the status page.
 */
export function countsOf(outcomes: readonly Outcome[], symbol: string) {
  return {
    settled: countOf(outcomes.filter(({ reason }) => reason === '')),
    failed: countOf(outcomes.filter(({ reason }) => reason !== '')),
    valid: countOf(outcomes.filter(isValid)),
    volume: volumeOf(outcomes.filter((row) => row.symbol === symbol)),
  }
}

type Ended = { reason: string; accepted: boolean }

/** Whether a payment settled, or failed through no fault of its payer. */
export const isValid = ({ reason, accepted }: Ended): boolean => reason === '' || causeOf(codeOf(reason), accepted) !== 'payer'

/** How many payments outcomes count. */
export const countOf = (outcomes: readonly { count: number }[]): number => outcomes.reduce((sum, { count }) => sum + count, 0)

/** The volume of outcomes, which are of one token. */
export const volumeOf = (outcomes: readonly Outcome[]) => outcomes.reduce((sum, row) => sum + BigInt(row.volume), 0n).toString()

/** The counts of each network, in the order of their ids. */
export function byNetwork(outcomes: readonly Outcome[], symbol: string) {
  const names = [...new Set(outcomes.map(({ network }) => network))].toSorted()
  return names.map((network) => ({
    network,
    ...countsOf(
      outcomes.filter((row) => row.network === network),
      symbol,
    ),
  }))
}

/** How many settlements failed for each reason, the most first. */
export function byReason(outcomes: readonly Outcome[]) {
  const counts = new Map<string, number>()
  for (const { reason, count } of outcomes) if (reason) counts.set(reason, (counts.get(reason) ?? 0) + count)
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
}

/** Sums by window. */
export function byWindow<Row extends { window: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.window)
    if (group) group.push(row)
    else groups.set(row.window, [row])
  }
  return groups
}
