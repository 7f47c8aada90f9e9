import type { Db } from '../../db/database'
import { sql } from '../../db/sql'
import { ASKED, type Claim, columnsOf } from './claim-columns'
import {
  AFFORDABLE,
  ALONE_OF_PARTY,
  FAILURES_EVERYWHERE,
  FAILURES_HERE,
  FREE,
  FREE_AFFORDABLE,
  FREE_IN_FLIGHT,
  FREE_SPENT_UP,
  HAS_APPROVALS,
  HAS_PAID,
  HAS_WIDER,
  OF_PARTY,
  OF_PAYER,
  PARTY_FAILURES,
  PROMISED,
  SPENT,
  SPENT_UP,
} from './claim-counts'
import { GRACE_MS } from './settlements'
import { THIS_MONTH, usedOf, WIDER_TIMES, widerOf, within } from './usage'

/** The `period` of a claim that takes a unit of its subject's month, in the statement that makes it. */
export const MONTHLY = 'month'

export type { Claim } from './claim-columns'

/** What the database saw of a claim when it took it, or did not. Claims before it in the same statement count as taken. */
export type ClaimFacts = {
  id: string
  won: boolean
  live: boolean
  current: boolean | null
  payerQueue: number
  payerMax: number
  partyQueue: number
  payerPaused: boolean
  /** It shares its transaction with no other payment. */
  alone: boolean
  /** For a payer that is new to a guarded party: such payments in flight. Else -1, below every bound. */
  aloneQueue: number
  affordable: boolean
  withinUnconfirmed: boolean
  spentUp: boolean
  /** `affordable` and `spentUp` of the budget that all keys that cost nothing share; other claims do not count against it. */
  freeAffordable: boolean
  freeSpentUp: boolean
  hasApprovals: boolean
  hasUnit: boolean
  /** Its subject's units were used up by the end of the statement. */
  spentQuota: boolean
  /** Of a won claim that took a unit: the month, and the units of its subject that are used. */
  month: string
  settlements: number | null
  verifications: number
}

/**
 * Writes the claims that the ledger and their limits allow, each intent once, takes their units, and reports what it saw of each. When units
 * that it saw are gone by the time they are taken, nothing is done (`isOutOfUnits`).
 */
export function writeClaims(db: Db, claims: readonly Claim[]): Promise<ClaimFacts[]> {
  // In the order of intents, so that two instances never deadlock. Each payer and party is counted once.
  const asked = claims.toSorted((a, b) => Buffer.compare(a.intentKey, b.intentKey)).map(columnsOf)
  return db.query<ClaimFacts>`
    WITH asked AS MATERIALIZED (
      SELECT c.*,
        (row_number() OVER (PARTITION BY c."payer", c."network" ORDER BY c."at") - 1)::int AS "payerAhead",
        (row_number() OVER (PARTITION BY c."party", c."network" ORDER BY c."at") - 1)::int AS "partyAhead",
        (row_number() OVER (PARTITION BY c."freeBudget" IS NULL, c."network" ORDER BY c."at") - 1)::int AS "freeAhead",
        (row_number() OVER (PARTITION BY c."freeFrom", c."network" ORDER BY c."at") - 1)::int AS "blockAhead",
        c."period" = ${MONTHLY} AS "monthly", ${widerOf(sql`c."subject"`)} AS "wider",
        (row_number() OVER (PARTITION BY c."subject" ORDER BY c."at") - 1)::int AS "unitsAhead",
        COALESCE(sum(c."amount") FILTER (WHERE c."tier" = 'flash')
          OVER (PARTITION BY c."caller", c."network", c."asset" ORDER BY c."at" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS "unconfirmedAhead"
      FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS c(${ASKED})
    ), payers AS MATERIALIZED (
      SELECT q."payer", q."network", ${OF_PAYER} AS "queue", f."failing", f."failures", f."parties"
      FROM (SELECT "payer", "network", max("payerMax") AS "cap", max("horizonMs") AS "horizonMs" FROM asked GROUP BY "payer", "network") q,
        LATERAL (${FAILURES_EVERYWHERE}) f
    ), parties AS MATERIALIZED (
      SELECT q."party", q."network", ${OF_PARTY} AS "queue", ${ALONE_OF_PARTY} AS "aloneQueue", ${PARTY_FAILURES} >= q."guardAt" AS "guarded"
      FROM (SELECT "party", "network", max("partyMax") AS "cap", max("horizonMs") AS "horizonMs", max("aloneMax") AS "aloneMax",
        max("guardAt") AS "guardAt" FROM asked GROUP BY "party", "network") q
    ), "inFlight" AS MATERIALIZED (${FREE_IN_FLIGHT}
    ), preconfirmations AS MATERIALIZED (
      SELECT q."caller", q."network", q."asset", ${PROMISED} AS "unconfirmed"
      FROM (SELECT "caller", "network", "asset", max("horizonMs") AS "horizonMs" FROM asked WHERE "unconfirmedMax" IS NOT NULL GROUP BY "caller", "network", "asset") q
    ), counted AS MATERIALIZED (
      SELECT a.*, t."plan", t."historyEnabled",
        t."id" IS NOT NULL AND t."revokedAt" IS NULL AND (a."keyId" IS NULL OR ${KEY_LIVES}) AS "live",
        a."keyId" IS NULL OR t."version" = a."keyVersion" AS "current",
        p."queue" + a."payerAhead" AS "payerQueue", m."queue" + a."partyAhead" AS "partyQueue", m."aloneQueue" AS "aloneQueued",
        CASE WHEN m."guarded" THEN LEAST(a."payerMax", a."guardedPayerMax") ELSE a."payerMax" END AS "payerBound",
        ${FAILURES_HERE} >= a."failuresMax" OR (p."failures" >= a."failuresEverywhere" AND p."parties" >= a."failuresParties") AS "payerPaused",
        p."failing", m."guarded" AND NOT ${HAS_PAID} AS "newcomer",
        ${SPENT} AS "spent", ${HAS_APPROVALS} AS "hasApprovals", w."freeSpent", w."freeQueue", w."blockSpent", w."blockQueue",
        a."unconfirmedMax" IS NULL OR a."amount" + a."unconfirmedAhead" + COALESCE(f."unconfirmed", 0) <= a."unconfirmedMax" AS "withinUnconfirmed",
        ${usedOf(sql`a."subject"`, 'settlement')} AS "settlementsBefore", ${HAS_WIDER} AS "hasWider"
      FROM asked a JOIN payers p USING ("payer", "network") JOIN parties m USING ("party", "network")
        LEFT JOIN preconfirmations f USING ("caller", "network", "asset")
        LEFT JOIN LATERAL (${FREE}) w ON true LEFT JOIN "Tenant" t ON t."id" = a."tenantId"
    ), judged AS (
      SELECT *, ${AFFORDABLE} AS "affordable", ${SPENT_UP} AS "spentUp", ${FREE_AFFORDABLE} AS "freeAffordable", ${FREE_SPENT_UP} AS "freeSpentUp",
        NOT "monthly" OR ("settlementsBefore" + "unitsAhead" < "unitsMax" AND "hasWider") AS "hasUnit",
        "failing" OR "newcomer" OR NOT "shares" AS "alone",
        CASE WHEN "newcomer" THEN "aloneQueued" + (row_number() OVER (PARTITION BY "party", "network", "newcomer" ORDER BY "at") - 1)::int ELSE -1 END AS "aloneQueue"
      FROM counted
    ), won AS (
      INSERT INTO "Settlement" ("id", "intentKey", "requestHash", "tenantId", "caller", "party", "freeFrom", "alone", "newcomer", "subject", "period", "returnCap", "plan", "logged", "tier",
        "laneClass", "queuedBy", "network", "asset", "symbol", "payer", "payTo", "amount", "resource", "credits", "transfer", "declared", "effects", "expiresAt", "waiter", "waiterUntil", "nextCheckAt",
        "waitUntil", "paymentIdentifier")
      SELECT "id", "intentKey", "requestHash", "tenantId", "caller", "party", "freeFrom", "alone", "newcomer", "subject",
        CASE WHEN "monthly" THEN ${THIS_MONTH} ELSE "period" END, "returnCap", "plan", "historyEnabled", "tier",
        "laneClass", "queuedBy", "network", "asset", "symbol", "payer", "payTo", "amount", "resource", "credits", "transfer", "declared", "effects", "expiresAt", "waiter",
        now() + ("deadlineMs" + ${GRACE_MS}::int) * interval '1 ms', now() + "deadlineMs" * interval '1 ms', "waitUntil", "paymentIdentifier"
      FROM judged
      WHERE "live" AND "current" AND "hasUnit" AND "affordable" AND "freeAffordable" AND "hasApprovals" AND "withinUnconfirmed" AND "payerQueue" < "payerBound" AND "partyQueue" < "partyMax"
        AND NOT "payerPaused" AND "aloneQueue" < "aloneMax"
      ORDER BY "at"
      ON CONFLICT ("intentKey") WHERE "state" NOT IN ('REJECTED', 'UNPAID') DO NOTHING
      RETURNING "id"
    ), metered AS MATERIALIZED (
      SELECT "id", "at", "subject", "wider", "unitsMax" FROM won JOIN judged USING ("id") WHERE "monthly"
    ), units AS MATERIALIZED (
      SELECT "subject", false AS "wide", count(*)::int AS "count", min("unitsMax")::bigint AS "limit" FROM metered GROUP BY "subject"
      UNION ALL
      SELECT "wider", true, count(*)::int, ${WIDER_TIMES}::bigint * min("unitsMax") FROM metered WHERE "wider" IS NOT NULL GROUP BY "wider"
    ), taken AS (
      INSERT INTO "Usage" AS u ("subject", "meter", "period", "used")
      SELECT "subject", 'settlement', ${THIS_MONTH}, ${within(sql`"count"`, sql`"limit"`)} FROM units ORDER BY "wide", "subject"
      ON CONFLICT ("subject", "meter", "period") DO UPDATE SET "used" = ${within(sql`u."used" + EXCLUDED."used"`, LIMIT)}
      RETURNING "subject", "used"
    ), paid AS MATERIALIZED (
      SELECT "id", t."used" - (count(*) OVER (PARTITION BY "subject"))::int + (row_number() OVER (PARTITION BY "subject" ORDER BY "at"))::int AS "settlements"
      FROM metered JOIN taken t USING ("subject")
    )
    SELECT "id", "id" IN (SELECT "id" FROM won) AS "won", "live", "current", "payerQueue", "payerBound" AS "payerMax", "partyQueue",
      "payerPaused", "alone", "aloneQueue", "affordable", "spentUp", "freeAffordable", "freeSpentUp", "hasApprovals", "withinUnconfirmed", "hasUnit",
      "monthly" AND COALESCE(t."used", "settlementsBefore") >= "unitsMax" AS "spentQuota", ${THIS_MONTH} AS "month", "settlements", CASE WHEN "monthly" THEN ${usedOf(sql`judged."subject"`, 'verification')} ELSE 0 END AS "verifications"
    FROM judged LEFT JOIN paid USING ("id") LEFT JOIN taken t USING ("subject")`
}

const LIMIT = sql`(SELECT q."limit" FROM units q WHERE q."subject" = u."subject")`

/** Whether the key `k` opens anything: not revoked, and not past the grace period after its rotation. */
export const isLive = sql`k."revokedAt" IS NULL AND (k."graceUntil" IS NULL OR k."graceUntil" > now())`

const KEY_LIVES = sql`EXISTS (SELECT 1 FROM "ApiKey" k WHERE k."id" = a."keyId" AND k."tenantId" = a."tenantId" AND ${isLive})`
