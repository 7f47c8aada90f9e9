import { Prisma } from '../../generated/prisma/client'
import type { Db } from '../db/database'
import type { WebhookEvent } from '../x402/webhook-events'

/** The owner of endpoints. */
export type EndpointOwner = { kind: 'oidc'; id: string }

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

const COLUMNS = Prisma.sql`"id", "url", "events", "tenantIds", "createdAt", "disabledAt", "gone",
  CASE WHEN "graceUntil" > now() THEN "graceUntil" END AS "graceUntil"`
const of = ({ kind, id }: EndpointOwner) => Prisma.sql`"ownerKind" = ${kind} AND "ownerId" = ${id} AND "removedAt" IS NULL`
const one = (owner: EndpointOwner, id: string) => Prisma.sql`${of(owner)} AND "id" = ${id}::uuid`

/** The endpoints of an owner, newest first. */
export function listEndpoints(db: Db, owner: EndpointOwner): Promise<EndpointRow[]> {
  return db.$queryRaw<EndpointRow[]>`SELECT ${COLUMNS} FROM "WebhookEndpoint" WHERE ${of(owner)} ORDER BY "id" DESC`
}

/** An endpoint of this owner; null when none has this id. */
export async function findEndpoint(db: Db, owner: EndpointOwner, id: string): Promise<EndpointRow | null> {
  const [row] = await db.$queryRaw<EndpointRow[]>`SELECT ${COLUMNS} FROM "WebhookEndpoint" WHERE ${one(owner, id)}`
  return row ?? null
}

/** Creates an endpoint; false when its owner has `most` already, also under concurrency. */
export async function createEndpoint(
  db: Db,
  owner: EndpointOwner,
  endpoint: EndpointSettings & { id: string; secret: Uint8Array<ArrayBuffer> },
  most: number,
): Promise<boolean> {
  const { id, url, events, tenantIds, secret } = endpoint
  // Locked by its own statement, so that the last one sees the endpoint of a concurrent creator.
  const [, , made] = await db.$transaction([
    db.$executeRaw`INSERT INTO "Owner" ("kind", "id") VALUES (${owner.kind}, ${owner.id}) ON CONFLICT DO NOTHING`,
    db.$queryRaw`SELECT 1 FROM "Owner" WHERE "kind" = ${owner.kind} AND "id" = ${owner.id} FOR UPDATE`,
    db.$executeRaw`
      INSERT INTO "WebhookEndpoint" ("id", "ownerKind", "ownerId", "url", "events", "tenantIds", "secret")
      SELECT ${id}::uuid, ${owner.kind}, ${owner.id}, ${url}, ${[...events]}::text[], ${[...tenantIds]}::uuid[], ${secret}
      WHERE (SELECT count(*) FROM "WebhookEndpoint" WHERE ${of(owner)}) < ${most}::int`,
  ])
  return made === 1
}

/** Changes the named settings only. Null when the owner has no endpoint with this id. */
export async function changeEndpoint(
  db: Db,
  owner: EndpointOwner,
  id: string,
  { url, events, tenantIds }: Partial<EndpointSettings>,
): Promise<EndpointRow | null> {
  const [row] = await db.$queryRaw<EndpointRow[]>`
    UPDATE "WebhookEndpoint" SET "url" = COALESCE(${url ?? null}, "url"),
      "events" = ${events ? Prisma.sql`${[...events]}::text[]` : Prisma.sql`"events"`},
      "tenantIds" = ${tenantIds ? Prisma.sql`${[...tenantIds]}::uuid[]` : Prisma.sql`"tenantIds"`}
    WHERE ${one(owner, id)} RETURNING ${COLUMNS}`
  return row ?? null
}

/** Enables an endpoint. Null when the owner has none with this id. */
export async function enableEndpoint(db: Db, owner: EndpointOwner, id: string): Promise<EndpointRow | null> {
  const [row] = await db.$queryRaw<EndpointRow[]>`
    UPDATE "WebhookEndpoint" SET "disabledAt" = NULL, "gone" = false WHERE ${one(owner, id)} RETURNING ${COLUMNS}`
  return row ?? null
}

/** Ends the pending deliveries of `silenced`, an expression of endpoint ids. */
export const endedWith = (silenced: Prisma.Sql) => Prisma.sql`
  UPDATE "WebhookDelivery" d SET "state" = 'failed', "lastError" = ${SWITCHED_OFF}, "endedAt" = now(),
    "body" = CASE WHEN d."kept" THEN d."body" END, "settlementId" = CASE WHEN d."kept" THEN d."settlementId" END
  FROM ${silenced} WHERE d."endpointId" = ${silenced}."id" AND d."state" = 'pending'`

/** Disables an endpoint and ends its pending deliveries. Null when the owner has none with this id. */
export async function disableEndpoint(db: Db, owner: EndpointOwner, id: string): Promise<EndpointRow | null> {
  const [row] = await db.$queryRaw<EndpointRow[]>`
    WITH silenced AS (
      UPDATE "WebhookEndpoint" SET "disabledAt" = COALESCE("disabledAt", now()) WHERE ${one(owner, id)} RETURNING *
    ), ended AS (${endedWith(Prisma.sql`silenced`)})
    SELECT ${COLUMNS} FROM silenced`
  return row ?? null
}

/** Removes an endpoint; its deliveries stay in the log for their time. False when the owner has none with this id. */
export async function removeEndpoint(db: Db, owner: EndpointOwner, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH silenced AS (
      UPDATE "WebhookEndpoint" SET "removedAt" = now(), "disabledAt" = COALESCE("disabledAt", now()), "secret" = '', "earlier" = NULL
      WHERE ${one(owner, id)} RETURNING "id"
    ), ended AS (${endedWith(Prisma.sql`silenced`)})
    SELECT 1 FROM silenced`
  return rows.length === 1
}

/** Stores a new secret; the previous one signs too for the grace period. Null when the owner has no endpoint with this id. */
export async function rotateEndpoint(
  db: Db,
  owner: EndpointOwner,
  id: string,
  secret: Uint8Array<ArrayBuffer>,
  graceSeconds: number,
): Promise<EndpointRow | null> {
  const [row] = await db.$queryRaw<EndpointRow[]>`
    UPDATE "WebhookEndpoint" SET "earlier" = "secret", "secret" = ${secret}, "graceUntil" = now() + ${graceSeconds}::int * interval '1 s'
    WHERE ${one(owner, id)} RETURNING ${COLUMNS}`
  return row ?? null
}

/** How many of these tenants belong to the owner. */
export async function countOwnTenants(db: Db, owner: EndpointOwner, tenantIds: readonly string[]): Promise<number> {
  return db.tenant.count({ where: { id: { in: [...tenantIds] }, ownerKind: owner.kind, ownerId: owner.id } })
}

/** Deletes some removed endpoints without deliveries. Returns how many. */
export async function pruneEndpoints(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "WebhookEndpoint" WHERE "id" IN (
      SELECT w."id" FROM "WebhookEndpoint" w
      WHERE w."removedAt" < now() - interval '1 hour' AND NOT EXISTS (SELECT 1 FROM "WebhookDelivery" d WHERE d."endpointId" = w."id")
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}
