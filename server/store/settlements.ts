import type { Db } from './database'
import type { State } from './states'

/** A claim: everything the ledger must know to finish this settlement without the request that made it. */
export type Claim = {
  id: string
  intentKey: Uint8Array
  requestHash: Uint8Array
  tenantId: string
  caller: string
  period: string
  tier: string
  network: string
  asset: string
  payer: string
  payTo: string
  amount: bigint
  resource: string
  transfer: object
  declared: object
  /** Unix seconds after which the chain refuses the transfer. */
  expiresAt: bigint
  waiter: string
  deadlineMs: number
}

/** The settlement that holds an intent, as far as a second request for it needs to know. */
export type KnownSettlement = {
  id: string
  tenantId: string
  caller: string
  requestHash: Uint8Array
  state: State
  txHash: string | null
  /** Its outcome was told to somebody. */
  delivered: boolean
}

// The request that waits gives up first; the ledger lets the next one in only after it.
const GRACE_MS = 2_000

// A validBefore of 2^256 - 1 is legal; the column is a 64-bit integer and the year 292 billion is late enough.
const FAR_FUTURE = 2n ** 63n - 1n

/**
 * Claims an intent: one winner per signed transfer, whoever else tries. The tenant's plan, flag and revocation are read in
 * the same statement. Null when someone holds the intent already or the tenant is revoked.
 */
export async function claimIntent(db: Db, claim: Claim): Promise<{ id: string } | null> {
  const expiresAt = claim.expiresAt > FAR_FUTURE ? FAR_FUTURE : claim.expiresAt
  const [won] = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO "Settlement" ("id", "intentKey", "requestHash", "tenantId", "caller", "period", "plan", "logged", "tier", "network", "asset",
      "payer", "payTo", "amount", "resource", "transfer", "declared", "expiresAt", "waiter", "waiterUntil", "nextCheckAt")
    SELECT ${claim.id}::uuid, ${claim.intentKey}, ${claim.requestHash}, t."id", ${claim.caller}, ${claim.period}, t."plan", t."historyEnabled",
      ${claim.tier}, ${claim.network}, ${claim.asset}, ${claim.payer}, ${claim.payTo}, ${claim.amount.toString()}::numeric, ${claim.resource},
      ${JSON.stringify(claim.transfer)}::jsonb, ${JSON.stringify(claim.declared)}::jsonb, ${expiresAt},
      ${claim.waiter}, now() + ${claim.deadlineMs + GRACE_MS}::int * interval '1 ms', now() + ${claim.deadlineMs}::int * interval '1 ms'
    FROM "Tenant" t WHERE t."id" = ${claim.tenantId}::uuid AND t."revokedAt" IS NULL
    ON CONFLICT ("intentKey") WHERE "state" <> 'REJECTED' DO NOTHING
    RETURNING "id"`
  return won ?? null
}

/** The settlement that holds an intent, if any does. */
export async function findIntent(db: Db, intentKey: Uint8Array): Promise<KnownSettlement | null> {
  const [row] = await db.$queryRaw<KnownSettlement[]>`
    SELECT "id", "tenantId", "caller", "requestHash", "state", "txHash", "deliveredAt" IS NOT NULL AS "delivered"
    FROM "Settlement" WHERE "intentKey" = ${intentKey} AND "state" <> 'REJECTED'`
  return row ?? null
}

/**
 * Becomes the one request that waits for a settlement: only for the same caller with the same request, only while nobody
 * else waits and no answer was delivered. False when that is not so.
 */
export async function attachWaiter(
  db: Db,
  by: { id: string; tenantId: string; caller: string; requestHash: Uint8Array; waiter: string; deadlineMs: number },
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    UPDATE "Settlement" SET "waiter" = ${by.waiter}, "waiterUntil" = now() + ${by.deadlineMs + GRACE_MS}::int * interval '1 ms'
    WHERE "id" = ${by.id}::uuid AND "tenantId" = ${by.tenantId}::uuid AND "caller" = ${by.caller} AND "requestHash" = ${by.requestHash}
      AND "state" <> 'REJECTED' AND "deliveredAt" IS NULL AND ("waiter" IS NULL OR "waiterUntil" < now())
    RETURNING 1`
  return rows.length === 1
}

/**
 * Leaves a settlement without an answer (deadline or hang-up), so that a retry may wait for it. Tells where it stands, also
 * when another request waits for it by now.
 */
export async function detachWaiter(db: Db, id: string, waiter: string): Promise<Outcome | null> {
  const [outcome] = await db.$queryRaw<Outcome[]>`
    UPDATE "Settlement" SET "waiter" = NULLIF("waiter", ${waiter}),
      "waiterUntil" = CASE WHEN "waiter" = ${waiter} THEN NULL ELSE "waiterUntil" END
    WHERE "id" = ${id}::uuid RETURNING "state", "txHash", "reason"`
  return outcome ?? null
}

/** An outcome that may be told: where the settlement stands, its transaction and, if it failed, why. */
export type Outcome = { state: State; txHash: string | null; reason: string | null }

/** Hands a settlement's outcome to this waiter, once. Null when there is none yet or it is not this waiter's to give. */
export async function deliver(db: Db, id: string, waiter: string): Promise<Outcome | null> {
  const [outcome] = await db.$queryRaw<Outcome[]>`
    UPDATE "Settlement" SET "deliveredAt" = now(), "waiter" = NULL, "waiterUntil" = NULL
    WHERE "id" = ${id}::uuid AND "waiter" = ${waiter} AND "deliveredAt" IS NULL
      AND "state" NOT IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'REJECTED')
    RETURNING "state", "txHash", "reason"`
  return outcome ?? null
}

/**
 * Frees an intent for which nothing was ever signed, and gives its unit back, at most `returnCap` times in a period. Only
 * for the request that waits for it, or for nobody when nobody does. False when the settlement has moved on.
 */
export async function rejectClaim(db: Db, id: string, waiter: string | null, returnCap: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH moved AS (
      UPDATE "Settlement" SET "state" = 'REJECTED', "waiter" = NULL, "waiterUntil" = NULL
      WHERE "id" = ${id}::uuid AND "state" = 'CLAIMED' AND "slotId" IS NULL
        AND ("waiter" = ${waiter} OR "waiter" IS NULL OR "waiterUntil" < now())
      RETURNING "caller", "period"
    ), given AS (
      UPDATE "Usage" u SET "used" = u."used" - 1, "returned" = u."returned" + 1 FROM moved
      WHERE u."subject" = moved."caller" AND u."meter" = 'settlement' AND u."period" = moved."period" AND u."used" > 0 AND u."returned" < ${returnCap}
    )
    SELECT 1 FROM moved`
  return rows.length === 1
}
