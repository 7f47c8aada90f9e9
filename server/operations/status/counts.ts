import type { Db } from '../../db/database'
import { createCoalesce, createRecent } from '../../sums/coalesce'
import {
  countPending,
  type NotSentRow,
  type PendingRow,
  readDaysState,
  readLastDay,
  readLastDays,
  readNotSent,
  type WindowRows,
} from './queries'

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

/** StatusCounts that are at most a minute old. Concurrent readers share one count, which waits for no other reader's sums. */
export function createStatusCounts(sums: Db): () => Promise<StatusCounts> {
  const [coalesce, recent] = [createCoalesce(), createRecent()]
  return () => recent(READER, 'status', COUNTS_SECONDS * 1_000, () => coalesce(READER, 'status', count))

  async function count(): Promise<StatusCounts> {
    const { today, epoch, isSummed } = await readDaysState(sums, DAYS)
    const days = await recent(READER, `status ${today} ${epoch}`, isSummed ? COMPLETED_MS : 0, () => readLastDays(sums, DAYS))
    const day = await readLastDay(sums, COUNTED_MAX)
    return { day, days, pending: await countPending(sums), notSent: await readNotSent(sums, { day, days }) }
  }
}
