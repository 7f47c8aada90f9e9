import type { Prisma } from '../../generated/prisma/client'
import { holdOwner } from '../accounts/key-queries'
import type { Owner } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { type Sql, sql } from '../db/sql'
import { type WebhookEvent, webhookEvents } from './events'

/** The owner's settings of an endpoint. An empty list of tenants means all of the owner's. */
export type EndpointSettings = { url: string; events: readonly WebhookEvent[]; tenantIds: readonly string[] }

/** An endpoint as its owner sees it, never with a secret. */
export type EndpointRow = {
  id: string
  url: string
  events: WebhookEvent[]
  tenantIds: string[]
  createdAt: Date
  disabledAt: Date | null
  /** Whether its receiver answered 410 Gone and so disabled it. */
  gone: boolean
  /** Until when the previous secret signs too; null: it does not. */
  graceUntil: Date | null
}

/** Why a delivery ended without a try. */
export const SWITCHED_OFF = 'the endpoint was switched off'

const COLUMNS = sql`"id", "url", "events", "tenantIds", "createdAt", "disabledAt", "gone",
  CASE WHEN "graceUntil" > now() THEN "graceUntil" END AS "graceUntil"`
const of = ({ kind, id }: Owner) => sql`"ownerKind" = ${kind} AND "ownerId" = ${id} AND "removedAt" IS NULL`
const one = (owner: Owner, id: string) => sql`${of(owner)} AND "id" = ${id}::uuid`

// The condition `of` for the typed client.
const its = ({ kind, id }: Owner) => ({ ownerKind: kind, ownerId: id, removedAt: null })
const select = {
  id: true,
  url: true,
  events: true,
  tenantIds: true,
  createdAt: true,
  disabledAt: true,
  gone: true,
  graceUntil: true,
} as const
type Stored = Prisma.WebhookEndpointGetPayload<{ select: typeof select }>

const shown = ({ graceUntil, events, ...row }: Stored): EndpointRow => ({
  ...row,
  events: webhookEvents.filter((event) => events.includes(event)),
  graceUntil: graceUntil && graceUntil > new Date() ? graceUntil : null,
})

/** The endpoints of an owner, newest first. */
export async function listEndpoints(db: Db, owner: Owner): Promise<EndpointRow[]> {
  const rows = await db.webhookEndpoint.findMany({ where: its(owner), orderBy: { id: 'desc' }, select })
  return rows.map(shown)
}

/** An endpoint of this owner; null when none has this id. */
export async function findEndpoint(db: Db, owner: Owner, id: string): Promise<EndpointRow | null> {
  const row = await db.webhookEndpoint.findUnique({ where: { id, ...its(owner) }, select })
  return row && shown(row)
}

/** Whether an owner has a live tenant, to charge or to pay. */
export async function hasLiveTenant(db: Db, { kind, id }: Owner): Promise<boolean> {
  const live = await db.tenant.findFirst({ where: { ownerKind: kind, ownerId: id, revokedAt: null }, select: { id: true } })
  return live !== null
}

/** Creates an endpoint; false when its owner has `most` already, also under concurrency. */
export async function createEndpoint(
  db: Db,
  owner: Owner,
  endpoint: EndpointSettings & { id: string; secret: Uint8Array<ArrayBuffer> },
  most: number,
): Promise<boolean> {
  const { id, url, events, tenantIds, secret } = endpoint
  return db.transaction(async (within) => {
    await holdOwner(within, owner)
    const made = await within.execute`
      INSERT INTO "WebhookEndpoint" ("id", "ownerKind", "ownerId", "url", "events", "tenantIds", "secret")
      SELECT ${id}::uuid, ${owner.kind}, ${owner.id}, ${url}, ${[...events]}::text[], ${[...tenantIds]}::uuid[], ${secret}
      WHERE (SELECT count(*) FROM "WebhookEndpoint" WHERE ${of(owner)}) < ${most}::int`
    return made === 1
  })
}

/** Changes the named settings only. Null when the owner has no endpoint with this id. */
export async function changeEndpoint(
  db: Db,
  owner: Owner,
  id: string,
  { url, events, tenantIds }: Partial<EndpointSettings>,
): Promise<EndpointRow | null> {
  const data = {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: [...events] }),
    ...(tenantIds === undefined ? {} : { tenantIds: [...tenantIds] }),
  }
  // Prisma would write no row when nothing is named, and return none.
  if (Object.keys(data).length === 0) return findEndpoint(db, owner, id)
  const [row] = await db.webhookEndpoint.updateManyAndReturn({ where: { id, ...its(owner) }, data, select })
  return row ? shown(row) : null
}

/** Enables an endpoint. Null when the owner has none with this id. */
export async function enableEndpoint(db: Db, owner: Owner, id: string): Promise<EndpointRow | null> {
  const data = { disabledAt: null, gone: false }
  const [row] = await db.webhookEndpoint.updateManyAndReturn({ where: { id, ...its(owner) }, data, select })
  return row ? shown(row) : null
}

/** Ends the pending deliveries of `silenced`, an expression of endpoint ids. */
export const endedWith = (silenced: Sql) => sql`
  UPDATE "WebhookDelivery" d SET "state" = 'failed', "lastError" = ${SWITCHED_OFF}, "endedAt" = now(),
    "body" = CASE WHEN d."kept" THEN d."body" END, "settlementId" = CASE WHEN d."kept" THEN d."settlementId" END
  FROM ${silenced} WHERE d."endpointId" = ${silenced}."id" AND d."state" = 'pending'`

/** Disables an endpoint and ends its pending deliveries. Null when the owner has none with this id. */
export async function disableEndpoint(db: Db, owner: Owner, id: string): Promise<EndpointRow | null> {
  const [row] = await db.query<EndpointRow>`
    WITH silenced AS (
      UPDATE "WebhookEndpoint" SET "disabledAt" = COALESCE("disabledAt", now()) WHERE ${one(owner, id)} RETURNING *
    ), ended AS (${endedWith(sql`silenced`)})
    SELECT ${COLUMNS} FROM silenced`
  return row ?? null
}

/** Removes an endpoint; its deliveries stay in the log for their time. False when the owner has none with this id. */
export async function removeEndpoint(db: Db, owner: Owner, id: string): Promise<boolean> {
  const rows = await db.query<unknown>`
    WITH silenced AS (
      UPDATE "WebhookEndpoint" SET "removedAt" = now(), "disabledAt" = COALESCE("disabledAt", now()), "secret" = '', "earlier" = NULL
      WHERE ${one(owner, id)} RETURNING "id"
    ), ended AS (${endedWith(sql`silenced`)})
    SELECT 1 FROM silenced`
  return rows.length === 1
}

/** Stores a new secret; the previous one signs too for the grace period. Null when the owner has no endpoint with this id. */
export async function rotateEndpoint(
  db: Db,
  owner: Owner,
  id: string,
  secret: Uint8Array<ArrayBuffer>,
  graceSeconds: number,
): Promise<EndpointRow | null> {
  const [row] = await db.query<EndpointRow>`
    UPDATE "WebhookEndpoint" SET "earlier" = "secret", "secret" = ${secret}, "graceUntil" = now() + ${graceSeconds}::int * interval '1 s'
    WHERE ${one(owner, id)} RETURNING ${COLUMNS}`
  return row ?? null
}

/** Deletes some removed endpoints without deliveries. Returns how many. */
export async function pruneEndpoints(db: Db, limit: number): Promise<number> {
  return db.execute`
    DELETE FROM "WebhookEndpoint" WHERE "id" IN (
      SELECT w."id" FROM "WebhookEndpoint" w
      WHERE w."removedAt" < now() - interval '1 hour' AND NOT EXISTS (SELECT 1 FROM "WebhookDelivery" d WHERE d."endpointId" = w."id")
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}
