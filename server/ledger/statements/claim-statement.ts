import type { Db } from '../../db/database'
import { join, type Sql, sql, withoutDisk } from '../../db/sql'
import type { Guard } from '../guards/guard'
import { type BrokenLimit, guards } from '../guards/guards'
import { ASKED, type Claim, columnsOf } from './claim-columns'
import { GRACE_MS } from './settlements'
import { THIS_MONTH, usedOf, WIDER_TIMES, widerOf, within } from './usage'

/** The `period` of a claim that takes a unit of its subject's month, in the statement that makes it. */
export const MONTHLY = 'month'

export type { Claim } from './claim-columns'

/** What a claim breaks: its key or tenant is revoked, its settings changed since admission, its units are used up, or a limit. */
export type Broken = 'revoked' | 'changed' | 'quota' | BrokenLimit

/** What the database saw of a claim when it took it, or did not. Claims before it in the same statement count as taken. */
export type ClaimFacts = {
  id: string
  won: boolean
  /** The first condition that it does not meet; null when it meets all. */
  broken: Broken | null
  /** It shares its transaction with no other payment. */
  alone: boolean
  /** Its subject's units were used up by the end of the statement. */
  spentQuota: boolean
  /** Of a won claim that took a unit: the month, and the units of its subject that are used. */
  month: string
  settlements: number | null
  verifications: number
}

/** Whether the key `k` opens anything: not revoked, and not past the grace period after its rotation. */
export const isLive = sql`k."revokedAt" IS NULL AND (k."graceUntil" IS NULL OR k."graceUntil" > now())`

const KEY_LIVES = sql`EXISTS (SELECT 1 FROM "ApiKey" k WHERE k."id" = a."keyId" AND k."tenantId" = a."tenantId" AND ${isLive})`

// Read without a lock, so that a claim without a unit does not fail the statement for others. Taking the unit decides.
const HAS_WIDER = sql`(a."wider" IS NULL OR ${usedOf(sql`a."wider"`, 'settlement')} < ${WIDER_TIMES}::bigint * a."unitsMax")`

// The service claims and pays out for a tenant without its key, and closes its channels, also for one that ended. On Solana it charges again
// what the tenant charged before its end: its goods were delivered for that, and its payer signed for it.
const BY_SERVICE = sql`(a."keyId" IS NULL AND (a."kind" IN ('claim', 'sweep', 'close', 'reclaim')
  OR (a."kind" = 'payment' AND a."maximum" IS NOT NULL AND a."network" LIKE 'solana:%')))`

/** What a claim has to meet, in this order. */
const CONDITIONS: readonly { rejection: Broken; holds: Sql }[] = [
  { rejection: 'revoked', holds: sql`(a."open" OR ${BY_SERVICE}) AND (a."keyId" IS NULL OR ${KEY_LIVES})` },
  { rejection: 'changed', holds: sql`a."keyId" IS NULL OR a."version" = a."keyVersion"` },
  {
    rejection: 'quota',
    holds: sql`NOT a."monthly" OR (a."settlementsBefore" + a."unitsAhead" < a."unitsMax" AND ${HAS_WIDER})`,
  },
  ...guards,
]

const BROKEN = sql`CASE ${join(
  CONDITIONS.map(({ rejection, holds }) => sql`WHEN (${holds}) IS NOT TRUE THEN ${rejection}`),
  ' ',
)} END`

/** What all limits add at one place of the statement. */
const ofGuards = (piece: (guard: Guard) => Sql | undefined, separator: string) =>
  join(
    guards.flatMap((one) => piece(one) ?? []),
    separator,
  )

const COLUMNS = ofGuards(({ columns }) => columns, ', ')
const AHEAD = ofGuards(({ ahead }) => ahead, ', ')
const TABLES = ofGuards(({ table }) => table, ', ')
const PAYER_BOUNDS = ofGuards(({ perPayer }) => perPayer?.bounds, ', ')
const PAYER_COUNTS = ofGuards(({ perPayer }) => perPayer?.count, ', ')
const PARTY_BOUNDS = ofGuards(({ perParty }) => perParty?.bounds, ', ')
const PARTY_COUNTS = ofGuards(({ perParty }) => perParty?.count, ', ')
const JOINS = ofGuards((one) => one.join, ' ')
const FACTS = ofGuards(({ facts }) => facts, ', ')

/**
 * Writes the claims that the ledger and their limits allow, each intent once, takes their units, and reports what it saw of each. When units
 * that it saw are gone by the time they are taken, nothing is done (`isOutOfUnits`). Claims that are signed next do not wait for the disk:
 * bytes are only sent after `commitSlot` has, which takes everything before it along. Rows of channels are written with their claim; a channel
 * that a merchant's server keeps here is left to it. One on Solana is new, or none of its earlier deposits was signed.
 */
export function writeClaims(db: Db, claims: readonly Claim[]): Promise<ClaimFacts[]> {
  // In the order of intents, so that two instances never deadlock.
  const asked = claims.toSorted((a, b) => Buffer.compare(a.intentKey, b.intentKey)).map(columnsOf)
  return db.query<ClaimFacts>`
    WITH asked AS MATERIALIZED (
      SELECT c.*, c."period" = ${MONTHLY} AS "monthly", ${widerOf(sql`c."subject"`)} AS "wider",
        (row_number() OVER (PARTITION BY c."subject" ORDER BY c."at") - 1)::int AS "unitsAhead", ${AHEAD}
      FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS c(${ASKED}, ${COLUMNS})
    ), payers AS MATERIALIZED (
      SELECT q."payer", q."network", ${PAYER_COUNTS}
      FROM (SELECT "payer", "network", max("horizonMs") AS "horizonMs", ${PAYER_BOUNDS} FROM asked GROUP BY "payer", "network") q
    ), parties AS MATERIALIZED (
      SELECT q."party", q."network", ${PARTY_COUNTS}
      FROM (SELECT "party", "network", max("horizonMs") AS "horizonMs", ${PARTY_BOUNDS} FROM asked GROUP BY "party", "network") q
    ), ${TABLES}, counted AS MATERIALIZED (
      SELECT *, ${usedOf(sql`a."subject"`, 'settlement')} AS "settlementsBefore", ${FACTS}
      FROM asked a JOIN payers USING ("payer", "network") JOIN parties USING ("party", "network") ${JOINS}
        LEFT JOIN (SELECT "id" AS "tenantId", "plan", "historyEnabled", "version", "revokedAt" IS NULL AS "open" FROM "Tenant") t USING ("tenantId")
    ), judged AS (
      SELECT *, ${BROKEN} AS "broken", "failing" OR "newcomer" OR NOT "shares" AS "alone" FROM counted a
    ), won AS (
      INSERT INTO "Settlement" ("id", "kind", "intentKey", "requestHash", "tenantId", "caller", "party", "freeFrom", "alone", "newcomer", "subject", "period", "returnCap", "plan", "logged", "tier",
        "laneClass", "queuedBy", "network", "asset", "symbol", "payer", "payTo", "amount", "maximum", "sender", "resource", "credits", "transfer", "declared", "effects", "expiresAt", "waiter", "waiterUntil", "nextCheckAt",
        "waitUntil", "paymentIdentifier")
      SELECT "id", "kind", "intentKey", "requestHash", "tenantId", "caller", "party", "freeFrom", "alone", "newcomer", "subject",
        CASE WHEN "monthly" THEN ${THIS_MONTH} ELSE "period" END, "returnCap", "plan", "historyEnabled" AND "kind" = 'payment', "tier",
        "laneClass", "queuedBy", "network", "asset", "symbol", "payer", "payTo", "amount", "maximum", "sender", "resource", "credits", "transfer", "declared", "effects", "expiresAt", "waiter",
        now() + ("deadlineMs" + ${GRACE_MS}::int) * interval '1 ms', now() + "deadlineMs" * interval '1 ms', "waitUntil", "paymentIdentifier"
      FROM judged
      WHERE "broken" IS NULL
      ORDER BY "at"
      ON CONFLICT ("intentKey") WHERE "state" NOT IN ('REJECTED', 'UNPAID') DO NOTHING
      RETURNING "id"
    ), claimed AS (
      INSERT INTO "ChannelClaim" ("settlementId", "network", "channelId", "total", "signed")
      SELECT j."id", j."network", r."channelId", r."total", r."signed"
      FROM won JOIN judged j USING ("id")
        CROSS JOIN LATERAL jsonb_to_recordset(j."claimRows") AS r("channelId" text, "total" numeric, "signed" numeric)
    ), kept AS (
      INSERT INTO "Channel" AS c ("network", "id", "tenantId", "config", "payer", "receiver", "token", "signed", "signature")
      SELECT DISTINCT ON (j."network", r."id") j."network", r."id", j."tenantId", r."config", r."config"->>'payer', r."config"->>'receiver',
        r."config"->>'token', r."signed", r."signature"
      FROM won JOIN judged j USING ("id") CROSS JOIN LATERAL jsonb_to_record(j."channel")
        AS r("id" text, "config" jsonb, "signed" numeric, "signature" text)
      WHERE j."channel" IS NOT NULL
      ORDER BY 1, 2, r."signed" DESC
      ON CONFLICT ("network", "id") DO UPDATE SET "signed" = EXCLUDED."signed", "signature" = EXCLUDED."signature"
      WHERE NOT (c."stored" AND (c."deletedAt" IS NULL OR c."charged" > c."claimed"))
    ), opened AS (
      INSERT INTO "UptoChannel" ("network", "id", "tenantId", "depositId", "payer", "payTo", "asset", "tokenProgram", "feePayer", "authorizer",
        "maximum", "withdrawDelay", "openSlot", "expiresAt", "free", "claimKey")
      SELECT j."network", r."id", j."tenantId", j."id", j."payer", j."payTo", j."asset", r."tokenProgram", r."feePayer", r."authorizer",
        j."amount", r."withdrawDelay", r."openSlot", r."expiresAt", j."freeFrom" IS NOT NULL, decode(r."claimKey", 'hex')
      FROM won JOIN judged j USING ("id") CROSS JOIN LATERAL jsonb_to_record(j."opens")
        AS r("id" text, "tokenProgram" text, "feePayer" text, "authorizer" text, "withdrawDelay" int, "openSlot" bigint, "expiresAt" bigint, "claimKey" text)
      WHERE j."opens" IS NOT NULL
      ON CONFLICT ("network", "id") DO UPDATE SET "tenantId" = EXCLUDED."tenantId", "depositId" = EXCLUDED."depositId", "payer" = EXCLUDED."payer",
        "payTo" = EXCLUDED."payTo", "asset" = EXCLUDED."asset", "tokenProgram" = EXCLUDED."tokenProgram", "feePayer" = EXCLUDED."feePayer",
        "authorizer" = EXCLUDED."authorizer", "maximum" = EXCLUDED."maximum", "withdrawDelay" = EXCLUDED."withdrawDelay",
        "openSlot" = EXCLUDED."openSlot", "expiresAt" = EXCLUDED."expiresAt", "free" = EXCLUDED."free", "checkAt" = now(), "closedAt" = NULL,
        "createdAt" = now()
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
    SELECT "id", "id" IN (SELECT "id" FROM won) AS "won", "broken", "alone",
      "monthly" AND COALESCE(t."used", "settlementsBefore") >= "unitsMax" AS "spentQuota", ${THIS_MONTH} AS "month", "settlements",
      CASE WHEN "monthly" THEN ${usedOf(sql`judged."subject"`, 'verification')} ELSE 0 END AS "verifications"
    FROM judged LEFT JOIN paid USING ("id") LEFT JOIN taken t USING ("subject")
    WHERE ${claims.every(({ signedNext }) => signedNext) ? withoutDisk : sql`true`}`
}

const LIMIT = sql`(SELECT q."limit" FROM units q WHERE q."subject" = u."subject")`
