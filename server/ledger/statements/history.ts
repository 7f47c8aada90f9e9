import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../db/database'
import { isOutOfUnits } from '../../db/errors'
import { effectsOfWritten } from '../../db/outbox'
import { empty, type Sql, sql } from '../../db/sql'
import { creditsOfMoved } from './credits'
import { eventsOfMoved } from './events'
import { HOLDS_INTENT, KNOWN, type KnownSettlement } from './settlements'
import { unitsOfMoved } from './units-back'
import { counting, type Meter, THIS_MONTH, taking, type Unit, type UsageCount, usedOf, WIDER_TIMES, widerOf } from './usage'

/** A payment that failed its judgement before anything was claimed or sent. */
type FailedJudgement = {
  /** Its intent; null for a payment without a valid signature. */
  intentKey: Uint8Array | null
  /** The unit that it costs; null for none. */
  unit: Unit | null
  /** An unpayable payment is counted by caller, meter and day, and costs its unit only above `free`; for a /48 above eight times that. */
  unpayable: { caller: string; meter: Meter; free: number } | null
  /** Its history row; null for a verification. */
  row: FailedRow | null
}

export type FailedRow = {
  id: string
  tenantId: string
  /** The caller that may look it up. */
  caller: string
  tier: string
  payer: string
  payTo: string
  network: string
  resource: string
  amount: bigint
  /** What its payer signed at most, where the amount is what was charged. */
  maximum?: bigint | null
  /** The token of the amount. */
  symbol: string
  errorReason: string
  /** The rows of this kind that the caller may write in a month; the callers of a /48 together eight times as many. */
  rowsMax: number
}

/**
 * The result of recording: another request claimed the intent, the unit is missing, or it was recorded. `used`: the subject's units when
 * it cost one. `unpaid`: the count of unpayable payments on this day, which ends `until`; an eighth of its /48's count where that is more.
 */
type RecordedFailure =
  | { end: 'claimed'; known: KnownSettlement }
  | { end: 'spent' }
  | { end: 'recorded'; used: UsageCount | null; unpaid: { count: number; until: Date } | null }

/**
 * Records a failed judgement in one statement: takes its unit, counts it, and writes its history row unless the tenant's logging is off
 * or its caller, or the /48 around it, wrote as many as it may this month. Writes nothing when the intent was claimed meanwhile.
 */
export async function recordFailedJudgement(db: Db, failure: FailedJudgement): Promise<RecordedFailure> {
  const [row] = await db.query<RecordedRow>(recording(failure)).catch((error: unknown) => {
    if (isOutOfUnits(error)) return [null]
    throw error
  })
  if (row === undefined) throw new Error('a judged failure was not recorded')
  if (row === null) return { end: 'spent' }
  const { id, tenantId, caller, payer, requestHash, amount, state, txHash, delivered } = row
  if (id !== null)
    return { end: 'claimed', known: { id, tenantId, caller, payer, requestHash, amount, state, txHash, delivered } }
  if (row.due && row.taken === null) return { end: 'spent' }
  const unpaid = row.count === null || row.until === null ? null : { count: row.count, until: row.until }
  return { end: 'recorded', used: usedIn(row, failure.unit), unpaid }
}

type RecordedRow = Omit<KnownSettlement, 'id'> & {
  id: string | null
  due: boolean
  taken: number | null
  month: string
  settlements: number
  verifications: number
  count: number | null
  until: Date | null
}

// The other counts are from before this statement.
function usedIn({ month, settlements, verifications, taken }: RecordedRow, unit: Unit | null): UsageCount | null {
  if (!unit) return null
  const used = { period: month, settlement: settlements, verification: verifications }
  return taken === null ? used : { ...used, [unit.meter]: taken }
}

function recording({ intentKey, unit, unpayable, row }: FailedJudgement): Sql {
  const due = unpayable ? sql`COALESCE((SELECT "count" FROM unpaid) > ${unpayable.free}::int, false)` : sql`true`
  const subject = sql`${unit?.subject ?? ''}::text`
  return sql`
    WITH known AS MATERIALIZED (
      SELECT ${KNOWN} FROM "Settlement" WHERE "intentKey" = ${intentKey}::bytea AND ${HOLDS_INTENT}
    ), ${unpayable ? unpaidOf(unpayable) : NO_COUNT}, costs AS MATERIALIZED (
      SELECT NOT EXISTS (SELECT 1 FROM known) AND ${unit !== null} AND ${due} AS "due"
    ), ${unit ? taking(unit, 1, sql`(SELECT "due" FROM costs)`) : NO_UNIT}
    ${row ? writing(row) : empty}
    SELECT known.*, costs."due", unit."used" AS "taken", unpaid."count", unpaid."until", ${THIS_MONTH} AS "month",
      ${usedOf(subject, 'settlement')} AS "settlements", ${usedOf(subject, 'verification')} AS "verifications"
    FROM costs LEFT JOIN known ON true LEFT JOIN unit ON true LEFT JOIN unpaid ON true`
}

/** The common table expressions that count an unpayable payment for its caller and for the /48 around it. */
function unpaidOf({ caller, meter }: NonNullable<FailedJudgement['unpayable']>): Sql {
  const day = { kind: `unpaid ${meter}s`, period: 'day' } as const
  const wider = widerOf(sql`${caller}::text`)
  return sql`
    "unpaidOwn" AS (${counting({ ...day, subject: caller, where: sql`NOT EXISTS (SELECT 1 FROM known)` })}),
    "unpaidWider" AS (${counting({ ...day, subject: wider, where: sql`EXISTS (SELECT 1 FROM "unpaidOwn") AND ${wider} IS NOT NULL` })}),
    unpaid AS MATERIALIZED (
      SELECT GREATEST(o."count", ceil(w."count"::float8 / ${WIDER_TIMES}::int)::int) AS "count", o."until"
      FROM "unpaidOwn" o LEFT JOIN "unpaidWider" w ON true
    )`
}

const NO_COUNT = sql`unpaid AS (SELECT NULL::int AS "count", NULL::timestamptz AS "until" WHERE false)`
const NO_UNIT = sql`unit AS (SELECT NULL::int AS "used" WHERE false)`

function writing(row: FailedRow): Sql {
  const month = { kind: 'failed judgements', period: 'month' } as const
  const wider = widerOf(sql`${row.caller}::text`)
  const own = counting({ ...month, subject: row.caller, cap: row.rowsMax, where: sql`EXISTS (SELECT 1 FROM tenant)` })
  // Counts only what its /64 may write: one flood must not block the neighbours.
  const around = counting({
    ...month,
    subject: wider,
    cap: WIDER_TIMES * row.rowsMax,
    where: sql`EXISTS (SELECT 1 FROM counted) AND ${wider} IS NOT NULL`,
  })
  return sql`
    , tenant AS (
      SELECT t.* FROM "Tenant" t, costs WHERE t."id" = ${row.tenantId}::uuid AND t."historyEnabled"
        AND NOT EXISTS (SELECT 1 FROM known) AND (NOT costs."due" OR EXISTS (SELECT 1 FROM unit))
    ), counted AS (${own}), "countedWider" AS (${around}), written AS (
      INSERT INTO "History" ("id", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "tier", "amount", "maximum", "symbol", "success", "errorReason", "caller")
      SELECT ${row.id}::uuid, t."ownerKind", t."ownerId", t."id", ${row.payer}, ${row.payTo}, ${row.network}, ${row.resource},
        t."plan", ${row.tier}, ${row.amount.toString()}::numeric, ${row.maximum?.toString() ?? null}::numeric, ${row.symbol}, false, ${row.errorReason}, ${row.caller}
      FROM tenant t, counted WHERE ${wider} IS NULL OR EXISTS (SELECT 1 FROM "countedWider")
    )`
}

/**
 * Deletes some rows of failed judgements older than `days` whose days have totals. Marks those days, so that their totals stay. Returns
 * the number of rows.
 */
export async function pruneFailedJudgements(db: Db, limit: number, days: number): Promise<number> {
  return db.execute`
    WITH due AS MATERIALIZED (
      SELECT h."id", d."tenantId", d."day" FROM "History" h
      JOIN "RollupDay" d ON d."tenantId" = h."tenantId" AND d."day" = (h."createdAt" AT TIME ZONE 'UTC')::date AND d."state" = 'rolled'
      WHERE h."caller" IS NOT NULL AND h."settlementId" IS NULL AND h."createdAt" < now() - ${days}::int * interval '24 hours'
      ORDER BY h."createdAt", h."id" LIMIT ${limit} FOR UPDATE OF h SKIP LOCKED
    ), held AS MATERIALIZED (
      SELECT d."tenantId", d."day" FROM "RollupDay" d
      WHERE (d."tenantId", d."day") IN (SELECT "tenantId", "day" FROM due) AND d."state" = 'rolled' ORDER BY 1, 2 FOR UPDATE
    ), marked AS (
      UPDATE "RollupDay" d SET "pruned" = true FROM held WHERE d."tenantId" = held."tenantId" AND d."day" = held."day"
      RETURNING d."tenantId", d."day"
    )
    DELETE FROM "History" h USING due JOIN marked USING ("tenantId", "day") WHERE h."id" = due."id"`
}

// `historyReason` (server/x402/reasons/reasons.ts) writes this code for a failed judgement: keep both alike.
const HISTORY_REASON = sql`CASE WHEN m."reason" LIKE '%\\_insufficient\\_balance' THEN 'insufficient_funds' ELSE m."reason" END`

// A clock that was set back must not break a success.
const SETTLE_MS = sql`LEAST(GREATEST(extract(epoch FROM clock_timestamp() - m."createdAt") * 1000, 0), 2147483647)::int`

/**
 * The common table expressions that write or correct the one history row of each settlement, in the statement that moves them, and credit
 * purchases. A first success also writes outbox rows, a failure gives its unit back, and every terminal state enqueues webhooks. The error is the settlement's reason;
 * so is its transaction unless `txHash` is given. They read from `moved`, whole "Settlement" rows.
 */
export function historyOfMoved(settlementIds: readonly string[], outcome: { success: boolean; txHash?: string }): Sql {
  const txHash = outcome.txHash === undefined ? sql`m."txHash"` : sql`${outcome.txHash}`
  const rowIds = JSON.stringify(Object.fromEntries(settlementIds.map((id) => [id, uuidv7()])))
  return sql`
    written AS (
      INSERT INTO "History" ("id", "settlementId", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "tier", "amount", "maximum", "symbol", "success", "txHash", "errorReason", "settleMs")
      SELECT (${rowIds}::jsonb ->> m."id"::text)::uuid, m."id", t."ownerKind", t."ownerId", m."tenantId", m."payer", m."payTo", m."network", m."resource",
        m."plan", m."tier", m."amount", m."maximum", m."symbol", ${outcome.success}, ${txHash}, ${HISTORY_REASON}, ${SETTLE_MS}
      FROM moved m JOIN "Tenant" t ON t."id" = m."tenantId"
      WHERE m."logged"
      ON CONFLICT ("settlementId") DO UPDATE
        SET "success" = EXCLUDED."success", "txHash" = EXCLUDED."txHash", "errorReason" = EXCLUDED."errorReason"
      RETURNING "settlementId", xmax = 0 AS "first"
    ), ${creditsOfMoved(outcome)} ${outcome.success ? effectsOfWritten : unitsOfMoved} ${eventsOfMoved(outcome)}`
}
