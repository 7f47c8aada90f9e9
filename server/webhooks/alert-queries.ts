import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../db/database'
import { pruning, type Sql, sql } from '../db/sql'
import { THIS_MONTH } from '../ledger/statements/usage'
import { LISTED_DAYS } from '../x402/listing-url'
import { type AlertEvent, type ListingEvent, listingEvents, SIGNER_ALERT } from './events'
import { triedFor } from './queue-queries'

/** An owner with endpoints, in the order of pages. */
export type AlertedOwner = { ownerKind: string; ownerId: string }

/** What an owner used of one of its monthly quotas; `settlementQuota` where it differs from the plan's. */
export type QuotaUse = AlertedOwner & {
  subject: string
  /** The key, where the quota is of one key only. */
  tenantId: string | null
  plan: string
  settlementQuota: number | null
  used: number
  period: string
}

const listeningTo = (events: readonly (AlertEvent | ListingEvent)[], after: AlertedOwner | null, limit: number) => sql`
  SELECT DISTINCT w."ownerKind", w."ownerId" FROM "WebhookEndpoint" w
  WHERE w."disabledAt" IS NULL AND ${[...events]}::text[] && w."events"
    AND (w."ownerKind", w."ownerId") > (${after?.ownerKind ?? ''}, ${after?.ownerId ?? ''})
  ORDER BY 1, 2 LIMIT ${limit}::int`

/** The used quotas of some owners that listen to alerts of quotas, those after one of them. */
export async function readQuotaUses(
  db: Db,
  after: AlertedOwner | null,
  limit: number,
): Promise<{ uses: QuotaUse[]; last: AlertedOwner | null }> {
  const rows = await db.query<AlertedOwner & { [K in keyof Omit<QuotaUse, keyof AlertedOwner>]: QuotaUse[K] | null }>`
    SELECT o."ownerKind", o."ownerId", q."subject", q."tenantId", q."plan", q."settlementQuota", u."used", ${THIS_MONTH} AS "period"
    FROM (${listeningTo(['alert.quota'], after, limit)}) o
    LEFT JOIN LATERAL (
      SELECT DISTINCT ON (1) CASE WHEN t."ownQuota" THEN 'tenant:' || t."id" ELSE 'owner:' || t."ownerKind" || ':' || t."ownerId" || ':' || t."plan" END AS "subject",
        CASE WHEN t."ownQuota" THEN t."id" END AS "tenantId", t."plan", t."settlementQuota"
      FROM "Tenant" t WHERE t."ownerKind" = o."ownerKind" AND t."ownerId" = o."ownerId" AND t."revokedAt" IS NULL
      ORDER BY 1, t."settlementQuota" DESC NULLS LAST
    ) q ON true
    LEFT JOIN "Usage" u ON u."subject" = q."subject" AND u."meter" = 'settlement' AND u."period" = ${THIS_MONTH}
    ORDER BY o."ownerKind", o."ownerId", q."subject"`
  const uses = rows.filter((row): row is QuotaUse => row.subject !== null && row.used !== null)
  return { uses, last: lastOwner(rows) }
}

/** The prepaid credits of a wallet of which little is left, in an environment. */
export type LowCredits = AlertedOwner & { environment: string; purchased: number; left: number }

/** The low credits of some wallets that listen to alerts of credits, those after one of them. Under a tenth is low, as on the agent's screen. */
export async function readLowCredits(
  db: Db,
  after: AlertedOwner | null,
  limit: number,
): Promise<{ low: LowCredits[]; last: AlertedOwner | null }> {
  const rows = await db.query<AlertedOwner & { environment: string | null; purchased: number; left: number }>`
    SELECT o."ownerKind", o."ownerId", c."environment", c."purchased"::float8 AS "purchased", (c."purchased" - c."used")::float8 AS "left"
    FROM (${listeningTo(['alert.credits'], after, limit)}) o
    LEFT JOIN "CreditAccount" c ON o."ownerKind" = 'wallet' AND c."wallet" = o."ownerId" AND (c."purchased" - c."used") * 10 < c."purchased"
    ORDER BY o."ownerKind", o."ownerId", c."environment"`
  return { low: rows.filter((row): row is LowCredits => row.environment !== null), last: lastOwner(rows) }
}

/** How an owner's newest payments of an hour went, at most so many; `reason` is the most frequent one. */
export type FailureCount = AlertedOwner & { total: number; failed: number; reason: string | null }

/** The failures of some owners that listen to alerts of failures, those after one of them. */
export async function readFailureCounts(
  db: Db,
  after: AlertedOwner | null,
  limit: number,
  rowsMax: number,
): Promise<{ counts: FailureCount[]; last: AlertedOwner | null }> {
  const counts = await db.queryUnprepared<FailureCount>`
    SELECT o."ownerKind", o."ownerId", f."total", f."failed", f."reason"
    FROM (${listeningTo(['alert.failure_rate'], after, limit)}) o
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS "total", count(*) FILTER (WHERE NOT n."success")::int AS "failed",
        mode() WITHIN GROUP (ORDER BY n."errorReason") FILTER (WHERE NOT n."success") AS "reason"
      FROM (
        SELECT h."success", h."errorReason" FROM "History" h WHERE h."ownerKind" = o."ownerKind" AND h."ownerId" = o."ownerId"
          AND h."plan" <> 'agent' AND h."createdAt" >= now() - interval '1 hour' ORDER BY h."createdAt" DESC, h."id" DESC LIMIT ${rowsMax}::int
      ) n
    ) f ORDER BY o."ownerKind", o."ownerId"`
  return { counts, last: lastOwner(counts) }
}

/** What happened to an entry of an owner in the catalog, and when. */
export type ListingNews = AlertedOwner & {
  kind: ListingEvent
  at: Date
  id: string
  environment: string
  url: string
  tenantId: string
  /** When the entry expires without another payment; of one that was taken, when that was. */
  until: Date
}

const EXPIRING_DAYS = 7

/**
 * What happened to the entries of some owners that listen to it within a day, those after one of them, where no alert was raised. Entries
 * that expire within seven days count for all that time.
 */
export async function readListingNews(
  db: Db,
  after: AlertedOwner | null,
  limit: number,
  eachMax: number,
): Promise<{ news: ListingNews[]; last: AlertedOwner | null }> {
  const rows = await db.query<AlertedOwner & (Omit<ListingNews, keyof AlertedOwner> | { id: null })>`
    SELECT o."ownerKind", o."ownerId", n.* FROM (${listeningTo(listingEvents, after, limit)}) o
    LEFT JOIN LATERAL (
      SELECT e."kind", e."at", r."id", r."environment", r."url", t."id" AS "tenantId", r."lastSeen" + make_interval(days => ${LISTED_DAYS}::int) AS "until"
      FROM "Tenant" t JOIN "Resource" r ON r."owner" = 'tenant:' || t."id"
      CROSS JOIN LATERAL (VALUES
        ('listing.listed', r."firstSeen", r."firstSeen" > now() - interval '1 day'),
        ('listing.changed', ${changedAt}, ${changedAt} > now() - interval '1 day'),
        ('listing.expiring', r."lastSeen", r."lastSeen" < now() - make_interval(days => ${LISTED_DAYS - EXPIRING_DAYS}::int)
          AND r."lastSeen" > now() - make_interval(days => ${LISTED_DAYS}::int))
      ) AS e("kind", "at", "holds")
      WHERE t."ownerKind" = o."ownerKind" AND t."ownerId" = o."ownerId" AND e."holds"
        AND NOT EXISTS (SELECT 1 FROM "Alert" a WHERE a."kind" = e."kind" AND a."subject" = r."id"::text AND a."period" = ${momentOf(sql`e."at"`)})
      UNION ALL
      SELECT 'listing.taken', r."firstSeen", r."id", r."environment", r."url", t."id", r."firstSeen"
      FROM "Tenant" t JOIN "Resource" r ON r."takenFrom" = 'tenant:' || t."id"
      WHERE t."ownerKind" = o."ownerKind" AND t."ownerId" = o."ownerId" AND r."firstSeen" > now() - interval '1 day'
        AND NOT EXISTS (
          SELECT 1 FROM "Tenant" now WHERE now."ownerKind" = o."ownerKind" AND now."ownerId" = o."ownerId" AND r."owner" = 'tenant:' || now."id")
        AND NOT EXISTS (SELECT 1 FROM "Alert" a WHERE a."kind" = 'listing.taken' AND a."subject" = r."id"::text AND a."period" = ${momentOf(sql`r."firstSeen"`)})
      LIMIT ${eachMax}::int
    ) n ON true
    ORDER BY o."ownerKind", o."ownerId", n."at", n."id"`
  return { news: rows.filter((row): row is ListingNews => row.id !== null), last: lastOwner(rows) }
}

/**
 * How far the trouble of a channel is: its payer asked to withdraw; half of the delay is over; all of it is, so that any block may take the
 * rest; or what is charged cannot be claimed.
 */
type Stage = 'withdrawal_seen' | 'half_of_delay' | 'delay_over' | 'unclaimable'

/** A channel of an owner in trouble. `deadline`: when its payer can withdraw; null without a withdrawal. `unclaimed` in atomic units. */
export type ChannelTrouble = AlertedOwner & {
  id: string
  network: string
  tenantId: string
  stage: Stage
  period: string
  payer: string
  token: string
  unclaimed: string
  deadline: Date | null
  /** The error of the contract with which a claim would fail. */
  reason: string | null
}

/** The channels in trouble of some owners that listen to alerts of channels, those after one of them, where no alert was raised. */
export async function readChannelAlerts(
  db: Db,
  after: AlertedOwner | null,
  limit: number,
  eachMax: number,
): Promise<{ alerts: ChannelTrouble[]; last: AlertedOwner | null }> {
  const rows = await db.query<AlertedOwner & (Omit<ChannelTrouble, keyof AlertedOwner> | { id: null })>`
    SELECT o."ownerKind", o."ownerId", n.* FROM (${listeningTo(['alert.channel'], after, limit)}) o
    LEFT JOIN LATERAL (
      SELECT c."id", c."network", c."tenantId", e."stage", e."period", c."payer", c."token", e."unclaimed"::text AS "unclaimed",
        c."withdrawAt" + e."delay" AS "deadline", c."unclaimable" AS "reason"
      FROM "Tenant" t JOIN "Channel" c ON c."tenantId" = t."id" AND (c."withdrawAt" IS NOT NULL OR c."unclaimable" IS NOT NULL)
      CROSS JOIN LATERAL (
        SELECT GREATEST(c."charged" - c."claimed", 0) AS "unclaimed", (c."config"->>'withdrawDelay')::bigint * interval '1 second' AS "delay"
      ) d CROSS JOIN LATERAL (
        SELECT d.*, CASE WHEN c."unclaimable" IS NOT NULL THEN c."unclaimable" || ' ' || c."claimed" ELSE extract(epoch FROM c."withdrawAt")::bigint::text END AS "period",
          CASE WHEN d."unclaimed" > 0 AND c."unclaimable" IS NOT NULL THEN 'unclaimable'
            WHEN d."unclaimed" > 0 AND c."withdrawAt" + d."delay" <= now() THEN 'delay_over'
            WHEN d."unclaimed" > 0 AND c."withdrawAt" + d."delay" / 2 <= now() THEN 'half_of_delay'
            WHEN c."withdrawAt" IS NOT NULL THEN 'withdrawal_seen' END AS "stage"
      ) e
      WHERE t."ownerKind" = o."ownerKind" AND t."ownerId" = o."ownerId" AND e."stage" IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM "Alert" a WHERE a."kind" = 'alert.channel'
          AND a."subject" = c."network" || ' ' || c."id" || ' ' || e."stage" AND a."period" = e."period")
      LIMIT ${eachMax}::int
    ) n ON true
    ORDER BY o."ownerKind", o."ownerId", n."id"`
  return { alerts: rows.filter((row): row is ChannelTrouble => row.id !== null), last: lastOwner(rows) }
}

// Of the entry or one of its ways to pay. Both have the time of one transaction.
const changedAt = sql`
  GREATEST(r."changedAt", (SELECT max(a."changedAt") FROM "ResourceAccept" a WHERE a."resourceId" = r."id" AND a."owner" = r."owner"))`

/** A moment in milliseconds, as the period of an alert. */
const momentOf = (at: Sql) => sql`(extract(epoch FROM ${at}) * 1000)::bigint::text`

function lastOwner(rows: readonly AlertedOwner[]): AlertedOwner | null {
  const last = rows.at(-1)
  return last ? { ownerKind: last.ownerKind, ownerId: last.ownerId } : null
}

/** An alert: raised once for its subject and period, to the owner's endpoints that listen. */
export type Alert = {
  kind: AlertEvent | ListingEvent | typeof SIGNER_ALERT
  subject: string
  period: string
  owner: AlertedOwner
  /** The key that it is about: endpoints limited to other keys do not hear it. Default: all. */
  tenantId?: string | null
  body: string
}

// More than an owner can have.
const ENDPOINTS_MAX = 32

/** Writes the deliveries of an alert, unless it was raised before. Returns whether it is new. */
export async function raiseAlert(db: Db, { kind, subject, period, owner, tenantId = null, body }: Alert): Promise<boolean> {
  const ids = Array.from({ length: ENDPOINTS_MAX }, () => uuidv7())
  const rows = await db.query<unknown>`
    WITH fresh AS (
      INSERT INTO "Alert" ("kind", "subject", "period") VALUES (${kind}, ${subject}, ${period}) ON CONFLICT DO NOTHING RETURNING 1
    ), listening AS (
      SELECT w."id", w."ownerKind", w."ownerId", row_number() OVER (ORDER BY w."id") AS "no"
      FROM fresh, "WebhookEndpoint" w WHERE w."ownerKind" = ${owner.ownerKind} AND w."ownerId" = ${owner.ownerId}
        AND w."disabledAt" IS NULL AND ${kind} = ANY(w."events")
        AND (w."tenantIds" = '{}' OR ${tenantId}::uuid IS NULL OR ${tenantId}::uuid = ANY(w."tenantIds"))
    ), told AS (
      INSERT INTO "WebhookDelivery" ("id", "endpointId", "ownerKind", "ownerId", "type", "body", "until")
      SELECT made."id", l."id", l."ownerKind", l."ownerId", ${kind}, ${body}, now() + ${triedFor(kind)}
      FROM listening l JOIN unnest(${ids}::uuid[]) WITH ORDINALITY AS made("id", "no") USING ("no")
    )
    SELECT 1 FROM fresh`
  return rows.length === 1
}

/** The operator's endpoint, which no merchant sees. */
export const OPERATOR_ENDPOINT = '00000000-0000-4000-8000-000000000a1e'
/** The owner of the operator's endpoint. */
export const OPERATOR: AlertedOwner = { ownerKind: 'system', ownerId: 'operator' }

/** Stores where the operator gets alerts; null switches them off. */
export async function keepOperatorEndpoint(
  db: Db,
  receiver: { url: string; secretFor: (endpointId: string) => Uint8Array<ArrayBuffer> } | null,
): Promise<void> {
  if (receiver === null) {
    await db.execute`UPDATE "WebhookEndpoint" SET "disabledAt" = now() WHERE "id" = ${OPERATOR_ENDPOINT}::uuid AND "disabledAt" IS NULL`
    return
  }
  const secret = receiver.secretFor(OPERATOR_ENDPOINT)
  await db.execute`
    INSERT INTO "WebhookEndpoint" ("id", "ownerKind", "ownerId", "url", "events", "secret")
    VALUES (${OPERATOR_ENDPOINT}::uuid, ${OPERATOR.ownerKind}, ${OPERATOR.ownerId}, ${receiver.url}, ${[SIGNER_ALERT]}::text[], ${secret})
    ON CONFLICT ("id") DO UPDATE SET "url" = EXCLUDED."url", "secret" = EXCLUDED."secret", "disabledAt" = NULL, "gone" = false`
}

/** Deletes some alerts that are too old to be raised again. Returns how many. */
export const pruneAlerts = pruning(sql`"Alert"`, sql`"kind", "subject", "period"`, sql`"at"`, sql`now() - interval '40 days'`)
