import { holdOwner } from '../accounts/key-queries'
import type { Db } from '../db/database'
import { type Sql, sql } from '../db/sql'
import type { WebhookEvent } from '../x402/webhook-events'

/** Whose endpoints they are. */
export type EndpointOwner = { kind: 'oidc'; id: string }

/** What an owner decides about an endpoint. An empty list of tenants means all of the owner's. */
export type EndpointSettings = { url: string; events: readonly WebhookEvent[]; tenantIds: readonly string[] }

/** An endpoint as its owner sees it, never with a secret. */
export type EndpointRow = {
  id: string
  url: string
  events: WebhookEvent[]
  tenantIds: string[]
  createdAt: Date
  disabledAt: Date | null
  /** Its receiver said that it is gone: nobody else switched it off. */
  gone: boolean
  /** Until when the secret before the last rotation signs too; null: it does not. */
  graceUntil: Date | null
}

/** Why a delivery ended that nobody tried any more. */
export const SWITCHED_OFF = 'the endpoint was switched off'

const COLUMNS = sql`"id", "url", "events", "tenantIds", "createdAt", "disabledAt", "gone",
  CASE WHEN "graceUntil" > now() THEN "graceUntil" END AS "graceUntil"`
const of = ({ kind, id }: EndpointOwner) => sql`"ownerKind" = ${kind} AND "ownerId" = ${id} AND "removedAt" IS NULL`
const one = (owner: EndpointOwner, id: string) => sql`${of(owner)} AND "id" = ${id}::uuid`

/** The endpoints of an owner, newest first. */
export function listEndpoints(db: Db, owner: EndpointOwner): Promise<EndpointRow[]> {
  return db.query<EndpointRow>`SELECT ${COLUMNS} FROM "WebhookEndpoint" WHERE ${of(owner)} ORDER BY "id" DESC`
}

/** An endpoint of this owner; null when there is none with this id. */
export async function findEndpoint(db: Db, owner: EndpointOwner, id: string): Promise<EndpointRow | null> {
  const [row] = await db.query<EndpointRow>`SELECT ${COLUMNS} FROM "WebhookEndpoint" WHERE ${one(owner, id)}`
  return row ?? null
}

/** Makes an endpoint; false when its owner has `most` already, whoever else makes one meanwhile. */
export async function createEndpoint(
  db: Db,
  owner: EndpointOwner,
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

/** Changes what is named and nothing else. Null when the owner has no endpoint with this id. */
export async function changeEndpoint(
  db: Db,
  owner: EndpointOwner,
  id: string,
  { url, events, tenantIds }: Partial<EndpointSettings>,
): Promise<EndpointRow | null> {
  const [row] = await db.query<EndpointRow>`
    UPDATE "WebhookEndpoint" SET "url" = COALESCE(${url ?? null}, "url"),
      "events" = ${events ? sql`${[...events]}::text[]` : sql`"events"`},
      "tenantIds" = ${tenantIds ? sql`${[...tenantIds]}::uuid[]` : sql`"tenantIds"`}
    WHERE ${one(owner, id)} RETURNING ${COLUMNS}`
  return row ?? null
}

/** Lets an endpoint hear again. Null when the owner has none with this id. */
export async function enableEndpoint(db: Db, owner: EndpointOwner, id: string): Promise<EndpointRow | null> {
  const [row] = await db.query<EndpointRow>`
    UPDATE "WebhookEndpoint" SET "disabledAt" = NULL, "gone" = false WHERE ${one(owner, id)} RETURNING ${COLUMNS}`
  return row ?? null
}

/** Ends what is under way to the endpoints of `silenced`, an expression of their ids. */
export const endedWith = (silenced: Sql) => sql`
  UPDATE "WebhookDelivery" d SET "state" = 'failed', "lastError" = ${SWITCHED_OFF}, "endedAt" = now(),
    "body" = CASE WHEN d."kept" THEN d."body" END, "settlementId" = CASE WHEN d."kept" THEN d."settlementId" END
  FROM ${silenced} WHERE d."endpointId" = ${silenced}."id" AND d."state" = 'pending'`

/** Lets an endpoint hear nothing any more, and ends what is under way to it. Null when the owner has none with this id. */
export async function disableEndpoint(db: Db, owner: EndpointOwner, id: string): Promise<EndpointRow | null> {
  const [row] = await db.query<EndpointRow>`
    WITH silenced AS (
      UPDATE "WebhookEndpoint" SET "disabledAt" = COALESCE("disabledAt", now()) WHERE ${one(owner, id)} RETURNING *
    ), ended AS (${endedWith(sql`silenced`)})
    SELECT ${COLUMNS} FROM silenced`
  return row ?? null
}

/** Takes an endpoint away; what was told it stays in the log for its time. False when the owner has none with this id. */
export async function removeEndpoint(db: Db, owner: EndpointOwner, id: string): Promise<boolean> {
  const rows = await db.query<unknown>`
    WITH silenced AS (
      UPDATE "WebhookEndpoint" SET "removedAt" = now(), "disabledAt" = COALESCE("disabledAt", now()), "secret" = '', "earlier" = NULL
      WHERE ${one(owner, id)} RETURNING "id"
    ), ended AS (${endedWith(sql`silenced`)})
    SELECT 1 FROM silenced`
  return rows.length === 1
}

/** A new secret; the one before signs too for so long more. Null when the owner has no endpoint with this id. */
export async function rotateEndpoint(
  db: Db,
  owner: EndpointOwner,
  id: string,
  secret: Uint8Array<ArrayBuffer>,
  graceSeconds: number,
): Promise<EndpointRow | null> {
  const [row] = await db.query<EndpointRow>`
    UPDATE "WebhookEndpoint" SET "earlier" = "secret", "secret" = ${secret}, "graceUntil" = now() + ${graceSeconds}::int * interval '1 s'
    WHERE ${one(owner, id)} RETURNING ${COLUMNS}`
  return row ?? null
}

/** How many of these tenants are the owner's. */
export async function countOwnTenants(db: Db, owner: EndpointOwner, tenantIds: readonly string[]): Promise<number> {
  return db.tenant.count({ where: { id: { in: [...tenantIds] }, ownerKind: owner.kind, ownerId: owner.id } })
}

/** Deletes some removed endpoints of which no delivery is left. Returns how many. */
export async function pruneEndpoints(db: Db, limit: number): Promise<number> {
  return db.execute`
    DELETE FROM "WebhookEndpoint" WHERE "id" IN (
      SELECT w."id" FROM "WebhookEndpoint" w
      WHERE w."removedAt" < now() - interval '1 hour' AND NOT EXISTS (SELECT 1 FROM "WebhookDelivery" d WHERE d."endpointId" = w."id")
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}
