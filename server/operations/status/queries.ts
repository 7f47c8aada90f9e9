import type { Db } from '../../db/database'
import { sql } from '../../db/sql'
import { CURSOR } from '../../sums/rollup-queries'

/** How many payments a network and tier have with an outcome (`reason` empty: settled) and a bin of settle times (-1: unknown). */
export type OutcomeRow = { network: string; tier: string; accepted: boolean; reason: string; bin: number; count: number }

/** The sums of a window. `from` is the instant since which payments are counted. */
export type WindowRows = { from: Date; until: Date; outcomes: OutcomeRow[] }

/**
 * Completed UTC days from `first` on, numbered by `window`: outcomes, settle times, and payments that were given up unsigned. Days whose
 * sums are not stored yet are missing.
 */
export type DaysRows = {
  first: string
  outcomes: (Pick<OutcomeRow, 'network' | 'accepted' | 'reason' | 'count'> & { window: number })[]
  times: (Pick<OutcomeRow, 'network' | 'tier' | 'bin' | 'count'> & { window: number })[]
  notSent: { network: string; window: number; count: number }[]
}

/**
 * The instant of the database, and what the sums of the last completed days depend on. `from` is their first UTC day, `until` the first
 * day that is not summed yet. `isSummed`: all of them are.
 */
type DaysState = { now: number; today: string; from: string; until: string; epoch: string; isSummed: boolean }

/** Reads the state of the last completed days. */
export async function readDaysState(db: Db, days: number): Promise<DaysState> {
  const [row] = await db.queryUnprepared<DaysState>`
    SELECT (extract(epoch FROM now()) * 1000)::float8 AS "now", ${TODAY}::text AS "today", (${TODAY} - ${days}::int)::text AS "from",
      GREATEST(LEAST(${TODAY}, ${CURSOR}), ${TODAY} - ${days}::int)::text AS "until",
      COALESCE((SELECT "epoch" FROM "AnalyticsEpoch" WHERE "scope" = 'all'), 0)::text AS "epoch",
      ${CURSOR} >= ${TODAY} AND NOT EXISTS (
        SELECT FROM "RollupDay" WHERE "state" <> 'rolled' AND "day" >= ${TODAY} - ${days}::int AND "day" < ${TODAY}
      ) AS "isSummed"`
  if (!row) throw new Error('the database did not answer')
  return row
}

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`

/** Payments on their way on a network and tier, and how long the oldest has been. */
export type PendingRow = { network: string; tier: string; count: number; oldestMs: number }

/** The payments on their way, of keys that keep a history. The queues bound them. */
export function countPending(db: Db): Promise<PendingRow[]> {
  return db.queryUnprepared<PendingRow>`
    SELECT "network", "tier", count(*)::int AS "count", GREATEST(0, extract(epoch FROM now() - min("createdAt")) * 1000)::float8 AS "oldestMs"
    FROM "Settlement" WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST') AND "logged" GROUP BY 1, 2`
}

/** How many accepted payments were given up before anything was signed, in each window; `today`: on this UTC day. */
export type NotSentRow = { network: string; tier: string; today: number; day: number; days: number }

const NOT_SENT_MAX = 100_000

/** Counts the payments that were given up unsigned, at most the newest 100,000. */
export function readNotSent(db: Db, { today, day, days }: { today: Span; day: Span; days: Span }): Promise<NotSentRow[]> {
  const within = ({ from, until }: Span) =>
    sql`count(*) FILTER (WHERE "createdAt" >= ${from}::timestamptz AND "createdAt" < ${until}::timestamptz)::int`
  // As the partial index has it.
  return db.queryUnprepared<NotSentRow>`
    SELECT "network", "tier", ${within(today)} AS "today", ${within(day)} AS "day", ${within(days)} AS "days" FROM (
      SELECT "network", "tier", "createdAt" FROM "Settlement" WHERE "state" = 'REJECTED' AND "logged" AND "reason" IS NULL
        AND "createdAt" >= LEAST(${day.from}::timestamptz, ${days.from}::timestamptz) ORDER BY "createdAt" DESC LIMIT ${NOT_SENT_MAX}::int
    ) given GROUP BY 1, 2`
}

/** The payments that were given up unsigned on completed UTC days from `first` to `until`, at most the newest 100,000. */
export function readNotSentByDay(db: Db, first: string, until: string): Promise<DaysRows['notSent']> {
  return db.queryUnprepared<DaysRows['notSent'][number]>`
    SELECT "network", ("createdAt" AT TIME ZONE 'UTC')::date - ${first}::date AS "window", count(*)::int AS "count" FROM (
      SELECT "network", "createdAt" FROM "Settlement" WHERE "state" = 'REJECTED' AND "logged" AND "reason" IS NULL
        AND "createdAt" >= ${first}::date AT TIME ZONE 'UTC' AND "createdAt" < ${until}::date AT TIME ZONE 'UTC'
      ORDER BY "createdAt" DESC LIMIT ${NOT_SENT_MAX}::int
    ) given GROUP BY 1, 2`
}

type Span = Pick<WindowRows, 'from' | 'until'>
