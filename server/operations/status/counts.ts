import { DAY_MS } from '../../base/durations'
import { dateAfter, daysBetween } from '../../base/zones'
import type { Db } from '../../db/database'
import { createCoalesce, createRecent } from '../../sums/coalesce'
import { sumCompleted, sumNewest } from '../../sums/sum-queries'
import { type CompletedDays, completedDays } from './each-day'
import {
  countPending,
  type NotSentRow,
  type OutcomeRow,
  type PendingRow,
  readDaysState,
  readNotSent,
  readNotSentByDay,
  type WindowRows,
} from './queries'

/** How long counts are shared, here and in caches on the way. */
export const COUNTS_SECONDS = 60

/** Completed days change seldom, and their sums are the largest part. */
const COMPLETED_MS = 600_000
const DAYS = 30
/** The days that are shown one by one: completed ones, and today. */
const DAYS_SHOWN = 90
/** They change as seldom, and are three times as much to sum. */
const SHOWN_MS = 21_600_000
/** While some days are not summed yet, the others are read again this often. */
const UNSUMMED_MS = 120_000
/** The newest rows of the last day that are counted. */
const COUNTED_MAX = 50_000

/**
 * All payments of the service that are published: by window, on their way, given up unsigned, and by network of each completed day (`each`).
 * `today` is the UTC day of `todayRows`, which are among those of `day`.
 */
export type StatusCounts = {
  day: WindowRows
  days: WindowRows
  today: string
  todayRows: OutcomeRow[]
  each: ReadonlyMap<string, CompletedDays>
  pending: PendingRow[]
  notSent: NotSentRow[]
}

/** The one reader of the counts: they are the same for all visitors. */
const READER = 'status'

// Nothing of tenants, payers or resources leaves the database.
const BY = { outcomes: ['network', 'tier', 'accepted', 'reason', 'bin'] } as const
const BY_DAY = { outcomes: ['network', 'accepted', 'reason'], times: ['network', 'tier', 'bin'] } as const

/** StatusCounts that are at most a minute old. Concurrent readers share one count, which waits for no other reader's sums. */
export function createStatusCounts(sums: Db): () => Promise<StatusCounts> {
  const [coalesce, recent] = [createCoalesce(), createRecent()]
  return () => recent(READER, 'status', COUNTS_SECONDS * 1_000, () => coalesce(READER, 'status', count))

  async function count(): Promise<StatusCounts> {
    const state = await readDaysState(sums, DAYS)
    const { today, epoch, isSummed } = state
    const days = await recent(READER, `status ${today} ${epoch}`, isSummed ? COMPLETED_MS : 0, () => readLastDays(sums, state))
    const { todayRows, ...day } = await readLastDay(sums, state)
    const shown = await readDaysState(sums, DAYS_SHOWN - 1)
    const eachMs = shown.isSummed ? SHOWN_MS : UNSUMMED_MS
    const each = await recent(READER, `days ${shown.today} ${shown.epoch}`, eachMs, () => readEachDay(sums, shown))
    const spans = { today: { from: new Date(today), until: day.until }, day, days }
    const [pending, notSent] = [await countPending(sums), await readNotSent(sums, spans)]
    return { day, days, today, todayRows, each, pending, notSent }
  }
}

type State = Awaited<ReturnType<typeof readDaysState>>

/** Sums the last completed UTC days from their stored sums. Days whose sums are not stored yet are missing. */
async function readLastDays(sums: Db, { from, until }: State): Promise<WindowRows> {
  const windows = [{ from: Date.parse(from), until: Date.parse(until) }]
  const { outcomes } = await sumCompleted(sums, { filter: {}, windows, until, storedOnly: true }, BY)
  return { from: new Date(from), until: new Date(until), outcomes }
}

/** Sums each of the last completed UTC days from their stored sums, by network. */
async function readEachDay(sums: Db, { from: first, until }: State): Promise<ReadonlyMap<string, CompletedDays>> {
  const windows = Array.from({ length: daysBetween(first, until) }, (_, at) => {
    const from = Date.parse(dateAfter(first, at))
    return { from, until: from + DAY_MS }
  })
  const found = await sumCompleted(sums, { filter: {}, windows, until, storedOnly: true }, BY_DAY)
  return completedDays({ first, ...found, notSent: await readNotSentByDay(sums, first, until) })
}

/** Sums the last 24 hours over the newest rows; then `from` is the oldest of them if there are more. */
async function readLastDay(sums: Db, { now, today }: State): Promise<WindowRows & Pick<StatusCounts, 'todayRows'>> {
  const since = now - DAY_MS
  const midnight = Date.parse(today)
  const windows = [
    { from: midnight - DAY_MS, until: midnight },
    { from: midnight, until: midnight + 2 * DAY_MS },
  ]
  const { sums: summed, more, oldest } = await sumNewest(sums, { filter: {}, windows, since }, BY, COUNTED_MAX)
  const todayRows = summed.outcomes.filter(({ window }) => window === 1)
  return { from: more && oldest ? oldest : new Date(since), until: new Date(now), outcomes: summed.outcomes, todayRows }
}
