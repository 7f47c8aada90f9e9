import type { TenantFilter } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { outboxKinds } from '../db/outbox'
import { sql } from '../db/sql'
import { CLAIMED_HERE } from '../payments/channels/stored-queries'
import { tenantCondition } from '../sums/stored-queries'
import { storedAddress } from '../x402/addresses'
import type { Environment } from '../x402/networks/networks'

/** A lane row, with the number of its nonces that no block holds, and whether its holder can send with it now. */
type LaneFigures = {
  network: string
  class: string
  address: string
  nextNonce: bigint | null
  unconfirmed: number
  leased: boolean
  quarantined: boolean
}

/** Every lane that ever existed. */
export function readLaneFigures(db: Db): Promise<LaneFigures[]> {
  return db.queryUnprepared<LaneFigures>`
    SELECT l."network", l."class", l."address", l."nextNonce", l."usable" AND l."leaseUntil" > now() AS "leased",
      l."status" = 'quarantined' AS "quarantined",
      (SELECT count(*)::int FROM "Slot" s WHERE s."laneId" = l."id" AND s."state" = 'open') AS "unconfirmed"
    FROM "Lane" l ORDER BY 1, 3`
}

/** Seconds since the oldest due effect of each kind was due; 0 without one. */
export function readOutboxLag(db: Db): Promise<{ kind: string; seconds: number }[]> {
  return db.queryUnprepared<{ kind: string; seconds: number }>`
    SELECT k."kind", COALESCE((
      SELECT extract(epoch FROM now() - o."nextAt") FROM "Outbox" o
      WHERE o."kind" = k."kind" AND o."doneAt" IS NULL AND o."nextAt" <= now() ORDER BY o."nextAt", o."id" LIMIT 1
    ), 0)::float AS "seconds"
    FROM unnest(${[...outboxKinds]}::text[]) AS k("kind")`
}

const DAYS_MAX = 10_000

/** Tenant days without a rollup, counted to 10,000, and the seconds since the end of the oldest; 0 without one. */
export async function readRollupLag(db: Db): Promise<{ days: number; seconds: number }> {
  const [row] = await db.queryUnprepared<{ days: number; seconds: number }>`
    SELECT count(*)::int AS "days",
      COALESCE(extract(epoch FROM (now() AT TIME ZONE 'UTC') - (min("day") + 1)), 0)::float AS "seconds"
    FROM (
      SELECT "day" FROM "RollupDay" WHERE "state" = 'dirty' AND "day" < (now() AT TIME ZONE 'UTC')::date ORDER BY "day" LIMIT ${DAYS_MAX}
    ) due`
  return row ?? { days: 0, seconds: 0 }
}

/** The gas cost of the UTC day, by network and by whether this sandbox tenant spent it: digits of the smallest unit. */
export function readGasToday(db: Db, sandboxTenant: string): Promise<{ network: string; sandbox: boolean; spent: string }[]> {
  return db.queryUnprepared<{ network: string; sandbox: boolean; spent: string }>`
    SELECT "network", "tenantId" = ${sandboxTenant}::uuid AS "sandbox", sum("spent")::text AS "spent"
    FROM "SponsorSpend" WHERE "day" = (now() AT TIME ZONE 'UTC')::date GROUP BY 1, 2`
}

/** The database's clock, milliseconds since 1970. */
export async function readClock(db: Db): Promise<number> {
  const [row] = await db.queryUnprepared<{ at: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float AS "at"`
  if (!row) throw new Error('the database did not return its time')
  return row.at
}

/** The version of PostgreSQL. */
export async function readVersion(db: Db): Promise<string> {
  const [row] = await db.queryUnprepared<{ version: string }>`SELECT current_setting('server_version') AS "version"`
  return row?.version ?? 'unknown'
}

/** Whether the table of migrations exists. */
export async function hasMigrations(db: Db): Promise<boolean> {
  const [row] = await db.queryUnprepared<{ there: boolean }>`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS "there"`
  return row?.there === true
}

/** The completed migrations. */
export async function readMigrations(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.queryUnprepared<{ name: string }>`
    SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL AND "rolled_back_at" IS NULL`
  return new Set(rows.map(({ name }) => name))
}

/** The queue of a network: claims to sign, signed and perhaps sent, and the time of the oldest claim. */
export type QueueRow = { network: string; claimed: number; prepared: number; broadcast: number; oldest: Date }

/** A settlement that has been in flight for too long. */
export type StuckRow = {
  id: string
  network: string
  state: 'CLAIMED' | 'PREPARED' | 'BROADCAST'
  tenantId: string
  payer: string
  /** Digits of atomic units. */
  amount: string
  symbol: string
  createdAt: Date
}

/** The gas cost of a network and class in its smallest unit as digits, over so many UTC days; the last is not over. */
export type SpendRow = { network: string; sandbox: boolean; spent: string; days: number }

// As the partial index of callers has it, so that finished rows are never read.
const ON_ITS_WAY = sql`"state" IN ('CLAIMED', 'PREPARED', 'BROADCAST')`

/** The queue of every network; networks without one are left out. */
export function readQueues(db: Db): Promise<QueueRow[]> {
  return db.queryUnprepared<QueueRow>`
    SELECT "network", count(*) FILTER (WHERE "state" = 'CLAIMED')::int AS "claimed",
      count(*) FILTER (WHERE "state" = 'PREPARED')::int AS "prepared",
      count(*) FILTER (WHERE "state" = 'BROADCAST')::int AS "broadcast", min("createdAt") AS "oldest"
    FROM "Settlement" WHERE ${ON_ITS_WAY} GROUP BY "network" ORDER BY "network"`
}

/** How many channels of a network have unclaimed vouchers, and of them how many payers withdraw and how many cannot be claimed. */
export type ChannelFigures = { network: string; unclaimed: number; withdrawing: number; unclaimable: number }

/** The figures of each network that has such channels. */
export function readChannelFigures(db: Db): Promise<ChannelFigures[]> {
  return db.queryUnprepared<ChannelFigures>`
    SELECT "network", count(*)::int AS "unclaimed", count(*) FILTER (WHERE "withdrawAt" IS NOT NULL)::int AS "withdrawing",
      count(*) FILTER (WHERE "unclaimable" IS NOT NULL)::int AS "unclaimable"
    FROM "Channel" c WHERE "charged" > "claimed" AND ${CLAIMED_HERE} GROUP BY 1 ORDER BY 1`
}

/** Settlements in flight for more than so many seconds, oldest first. */
export function readStuck(db: Db, { seconds, limit }: { seconds: number; limit: number }): Promise<StuckRow[]> {
  return db.queryUnprepared<StuckRow>`
    SELECT "id", "network", "state", "tenantId", "payer", "amount"::text AS "amount", "symbol", "createdAt"
    FROM "Settlement" WHERE ${ON_ITS_WAY} AND "createdAt" < now() - ${seconds}::int * interval '1 second'
    ORDER BY "createdAt", "id" LIMIT ${limit}`
}

/** How many lanes wait for an operator to release them. */
export async function readQuarantined(db: Db): Promise<number> {
  const [row] = await db.queryUnprepared<{ count: number }>`
    SELECT count(*)::int AS "count" FROM "Lane" WHERE "status" = 'quarantined'`
  return row?.count ?? 0
}

/** An enabled webhook endpoint whose deliveries fail and are tried again; `waiting` is counted to 1,000. */
export type FailingWebhook = { id: string; ownerId: string; host: string; waiting: number; since: Date }

const WAITING_MAX = 1_000
/** Endpoints with deliveries in the queue that are looked at. */
const QUEUES_MAX = 500

/** Webhook endpoints with pending deliveries that failed twice or more, longest first. Delivered messages are never read. */
export function readFailingWebhooks(db: Db, limit: number): Promise<FailingWebhook[]> {
  const next = sql`ORDER BY d."endpointId" LIMIT 1`
  const waits = sql`d."state" = 'pending'`
  // From endpoint to endpoint, as the worker takes them.
  return db.queryUnprepared<FailingWebhook>`
    WITH RECURSIVE queued AS (
      (SELECT d."endpointId", 1 AS "no" FROM "WebhookDelivery" d WHERE ${waits} ${next})
      UNION ALL
      SELECT n."endpointId", q."no" + 1 FROM queued q CROSS JOIN LATERAL (
        SELECT d."endpointId" FROM "WebhookDelivery" d WHERE ${waits} AND d."endpointId" > q."endpointId" ${next}
      ) n WHERE q."no" < ${QUEUES_MAX}::int
    )
    SELECT w."id", w."ownerId", substring(w."url" from '^[a-z]+://([^/?#]+)') AS "host", f."waiting", f."since"
    FROM queued q JOIN "WebhookEndpoint" w ON w."id" = q."endpointId" AND w."disabledAt" IS NULL CROSS JOIN LATERAL (
      SELECT count(*)::int AS "waiting", min(p."createdAt") AS "since" FROM (
        SELECT d."createdAt", d."failures" FROM "WebhookDelivery" d WHERE d."endpointId" = w."id" AND ${waits} LIMIT ${WAITING_MAX}
      ) p WHERE p."failures" > 1
    ) f WHERE f."waiting" > 0 ORDER BY f."since", w."id" LIMIT ${limit}`
}

/** The gas cost of the last UTC days, today included, by network and by whether this sandbox tenant spent it. */
export function readSpend(db: Db, sandboxTenant: string, days: number): Promise<SpendRow[]> {
  // Counted from the first day with a cost, so that a new service does not seem thrifty.
  return db.queryUnprepared<SpendRow>`
    SELECT "network", "tenantId" = ${sandboxTenant}::uuid AS "sandbox", sum("spent")::text AS "spent",
      (now() AT TIME ZONE 'UTC')::date - min("day") + 1 AS "days"
    FROM "SponsorSpend" WHERE "day" > (now() AT TIME ZONE 'UTC')::date - ${days}::int
    GROUP BY 1, 2`
}

/** The gas cost of some tenants on UTC days, both included, by network: digits of its smallest unit. */
export function readGas(
  db: Db,
  asked: { filter: TenantFilter; networks: readonly string[]; first: string; last: string },
): Promise<{ network: string; spent: string }[]> {
  const { filter, networks, first, last } = asked
  const whose =
    filter.owner || filter.tenantId ? sql`"tenantId" IN (SELECT "id" FROM "Tenant" WHERE ${tenantCondition(filter)})` : sql`true`
  return db.queryUnprepared<{ network: string; spent: string }>`
    SELECT "network", sum("spent")::text AS "spent" FROM "SponsorSpend"
    WHERE "day" >= ${first}::date AND "day" <= ${last}::date AND "network" = ANY(${networks}::text[]) AND ${whose}
    GROUP BY 1 HAVING sum("spent") > 0 ORDER BY 1`
}

/** Credits sold in a span less those taken back, and what was paid for them: digits of atomic units. Of one wallet, or of all. */
export async function readCreditSales(
  db: Db,
  asked: { wallet: string | null; environment: Environment; from: number; until: number },
): Promise<{ credits: string; paid: string }> {
  const { wallet, environment, from, until } = asked
  const whose = wallet === null ? sql`true` : sql`e."wallet" = ${storedAddress(wallet)}`
  const [row] = await db.queryUnprepared<{ credits: string; paid: string }>`
    SELECT COALESCE(sum(e."delta"), 0)::text AS "credits",
      COALESCE(sum(CASE WHEN e."kind" = 'purchase' THEN s."amount" ELSE -s."amount" END), 0)::text AS "paid"
    FROM "CreditEntry" e JOIN "Settlement" s ON s."id" = e."settlementId"
    WHERE e."environment" = ${environment} AND e."createdAt" >= ${new Date(from)}::timestamptz AND e."createdAt" < ${new Date(until)}::timestamptz
      AND ${whose}`
  if (!row) throw new Error('the database did not answer')
  return row
}
