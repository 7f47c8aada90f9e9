import type { OwnerFilter } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { type Sql, sql } from '../db/sql'
import { type Environment, pastTestnets } from '../x402/networks/networks'

/** A settlement or failed judgement as history stores it. The amount is digits of atomic units; addresses are in the form of payments. */
export type HistoryRow = {
  id: string
  /** Null for a failed judgement. */
  settlementId: string | null
  createdAt: Date
  success: boolean
  /** `""` when nothing was sent. */
  txHash: string
  network: string
  amount: string
  /** What the payer signed at most, where the amount is what was charged; null where the amount is all. */
  maximum: string | null
  /** The token of the amount. */
  symbol: string
  ownerKind: string
  ownerId: string
  tenantId: string
  /** `""` if no valid signature proved it. */
  payer: string
  resource: string
  payTo: string
  plan: string
  errorReason: string | null
}

/** The tenants of the rows; all conditions must hold. */
export type HistoryFilter = {
  owner?: OwnerFilter
  tenantId?: string
  payer?: string
  txHash?: string
  success?: boolean
  network?: string
  environment?: Environment
  resource?: string
  /** The token, by its symbol. */
  symbol?: string
  /** As payer or as recipient. */
  party?: string
}

/** A position in history, which is ordered by time and id; times have milliseconds only. */
export type Position = { at: number; id: string }

/**
 * A reader's position: the oldest row of the page, and the position `above` which rows are new. Open transactions may still commit
 * below the newest row; then `above` is where they began. `seen` are the rows above it that the reader has: up to `upTo`, visible in
 * the database snapshot `snapshot`. So a late commit is neither skipped nor repeated.
 */
export type HistoryCursor = { oldest: Position; above: Position; seen: { upTo: Position; snapshot: string } | null }

/** Rows older than the cursor's, or the nearest newer ones. Without a cursor: from the newest, or from the oldest. */
export type PageRequest = { direction: 'before' | 'after'; from: HistoryCursor | null; limit: number }

/** Above every id. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** What a `HistoryRow` has. */
export const COLUMNS = sql`
  "id", "settlementId", "createdAt", "success", "txHash", "network", "amount"::text AS "amount", "maximum"::text AS "maximum", "symbol", "ownerKind", "ownerId", "tenantId", "payer",
  "resource", "payTo", "plan", "errorReason"`

/** Whether the payment of a history row, named `h`, was claimed: its judgement did not refuse it. */
export const acceptedOf = sql`(h."success" OR h."settlementId" IS NOT NULL OR h."settleMs" IS NOT NULL)`

/** The condition of a resource. The hash matches the index, because a resource is too long for an index key. */
export const isResource = (resource: string | null) =>
  sql`hashtextextended("resource", 0) = hashtextextended(${resource}, 0) AND "resource" = ${resource}`

const HERE = sql`("createdAt", "id")`
const place = ({ at, id }: Position) => sql`(${time(at)}, ${id}::uuid)`
/** A time in milliseconds as a value. */
export const time = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`
const shownIn = (snapshot: string) => sql`pg_visible_in_snapshot("xid"::text::xid8, ${snapshot}::pg_snapshot)`

/** The rows of an older page. They show history as of the first page; later commits appear on newer pages. */
export function below(from: HistoryCursor | null): Sql[] {
  if (!from) return []
  const older = sql`${HERE} < ${place(from.oldest)}`
  return from.seen ? [older, sql`("createdAt" <= ${time(from.above.at)} OR ${shownIn(from.seen.snapshot)})`] : [older]
}

/** The rows of a newer page, up to the watermark. */
export function above(from: HistoryCursor | null, watermark: number | null): Sql[] {
  const settled = watermark === null ? [] : [sql`"createdAt" <= ${time(watermark)}`]
  if (!from) return settled
  const newer = [sql`${HERE} > ${place(from.above)}`, ...settled]
  if (!from.seen) return newer
  return [...newer, sql`NOT (${HERE} <= ${place(from.seen.upTo)} AND ${shownIn(from.seen.snapshot)})`]
}

/** The cursor behind a page; null without rows. */
export function cursorOf(
  rows: HistoryRow[],
  page: PageRequest,
  watermark: number | null,
  snapshot: string,
): HistoryCursor | null {
  const [newest, oldest] = [positionOf(rows[0]), positionOf(rows.at(-1))]
  if (!newest || !oldest) return null
  const { from, direction } = page
  if (direction === 'after') {
    const seen = from?.seen && isBelow(newest, from.seen.upTo) ? from.seen : null
    return { oldest, above: newest, seen }
  }
  const settled = from === null ? { at: watermark ?? 0, id: LAST_ID } : from.seen ? from.above : null
  if (settled === null || newest.at <= settled.at) return { oldest, above: newest, seen: null }
  return { oldest, above: settled, seen: { upTo: newest, snapshot: from?.seen?.snapshot ?? snapshot } }
}

const positionOf = (row: HistoryRow | undefined) => (row ? { at: row.createdAt.getTime(), id: row.id } : null)

/** Whether a position is older than another. */
export const isBelow = (one: Position, other: Position) => one.at < other.at || (one.at === other.at && one.id < other.id)

/** A payer's payments of a token on a day (`2026-11-28`, UTC). The amount is digits of atomic units. */
type PaidDay = { day: string; environment: Environment; symbol: string; payments: number; amount: string }

/** The days with successful payments of a payer since `since`, oldest first: one range of the index (payer, createdAt, id). */
export async function readPaidDays(db: Db, payer: string, since: Date): Promise<PaidDay[]> {
  return db.queryUnprepared<PaidDay>`
    SELECT to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day",
      CASE WHEN "network" = ANY(${pastTestnets()}::text[]) THEN 'testnet' ELSE 'mainnet' END AS "environment",
      "symbol", count(*)::int AS "payments", sum("amount")::text AS "amount"
    FROM "History" WHERE "payer" = ${payer} AND "createdAt" >= ${since.toISOString()}::timestamptz AND "success"
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
}

/**
 * The time up to which history is complete: the begin of the oldest writing transaction, or now. A row gets its time after its
 * transaction got its id (`History_now`), so a later writer has a later time. The millisecond covers rounding.
 */
export const SAFE_WATERMARK = sql`
  (SELECT date_trunc('milliseconds', LEAST(now(), min("xact_start"))) - interval '1 ms' FROM pg_stat_activity
   WHERE "datname" = current_database() AND "backend_xid" IS NOT NULL)`

/** The current watermark. It holds for statements that begin after this one: open writers are in it, all others have committed. */
export async function readSafeWatermark(db: Db): Promise<Date> {
  const [row] = await db.query<{ horizon: Date }>`SELECT ${SAFE_WATERMARK}::timestamptz(3) AS "horizon"`
  if (!row) throw new Error('the database did not say its time')
  return row.horizon
}

// Final states: no settlement leaves them (server/ledger/states.ts).
const ENDED = sql`('FINAL', 'REJECTED', 'REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID', 'REVERSED', 'UNCHARGED')`

// A deposit is in no history, but its key may keep one: what it paid for is in the report of listings.
const KEEPS_DECLARED = sql`(s."kind" = 'deposit' AND EXISTS (SELECT 1 FROM "Tenant" t WHERE t."id" = s."tenantId" AND t."historyEnabled"))`

/**
 * Scrubs settlements without history a day after their end: removes signed bytes, authorization, declarations and resource; keeps the
 * intent key, the outcome and the amounts. A shared transaction keeps its bytes until all its settlements ended and its nonce is used.
 * Returns how many settlements.
 */
export async function scrubUnlogged(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>`
    WITH old AS MATERIALIZED (
      SELECT s."id" FROM "Settlement" s
      WHERE NOT s."logged" AND s."scrubbedAt" IS NULL AND s."createdAt" < now() - interval '24 hours' AND s."state" IN ${ENDED}
        AND EXISTS (SELECT 1 FROM "Step" t WHERE t."settlementId" = s."id" AND t."seq" = s."version" AND t."at" < now() - interval '24 hours')
        AND NOT EXISTS (
          SELECT 1 FROM "SlotMember" m JOIN "Slot" l ON l."id" = m."slotId" JOIN "SlotMember" fellow ON fellow."slotId" = l."id"
            JOIN "Settlement" f ON f."id" = fellow."settlementId"
          WHERE m."settlementId" = s."id" AND (l."state" = 'open' OR f."state" NOT IN ${ENDED})
        )
      ORDER BY s."createdAt", s."id" LIMIT ${limit} FOR UPDATE OF s SKIP LOCKED
    ), evm AS (
      UPDATE "Attempt" a SET "raw" = '' FROM old JOIN "SlotMember" m ON m."settlementId" = old."id" WHERE a."slotId" = m."slotId"
    ), svm AS (
      UPDATE "SvmAttempt" a SET "raw" = '' FROM old WHERE a."settlementId" = old."id"
    ), unclaimed AS (
      DELETE FROM "ChannelClaim" c USING old JOIN "Settlement" s ON s."id" = old."id"
      WHERE c."settlementId" = old."id" AND s."state" <> 'FINAL'
    ), scrubbed AS (
      UPDATE "Settlement" s SET "transfer" = '{}', "paymentIdentifier" = NULL, "scrubbedAt" = now(),
        "declared" = CASE WHEN ${KEEPS_DECLARED} THEN s."declared" ELSE '{}' END, "resource" = CASE WHEN ${KEEPS_DECLARED} THEN s."resource" ELSE '' END
      FROM old WHERE s."id" = old."id" RETURNING 1
    )
    SELECT count(*)::int AS "count" FROM scrubbed`
  return row?.count ?? 0
}
