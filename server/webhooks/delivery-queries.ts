import type { Owner } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { join, pruning, type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'
import { type DeliveryState, deliveryStates, type FilterState } from './delivery-states'
import { TEST_EVENT } from './events'
import { triedFor } from './queue-queries'

/** A line of the log. `nextAt` is null once it has ended. */
export type DeliveryRow = {
  id: string
  endpointId: string
  /** The endpoint's current URL, and whether it was removed. */
  url: string
  removed: boolean
  type: string
  settlementId: string | null
  state: DeliveryState
  tries: number
  lastStatus: number | null
  lastError: string | null
  createdAt: Date
  nextAt: Date | null
  endedAt: Date | null
  /** The payload, if stored. */
  body: string | null
  /** Whether the settlement is in a history. */
  kept: boolean
}

/** A delivery with each try, newest first. `answer` is the beginning of the response body, as long as it is kept. */
export type WholeDelivery = DeliveryRow & {
  attempts: { no: number; at: Date; status: number | null; error: string | null; milliseconds: number; answer: string | null }[]
}

/**
 * How the deliveries of an endpoint went: the newest one, how many failed in the last 24 hours or are failing now, of the newest ones
 * that ended in 24 hours how many arrived, with the milliseconds that half and 95% of the answers took at most, and the tries of each of the
 * last 24 hours with any, oldest first.
 */
export type EndpointHealth = {
  id: string
  last: { id: string; state: DeliveryState; at: string; status: number | null; error: string | null } | null
  failures: number
  day: { ended: number; delivered: number; median: number | null; p95: number | null }
  hours: { hour: string; good: number; bad: number }[]
}

/** The filters of the log; all must match. */
export type DeliveryFilter = {
  endpointId?: string | undefined
  state?: FilterState | undefined
  type?: string | undefined
  settlementId?: string | undefined
}

const COLUMNS = sql`d."id", d."endpointId", w."url", w."removedAt" IS NOT NULL AS "removed", d."type", d."settlementId", d."state",
  d."tries", d."lastStatus", d."lastError", d."createdAt", CASE d."state" WHEN 'pending' THEN d."nextAt" END AS "nextAt", d."endedAt",
  d."body", d."kept"`
const FROM = sql`"WebhookDelivery" d JOIN "WebhookEndpoint" w ON w."id" = d."endpointId"`
const of = ({ kind, id }: Owner) => sql`d."ownerKind" = ${kind} AND d."ownerId" = ${id}`
// The condition of a partial index.
const UNDELIVERED = sql`d."state" <> 'delivered'`

/** Deliveries of an owner, newest first, from the one after `cursor` (an id) on. */
export function listDeliveries(
  db: Db,
  owner: Owner,
  { endpointId, state, type, settlementId }: DeliveryFilter,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<DeliveryRow[]> {
  const conditions = [
    of(owner),
    ...(endpointId === undefined ? [] : [sql`d."endpointId" = ${endpointId}::uuid`]),
    // The literal repeats the parameter, so that PostgreSQL uses the partial index.
    ...(state === undefined || state === 'undelivered' ? [] : [sql`d."state" = ${state}`]),
    ...(state === undefined || state === 'delivered' ? [] : [UNDELIVERED]),
    ...(type === undefined ? [] : [sql`d."type" = ${type}`]),
    ...(settlementId === undefined ? [] : [sql`d."settlementId" = ${settlementId}::uuid`]),
    ...(cursor === null ? [] : [sql`d."id" < ${cursor}::uuid`]),
  ]
  return db.queryUnprepared<DeliveryRow>`
    SELECT ${COLUMNS} FROM ${FROM} WHERE ${join(conditions, ' AND ')} ORDER BY d."id" DESC LIMIT ${limit}`
}

/** The newest deliveries that a tally reads. */
const TALLIED_MAX = 10_000

/** How the deliveries of a filter went. `more`: there are older ones that were not read. */
export type DeliveryTally = { counts: Record<DeliveryState, number>; more: boolean }

/** Counts the deliveries of a filter by their state: of the newest `most` that an index finds. */
export async function tallyDeliveries(
  db: Db,
  owner: Owner,
  { endpointId, state, type, settlementId }: DeliveryFilter,
  most = TALLIED_MAX,
): Promise<DeliveryTally> {
  const found = [
    of(owner),
    ...(endpointId === undefined ? [] : [sql`d."endpointId" = ${endpointId}::uuid`]),
    ...(state === undefined || state === 'delivered' ? [] : [UNDELIVERED]),
    ...(settlementId === undefined ? [] : [sql`d."settlementId" = ${settlementId}::uuid`]),
  ]
  const wanted = [
    sql`n."no" <= ${most}::int`,
    ...(state === undefined || state === 'undelivered' ? [] : [sql`n."state" = ${state}`]),
    ...(type === undefined ? [] : [sql`n."type" = ${type}`]),
  ]
  const rows = await db.queryUnprepared<{ state: DeliveryState; count: number; read: number }>`
    SELECT n."state", count(*) FILTER (WHERE ${join(wanted, ' AND ')})::int AS "count", (sum(count(*)) OVER ())::int AS "read" FROM (
      SELECT d."state", d."type", row_number() OVER (ORDER BY d."id" DESC) AS "no" FROM "WebhookDelivery" d
      WHERE ${join(found, ' AND ')} ORDER BY d."id" DESC LIMIT ${most + 1}::int
    ) n GROUP BY 1`
  const countIn = (state: DeliveryState) => rows.find((row) => row.state === state)?.count ?? 0
  return {
    counts: { pending: countIn('pending'), delivered: countIn('delivered'), failed: countIn('failed') },
    more: (rows[0]?.read ?? 0) > most,
  }
}

/** The newest undelivered messages of an owner that are counted. */
const UNDELIVERED_MAX = 1_000

/** The newest deliveries of an endpoint whose answers are summed. */
const SUMMED_MAX = 500

/** How the deliveries of each endpoint of an owner went. */
export function readHealth(db: Db, { kind, id }: Owner): Promise<EndpointHealth[]> {
  return db.queryUnprepared<EndpointHealth>`
    WITH undelivered AS MATERIALIZED (
      SELECT d."endpointId", d."state", d."failures", d."endedAt" FROM "WebhookDelivery" d
      WHERE ${of({ kind, id })} AND ${UNDELIVERED} ORDER BY d."id" DESC LIMIT ${UNDELIVERED_MAX}::int
    )
    SELECT w."id", (
      SELECT json_build_object('id', d."id", 'state', d."state", 'at', d."createdAt", 'status', d."lastStatus", 'error', d."lastError")
      FROM "WebhookDelivery" d WHERE d."endpointId" = w."id" ORDER BY d."id" DESC LIMIT 1
    ) AS "last", (
      SELECT count(*)::int FROM undelivered u WHERE u."endpointId" = w."id" AND u."failures" > 0
        AND (u."state" = 'pending' OR u."endedAt" > now() - interval '24 hours')
    ) AS "failures", (
      SELECT json_build_object('ended', count(*) FILTER (WHERE n."state" = 'delivered' OR n."state" = 'failed' AND n."failures" > 0),
        'delivered', count(*) FILTER (WHERE n."state" = 'delivered'), 'median', percentile_disc(0.5) WITHIN GROUP (ORDER BY a."milliseconds"),
        'p95', percentile_disc(0.95) WITHIN GROUP (ORDER BY a."milliseconds"))
      FROM (
        SELECT d."id", d."state", d."tries", d."failures", d."endedAt" FROM "WebhookDelivery" d
        WHERE d."endpointId" = w."id" ORDER BY d."id" DESC LIMIT ${SUMMED_MAX}::int
      ) n LEFT JOIN "WebhookAttempt" a ON a."deliveryId" = n."id" AND a."no" = n."tries" AND a."status" IS NOT NULL
      WHERE n."endedAt" > now() - interval '24 hours'
    ) AS "day", (
      SELECT COALESCE(json_agg(json_build_object('hour', h."hour", 'good', h."good", 'bad', h."bad") ORDER BY h."hour"), '[]')
      FROM "WebhookHour" h WHERE h."endpointId" = w."id" AND h."hour" > date_trunc('hour', now(), 'UTC') - interval '24 hours'
    ) AS "hours"
    FROM "WebhookEndpoint" w WHERE w."ownerKind" = ${kind} AND w."ownerId" = ${id} AND w."removedAt" IS NULL`
}

/**
 * The newest `limit` deliveries of an owner that are failing now or failed in the last 24 hours, and how many there are: among its newest
 * 1,000 undelivered ones.
 */
export async function listFailing(db: Db, owner: Owner, limit: number): Promise<{ deliveries: DeliveryRow[]; count: number }> {
  const rows = await db.queryUnprepared<DeliveryRow & { count: number }>`
    WITH undelivered AS MATERIALIZED (
      SELECT d."id" FROM "WebhookDelivery" d WHERE ${of(owner)} AND ${UNDELIVERED} ORDER BY d."id" DESC LIMIT ${UNDELIVERED_MAX}::int
    )
    SELECT ${COLUMNS}, (count(*) OVER ())::int AS "count" FROM undelivered u JOIN ${FROM} ON d."id" = u."id"
    WHERE (d."state" = 'pending' AND ${HAS_FAILED}) OR (d."state" = 'failed' AND d."failures" > 0 AND d."endedAt" > now() - interval '24 hours')
    ORDER BY d."id" DESC LIMIT ${limit}::int`
  return { deliveries: rows.map(({ count: _, ...row }) => row), count: rows[0]?.count ?? 0 }
}

/** The maximum tries shown per delivery: it has a dozen, unless it was resent. */
const ATTEMPTS_MAX = 100

/** A delivery of this owner; null when none has this id. */
export async function findDelivery(db: Db, owner: Owner, id: string): Promise<WholeDelivery | null> {
  const found = await db.webhookDelivery.findUnique({
    where: { id, ownerKind: owner.kind, ownerId: owner.id },
    select: {
      id: true,
      endpointId: true,
      type: true,
      settlementId: true,
      body: true,
      kept: true,
      state: true,
      tries: true,
      lastStatus: true,
      lastError: true,
      createdAt: true,
      nextAt: true,
      endedAt: true,
      endpoint: { select: { url: true, removedAt: true } },
      attempts: {
        orderBy: { no: 'desc' },
        take: ATTEMPTS_MAX,
        select: { no: true, at: true, status: true, error: true, milliseconds: true, answer: { select: { text: true } } },
      },
    },
  })
  if (!found) return null
  const { endpoint, nextAt, ...row } = found
  const attempts = row.attempts.map(({ answer, ...attempt }) => ({ ...attempt, answer: answer?.text ?? null }))
  const state = deliveryStates.find((known) => known === row.state) ?? 'pending'
  const removed = endpoint.removedAt !== null
  return { ...row, attempts, state, url: endpoint.url, removed, nextAt: state === 'pending' ? nextAt : null }
}

// Its last result is a failure.
const HAS_FAILED = sql`(d."lastError" IS NOT NULL OR d."lastStatus" NOT BETWEEN 200 AND 299)`

// Its last try has no result yet, and a worker still has time to record it.
const IN_FLIGHT = sql`d."tries" > 0 AND d."nextAt" > now()
  AND NOT EXISTS (SELECT 1 FROM "WebhookAttempt" a WHERE a."deliveryId" = d."id" AND a."no" = d."tries")`

const beginning = (type: string): Sql => sql`"state" = 'pending', "nextAt" = now(), "endedAt" = NULL,
  "failures" = CASE d."state" WHEN 'pending' THEN GREATEST(d."failures" - 1, 0) ELSE 0 END,
  "until" = CASE d."state" WHEN 'pending' THEN d."until" ELSE now() + ${triedFor(type)} END`

/**
 * Makes a delivery of this owner due now, under its own id. One that ended is retried for another day; a test is tried once. One that is
 * being retried keeps its deadline, and a further failure leads to the pause that it waits for now. False when it is in flight, has no
 * stored payload, its endpoint is disabled, or it had `most` tries.
 */
export async function beginAgain(
  within: Statements,
  owner: Owner,
  { id, type }: Pick<DeliveryRow, 'id' | 'type'>,
  most: number,
): Promise<boolean> {
  const begun = await within.execute`
    UPDATE "WebhookDelivery" d SET ${beginning(type)} FROM "WebhookEndpoint" w
    WHERE w."id" = d."endpointId" AND w."disabledAt" IS NULL AND ${of(owner)} AND d."id" = ${id}::uuid
      AND (d."state" <> 'pending' OR NOT (${IN_FLIGHT})) AND d."body" IS NOT NULL AND d."tries" < ${most}::int`
  return begun === 1
}

/** What to send again: undelivered payments and alerts of an owner from a time on, to one endpoint or all. */
export type UndeliveredSince = { since: Date; endpointId?: string | undefined }

const CLOCKS_MS = 60_000

// The deliveries that `beginAgain` takes, but for tests and for those that are due or in flight anyway.
function resendable(owner: Owner, { since, endpointId }: UndeliveredSince, most: number): Sql {
  const conditions = [
    of(owner),
    UNDELIVERED,
    // Ids begin with their time, by the clock of an instance.
    sql`d."id" >= ${firstIdAt(new Date(since.getTime() - CLOCKS_MS))}::uuid AND d."createdAt" >= ${since}`,
    ...(endpointId === undefined ? [] : [sql`d."endpointId" = ${endpointId}::uuid`]),
    sql`d."type" <> ${TEST_EVENT} AND d."body" IS NOT NULL AND d."tries" < ${most}::int AND w."disabledAt" IS NULL`,
    sql`(d."state" = 'failed' OR (${HAS_FAILED} AND d."nextAt" > now() AND NOT (${IN_FLIGHT})))`,
  ]
  return sql`${FROM} WHERE ${join(conditions, ' AND ')}`
}

// The lowest UUID of version 7 of a time.
function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** How many deliveries `beginAllAgain` would take; at most 1,000 are counted. */
export async function countResendable(db: Db, owner: Owner, which: UndeliveredSince, most: number): Promise<number> {
  const [row] = await db.queryUnprepared<{ count: number }>`
    SELECT count(*)::int AS "count" FROM (SELECT 1 FROM ${resendable(owner, which, most)} LIMIT ${UNDELIVERED_MAX}::int) found`
  return row?.count ?? 0
}

/**
 * Makes up to `limit` undelivered messages due now, newest first, from the one after `cursor` on: as `beginAgain` does. Returns how many,
 * and the last one; rows that a worker records at this moment are left out.
 */
export async function beginAllAgain(
  within: Statements,
  owner: Owner,
  which: UndeliveredSince,
  { most, limit, cursor }: { most: number; limit: number; cursor: string | null },
): Promise<{ begun: number; last: string | null }> {
  const before = cursor === null ? sql`true` : sql`d."id" < ${cursor}::uuid`
  const [row] = await within.query<{ begun: number; last: string | null }>`
    WITH page AS MATERIALIZED (
      SELECT d."id" FROM ${resendable(owner, which, most)} AND ${before}
      ORDER BY d."id" DESC LIMIT ${limit}::int FOR UPDATE OF d SKIP LOCKED
    ), begun AS (
      UPDATE "WebhookDelivery" d SET ${beginning('')} FROM page WHERE d."id" = page."id" RETURNING d."id"
    )
    SELECT (SELECT count(*)::int FROM begun) AS "begun", (SELECT "id" FROM begun ORDER BY "id" LIMIT 1) AS "last"`
  return row ?? { begun: 0, last: null }
}

/** Deletes some deliveries that are 30 days old, with their tries. Returns how many. */
export const pruneDeliveries = pruning(sql`"WebhookDelivery"`, sql`"id"`, sql`"createdAt"`, sql`now() - interval '30 days'`)

/** Deletes some counts of hours that no chart shows any more. Returns how many. */
export const pruneHours = pruning(sql`"WebhookHour"`, sql`"endpointId", "hour"`, sql`"hour"`, sql`now() - interval '2 days'`)
