import { dateAfter } from '../../base/zones'
import type { BinCount } from '../../sums/time-queries'
import { claimedTime, countsOf, shareOf } from './figures'
import type { DaysRows, OutcomeRow } from './queries'

/**
 * What the valid payments of a UTC day came to. `failed`: by the chain or by us, so that payers and merchants had no part in it.
 * `median_ms`: to inclusion in a block; null with too few.
 */
type Day = { date: string; settled: number; failed: number; median_ms: number | null }

/** The completed days of a network that had valid payments, oldest first, and how long the payments of all of them took. */
export type CompletedDays = { days: Day[]; timed: BinCount[] }

/** The completed days of each network, by its id. */
export function completedDays({ first, outcomes, times, notSent }: DaysRows): Map<string, CompletedDays> {
  const rowsOf = new Map<string, Map<number, DayRows>>()
  const at = ({ network, window }: { network: string; window: number }): DayRows => {
    const windows = rowsOf.get(network) ?? new Map<number, DayRows>()
    rowsOf.set(network, windows)
    const rows = windows.get(window) ?? { outcomes: [], timed: [], notSent: 0 }
    windows.set(window, rows)
    return rows
  }
  for (const row of outcomes) at(row).outcomes.push(row)
  for (const row of times) if (isTimed(row)) at(row).timed.push(row)
  for (const row of notSent) at(row).notSent += row.count
  return new Map(
    [...rowsOf].map(([network, windows]) => {
      const days = [...windows].map(([window, rows]) => dayOf(dateAfter(first, window), rows))
      const timed = [...windows.values()].flatMap((rows) => rows.timed)
      return [network, { days: days.filter(isUsed).toSorted((a, b) => (a.date < b.date ? -1 : 1)), timed: byBin(timed) }]
    }),
  )
}

/** The last days of a network with the one that is under way, and what all of them came to. */
export function lastDays({ days: past, timed }: CompletedDays, date: string, recent: readonly OutcomeRow[], notSent: number) {
  const times = recent.filter(isTimed)
  const days = [...past, dayOf(date, { outcomes: recent, timed: times, notSent })].filter(isUsed)
  const sum = (of: 'settled' | 'failed') => days.reduce((total, day) => total + day[of], 0)
  const settled = sum('settled')
  return { success: shareOf(settled, settled + sum('failed')), median_ms: claimedTime([...timed, ...times], 0.5), days }
}

/** What valid payments came to: the share that settled, and the median time to a block in milliseconds. Both are null with too few. */
export type ServiceRecord = { share: number | null; medianMs: number | null }

/** The record of some outcomes, with the payments that were given up before they were signed. */
export function recordOf(outcomes: readonly OutcomeRow[], notSent: number): ServiceRecord {
  const { settled, failed } = dayOf('', { outcomes, timed: [], notSent })
  return { share: shareOf(settled, settled + failed).share, medianMs: claimedTime(outcomes.filter(isTimed), 0.5) }
}

type Outcome = Pick<OutcomeRow, 'accepted' | 'reason' | 'count'>
type DayRows = { outcomes: Outcome[]; timed: BinCount[]; notSent: number }
type SomeRows = { outcomes: readonly Outcome[]; timed: readonly BinCount[]; notSent: number }

function dayOf(date: string, { outcomes, timed, notSent }: SomeRows): Day {
  const { settled, failed } = countsOf(outcomes, notSent)
  return { date, settled, failed: failed.chain.count + failed.facilitator.count, median_ms: claimedTime(timed, 0.5) }
}

const isUsed = ({ settled, failed }: Day): boolean => settled + failed > 0

// Flash answers before the block: its times would hide those of blocks.
const isTimed = ({ tier, bin }: { tier: string; bin: number }): boolean => tier !== 'flash' && bin >= 0

function byBin(timed: readonly BinCount[]): BinCount[] {
  const counts = new Map<number, number>()
  for (const { bin, count } of timed) counts.set(bin, (counts.get(bin) ?? 0) + count)
  return [...counts].map(([bin, count]) => ({ bin, count }))
}
