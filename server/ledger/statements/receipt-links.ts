import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/database'
import { type Sql, sql } from '../../db/sql'

/** The two who may share a receipt, and withdraw it. */
export const sides = ['payer', 'merchant'] as const
export type Side = (typeof sides)[number]

/** 128 random bits: the address of a page cannot be guessed. */
const TOKEN_BYTES = 16

/** The form of a token, so that other texts need no read. */
export const TOKEN = /^[\w-]{22}$/

/** After this time nobody brings a withdrawn page back at its address. */
const UNDONE_WITHIN = sql`interval '1 hour'`

/** Who shares: its side, with the wallet or the owner, so that each has a bound of its own. */
export type Sharer = { side: Side; id: string }

/** The token of the public page of a receipt; null if it has none. */
export async function findLink(db: Db, settlementId: string): Promise<string | null> {
  const [row] = await db.query<{ token: string }>`
    SELECT "token" FROM "ReceiptLink" WHERE "settlementId" = ${settlementId}::uuid AND "withdrawnAt" IS NULL`
  return row?.token ?? null
}

/**
 * Gives a receipt a public page and returns its token: that of the page it has, else a new one, so that a withdrawn address stays gone.
 * Null if the sharer has `most` pages.
 */
export async function writeLink(db: Db, settlementId: string, { side, id }: Sharer, most: number): Promise<string | null> {
  const party = `${side} ${id}`
  const few = sql`(SELECT count(*) FROM "ReceiptLink" WHERE "party" = ${party} AND "withdrawnAt" IS NULL) < ${most}::int`
  const [row] = await db.query<{ token: string }>`
    INSERT INTO "ReceiptLink" AS l ("settlementId", "token", "party")
    SELECT ${settlementId}::uuid, ${newToken()}, ${party}
    WHERE ${few} OR EXISTS (SELECT 1 FROM "ReceiptLink" WHERE "settlementId" = ${settlementId}::uuid AND "withdrawnAt" IS NULL)
    ON CONFLICT ("settlementId") DO UPDATE SET
      "token" = CASE WHEN l."withdrawnAt" IS NULL THEN l."token" ELSE EXCLUDED."token" END,
      "party" = CASE WHEN l."withdrawnAt" IS NULL THEN l."party" ELSE EXCLUDED."party" END,
      "withdrawnAt" = NULL, "withdrawnBy" = NULL
    RETURNING "token"`
  return row?.token ?? null
}

/** The token of the public page of a receipt of a key whose receipts are public. Null once it was withdrawn. */
export async function writeKeyLink(db: Db, settlementId: string, tenantId: string): Promise<string | null> {
  await db.execute`
    INSERT INTO "ReceiptLink" ("settlementId", "token", "party")
    VALUES (${settlementId}::uuid, ${newToken()}, ${`key ${tenantId}`}) ON CONFLICT ("settlementId") DO NOTHING`
  return findLink(db, settlementId)
}

/** Takes the public page of a receipt away. False if it has none. */
export async function withdrawLink(db: Db, settlementId: string, side: Side): Promise<boolean> {
  const withdrawn = await db.execute`
    UPDATE "ReceiptLink" SET "withdrawnAt" = now(), "withdrawnBy" = ${side}
    WHERE "settlementId" = ${settlementId}::uuid AND "withdrawnAt" IS NULL`
  return withdrawn === 1
}

/** Undoes a withdrawal of the last hour, by the side that made it. Returns the token; null if there is none to undo. */
export async function restoreLink(db: Db, settlementId: string, side: Side): Promise<string | null> {
  const [row] = await db.query<{ token: string }>`
    UPDATE "ReceiptLink" SET "withdrawnAt" = NULL, "withdrawnBy" = NULL
    WHERE "settlementId" = ${settlementId}::uuid AND "withdrawnBy" = ${side} AND "withdrawnAt" > now() - ${UNDONE_WITHIN}
    RETURNING "token"`
  return row?.token ?? null
}

/** The condition that the settlement `s` has the public page of this token. */
export const hasLink = (s: Sql, token: string) => sql`
  ${s}."id" = (SELECT l."settlementId" FROM "ReceiptLink" l WHERE l."token" = ${token} AND l."withdrawnAt" IS NULL)`

/** Whether the receipts of a tenant are public. */
export async function sharesReceipts(db: Db, tenantId: string): Promise<boolean> {
  const rows = await db.query<unknown>`SELECT 1 FROM "Tenant" WHERE "id" = ${tenantId}::uuid AND "publicReceipts"`
  return rows.length === 1
}

/** The public page of a receipt. */
export const receiptUrl = (baseUrl: string, token: string): string => `${baseUrl}/r/${token}`

const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url')
