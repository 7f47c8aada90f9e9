import { Prisma } from '../../generated/prisma/client'
import type { Claim } from './claims'
import type { Db } from './database'
import { isLive } from './keys'
import { GRACE_MS } from './settlements'
import { TODAY } from './spend'

/** What the database saw of a claim when it took it, or did not. Those before it in the same statement count as taken. */
export type ClaimFacts = {
  id: string
  won: boolean
  live: boolean
  current: boolean | null
  payerQueue: number
  callerQueue: number
  payerFailures: number
  affordable: boolean
  promisable: boolean
  spentUp: boolean
}

// A validBefore of 2^256 - 1 is legal; the column is a 64-bit integer and the year 292 billion is late enough.
const FAR_FUTURE = 2n ** 63n - 1n

const QUEUED = Prisma.sql`('CLAIMED', 'PREPARED', 'BROADCAST')`

/** Everything of a claim, as columns of one statement. */
const ASKED = Prisma.sql`
  "at" int, "id" uuid, "intentKey" bytea, "requestHash" bytea, "tenantId" uuid, "keyId" uuid, "keyVersion" int, "caller" text, "subject" text,
  "period" text, "returnCap" int, "tier" text, "laneClass" text, "queuedBy" text, "network" text, "asset" text, "payer" text, "payTo" text,
  "amount" numeric, "resource" text, "credits" int, "transfer" jsonb, "declared" jsonb, "effects" text[], "expiresAt" bigint, "waiter" text,
  "deadlineMs" int, "payerMax" int, "callerMax" int, "failuresMax" int, "gasBudget" numeric, "gasEach" numeric, "promisedMax" numeric`

/** Writes the claims that the ledger and their limits allow, each intent once, and says of each what it saw. */
export function writeClaims(db: Db, claims: readonly Claim[]): Promise<ClaimFacts[]> {
  // By intent, so that two instances never wait for each other crosswise. Queues are counted once for all of a payer or caller.
  const asked = claims.toSorted((a, b) => Buffer.compare(a.intentKey, b.intentKey)).map(columnsOf)
  return db.$queryRaw<ClaimFacts[]>`
    WITH asked AS MATERIALIZED (
      SELECT c.*,
        (row_number() OVER (PARTITION BY c."payer", c."network" ORDER BY c."at") - 1)::int AS "payerAhead",
        (row_number() OVER (PARTITION BY c."caller" ORDER BY c."at") - 1)::int AS "callerAhead",
        COALESCE(sum(c."amount") FILTER (WHERE c."tier" = 'flash')
          OVER (PARTITION BY c."caller" ORDER BY c."at" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS "promisedAhead"
      FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS c(${ASKED})
    ), payers AS MATERIALIZED (
      SELECT p."payer", p."network", ${ON_ITS_WAY} AS "queue", ${IN_VAIN} AS "failures"
      FROM (SELECT "payer", "network", max("payerMax") AS "cap", max("failuresMax") AS "failuresCap" FROM asked GROUP BY "payer", "network") p
    ), callers AS MATERIALIZED (
      SELECT c."caller", ${OF_CALLER} AS "queue", CASE WHEN c."promises" THEN ${PROMISED} END AS "promised"
      FROM (SELECT "caller", max("callerMax") AS "cap", bool_or("promisedMax" IS NOT NULL) AS "promises" FROM asked GROUP BY "caller") c
    ), counted AS MATERIALIZED (
      SELECT a.*, t."plan", t."historyEnabled",
        t."id" IS NOT NULL AND t."revokedAt" IS NULL AND (a."keyId" IS NULL OR ${KEY_LIVES}) AS "live",
        a."keyId" IS NULL OR t."version" = a."keyVersion" AS "current",
        p."queue" + a."payerAhead" AS "payerQueue", c."queue" + a."callerAhead" AS "callerQueue", p."failures" AS "payerFailures",
        COALESCE((${SPENT}), 0) AS "spent",
        a."promisedMax" IS NULL OR a."amount" + a."promisedAhead" + COALESCE(c."promised", 0) <= a."promisedMax" AS "promisable"
      FROM asked a JOIN payers p USING ("payer", "network") JOIN callers c USING ("caller") LEFT JOIN "Tenant" t ON t."id" = a."tenantId"
    ), judged AS (
      SELECT *, "spent" + "callerQueue" * "gasEach" < "gasBudget" AS "affordable", "spent" >= "gasBudget" AS "spentUp" FROM counted
    ), won AS (
      INSERT INTO "Settlement" ("id", "intentKey", "requestHash", "tenantId", "caller", "subject", "period", "returnCap", "plan", "logged", "tier",
        "laneClass", "queuedBy", "network", "asset", "payer", "payTo", "amount", "resource", "credits", "transfer", "declared", "effects", "expiresAt", "waiter", "waiterUntil", "nextCheckAt")
      SELECT "id", "intentKey", "requestHash", "tenantId", "caller", "subject", "period", "returnCap", "plan", "historyEnabled", "tier",
        "laneClass", "queuedBy", "network", "asset", "payer", "payTo", "amount", "resource", "credits", "transfer", "declared", "effects", "expiresAt", "waiter",
        now() + ("deadlineMs" + ${GRACE_MS}::int) * interval '1 ms', now() + "deadlineMs" * interval '1 ms'
      FROM judged
      WHERE "live" AND "current" AND "affordable" AND "promisable" AND "payerQueue" < "payerMax" AND "callerQueue" < "callerMax"
        AND "payerFailures" < "failuresMax"
      ORDER BY "at"
      ON CONFLICT ("intentKey") WHERE "state" <> 'REJECTED' DO NOTHING
      RETURNING "id"
    )
    SELECT "id", "id" IN (SELECT "id" FROM won) AS "won", "live", "current", "payerQueue", "callerQueue", "payerFailures", "affordable", "spentUp", "promisable" FROM judged`
}

// Counting stops at the cap: what lies beyond it does not matter.
const ON_ITS_WAY = Prisma.sql`(SELECT count(*)::int FROM (
  SELECT 1 FROM "Settlement" s WHERE s."payer" = p."payer" AND s."network" = p."network" AND s."state" IN ${QUEUED} LIMIT p."cap") counted)`

const OF_CALLER = Prisma.sql`(SELECT count(*)::int FROM (
  SELECT 1 FROM "Settlement" s WHERE s."caller" = c."caller" AND s."state" IN ${QUEUED} LIMIT c."cap") counted)`

// Each cost us a transaction: reverted, overtaken by another one, or mined without it even alone; in a batch it may have been another's doing.
const IN_VAIN = Prisma.sql`(SELECT count(*)::int FROM (
  SELECT 1 FROM "Settlement" s WHERE s."payer" = p."payer" AND s."network" = p."network" AND s."createdAt" > now() - interval '1 hour'
    AND (s."state" IN ('REVERTED', 'USED_ELSEWHERE') OR s."returns" > 1) AND s."laneClass" <> 'remote' LIMIT p."failuresCap") counted)`

const PROMISED = Prisma.sql`(SELECT COALESCE(sum(s."amount"), 0) FROM "Settlement" s
  WHERE s."caller" = c."caller" AND s."tier" = 'flash' AND s."state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED'))`

const KEY_LIVES = Prisma.sql`EXISTS (SELECT 1 FROM "ApiKey" k WHERE k."id" = a."keyId" AND k."tenantId" = a."tenantId" AND ${isLive})`

const SPENT = Prisma.sql`
  SELECT "spent" FROM "SponsorSpend" g WHERE g."day" = ${TODAY} AND g."tenantId" = a."tenantId" AND g."network" = a."network"`

function columnsOf({ key, limits, effects, ...claim }: Claim, at: number): Record<string, unknown> {
  const { id, tenantId, caller, subject, period, returnCap, tier, laneClass, queuedBy, network, asset, payer, payTo } = claim
  const { resource, transfer, declared, waiter, deadlineMs } = claim
  return {
    ...{ at, id, tenantId, caller, subject, period, returnCap, tier, laneClass, queuedBy, network, asset, payer, payTo },
    ...{ resource, transfer, declared, effects, waiter, deadlineMs },
    ...{ intentKey: bytes(claim.intentKey), requestHash: bytes(claim.requestHash) },
    ...{ keyId: key?.id, keyVersion: key?.version },
    ...{ amount: String(claim.amount), credits: String(claim.credits) },
    expiresAt: String(claim.expiresAt > FAR_FUTURE ? FAR_FUTURE : claim.expiresAt),
    ...{ payerMax: limits.payerQueue, callerMax: limits.callerQueue, failuresMax: limits.payerFailures },
    ...{ gasBudget: String(limits.gasBudget), gasEach: String(limits.gasEach), promisedMax: limits.promised?.toString() },
  }
}

/** The form in which PostgreSQL reads bytes from text. */
const bytes = (raw: Uint8Array) => `\\x${Buffer.from(raw).toString('hex')}`
