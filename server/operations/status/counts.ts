import { DAY_MS } from '../../base/durations'
import type { Db } from '../../db/database'
import { createCoalesce, createRecent } from '../../sums/coalesce'
import { sumCompleted, sumNewest } from '../../sums/sum-queries'
import { countPending, type NotSentRow, type PendingRow, readDaysState, readNotSent, type WindowRows } from './queries'

/** How long counts are shared, here and in caches on the way. */
export const COUNTS_SECONDS = 60

/** Completed days change seldom, and their sums are the largest part. */
const COMPLETED_MS = 600_000
const DAYS = 30
/** The newest rows of the last day that are counted. */
const COUNTED_MAX = 50_000

/** All payments of the service that are published: by window, on their way, and given up unsigned. */
export type StatusCounts = { day: WindowRows; days: WindowRows; pending: PendingRow[]; notSent: NotSentRow[] }

/** The one reader of the counts: they are the same for all visitors. */
const READER = 'status'

// Nothing of tenants, payers or resources leaves the database.
const BY = { outcomes: ['network', 'tier', 'accepted', 'reason', 'bin'] } as const

/** StatusCounts that are at most a minute old. Concurrent readers share one count, which waits for no other reader's sums. */
export function createStatusCounts(sums: Db): () => Promise<StatusCounts> {
  const [coalesce, recent] = [createCoalesce(), createRecent()]
  return () => recent(READER, 'status', COUNTS_SECONDS * 1_000, () => coalesce(READER, 'status', count))

  async function count(): Promise<StatusCounts> {
    const state = await readDaysState(sums, DAYS)
    const { today, epoch, isSummed } = state
    const days = await recent(READER, `status ${today} ${epoch}`, isSummed ? COMPLETED_MS : 0, () => readLastDays(sums, state))
    const day = await readLastDay(sums, state)
    return { day, days, pending: await countPending(sums), notSent: await readNotSent(sums, { day, days }) }
  }
}

type State = Awaited<ReturnType<typeof readDaysState>>

/** Sums the last completed UTC days from their stored sums. Days whose sums are not stored yet are missing. */
async function readLastDays(sums: Db, { from, until }: State): Promise<WindowRows> {
  const windows = [{ from: Date.parse(from), until: Date.parse(until) }]
  const { outcomes } = await sumCompleted(sums, { filter: {}, windows, until, storedOnly: true }, BY)
  return { from: new Date(from), until: new Date(until), outcomes }
}

/** Sums the last 24 hours over the newest rows; then `from` is the oldest of them if there are more. */
async function readLastDay(sums: Db, { now, today }: State): Promise<WindowRows> {
  const since = now - DAY_MS
  const windows = [{ from: Date.parse(today) - DAY_MS, until: Date.parse(today) + 2 * DAY_MS }]
  const { sums: summed, more, oldest } = await sumNewest(sums, { filter: {}, windows, since }, BY, COUNTED_MAX)
  return { from: more && oldest ? oldest : new Date(since), until: new Date(now), outcomes: summed.outcomes }
}
