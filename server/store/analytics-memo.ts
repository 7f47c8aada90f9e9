import type { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'
import { HORIZON } from './horizon'

/** What a memo is of: whose finished days, how many of them, on which network or in which environment (empty: on all networks). */
export type MemoKey = { scope: string; days: number; network: string }

/** What must be known before anything is computed: today (`YYYY-MM-DD`), whether the days before it are settled, and the epoch. */
export type Standing = { today: string; settled: boolean; epoch: string }

/**
 * Where analytics stand now, with the memo that is right for it, if there is one. Read before computing: what changes later has another epoch.
 */
export async function readStanding(db: Db, epochScope: string, key: MemoKey): Promise<Standing & { memo: unknown }> {
  const [row] = await db.$queryRaw<(Standing & { memo: unknown })[]>`
    WITH standing AS (
      SELECT (now() AT TIME ZONE 'UTC')::date AS "today", COALESCE((SELECT "epoch" FROM "AnalyticsEpoch" WHERE "scope" = ${epochScope}), 0) AS "epoch"
    )
    SELECT s."today"::text AS "today", s."epoch"::text AS "epoch", s."today"::timestamp AT TIME ZONE 'UTC' <= ${HORIZON} AS "settled",
      (SELECT m."answer" FROM "AnalyticsMemo" m WHERE m."scope" = ${key.scope} AND m."days" = ${key.days} AND m."network" = ${key.network}
        AND m."endDate" = s."today" AND m."epoch" = s."epoch") AS "memo"
    FROM standing s`
  if (!row) throw new Error('the database did not say its day')
  return row
}

/** Keeps an answer for whoever asks the same before the day or the epoch changes. A newer one stays. */
export async function keepMemo(db: Db, key: MemoKey, { today, epoch }: Standing, answer: Prisma.InputJsonObject): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "AnalyticsMemo" AS m ("scope", "days", "network", "endDate", "epoch", "answer")
    VALUES (${key.scope}, ${key.days}, ${key.network}, ${today}::date, ${epoch}::bigint, ${JSON.stringify(answer)}::json)
    ON CONFLICT ("scope", "days", "network") DO UPDATE SET "endDate" = EXCLUDED."endDate", "epoch" = EXCLUDED."epoch", "answer" = EXCLUDED."answer"
    WHERE (m."endDate", m."epoch") <= (EXCLUDED."endDate", EXCLUDED."epoch")`
}

/** Deletes some answers of earlier days. Returns how many. */
export async function pruneMemos(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "AnalyticsMemo" WHERE ("scope", "days", "network") IN (
      SELECT "scope", "days", "network" FROM "AnalyticsMemo" WHERE "endDate" < (now() AT TIME ZONE 'UTC')::date ORDER BY "endDate" LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )`
}
