import type { Db } from './database'

/** A move of a settlement and when it was made. */
export type TimelineStep = { to: string; at: Date }

/** The settlement behind a row of history: where it stands and how it got there. */
export type Timeline = { settlementId: string; state: string; block: string | null; steps: TimelineStep[] }

/** The settlement behind a row of history, with its moves in order. Null for a judged failure, for which nothing was ever claimed. */
export async function findTimeline(db: Db, historyId: string): Promise<Timeline | null> {
  const rows = await db.$queryRaw<(Omit<Timeline, 'steps'> & TimelineStep)[]>`
    SELECT s."id" AS "settlementId", s."state", s."block"::text AS "block", t."to", t."at"
    FROM "History" h JOIN "Settlement" s ON s."id" = h."settlementId" JOIN "Step" t ON t."settlementId" = s."id"
    WHERE h."id" = ${historyId}::uuid ORDER BY t."seq"`
  const [first] = rows
  if (!first) return null
  const { settlementId, state, block } = first
  return { settlementId, state, block, steps: rows.map(({ to, at }) => ({ to, at })) }
}
