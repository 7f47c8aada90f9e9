import { v4 as uuidv4 } from 'uuid'
import { ServiceError } from '../base/errors'
import type { Db } from '../db/database'
import { pruning, sql } from '../db/sql'
import type { SettlementKind } from '../ledger/statements/claim-columns'
import { finalityOf } from '../ledger/statements/finality'
import { hasLink } from '../ledger/statements/receipt-links'
import type { State } from '../ledger/states'
import type { Finality } from '../x402/networks/finality'

/** A settlement or failed judgement as its caller may see it. Amounts are decimal strings; the transaction is the current one. */
export type FoundSettlement = {
  id: string
  /** Null for a payment that failed its judgement: nothing was claimed. */
  state: State | null
  reason: string | null
  /** The facts of a failure as a sentence, where the reason lacks them. */
  detail: string | null
  txHash: string | null
  network: string
  payer: string
  payTo: string
  amount: string
  /** What the payer signed at most, where the amount is what was charged; null where the amount is all. */
  maximum: string | null
  asset: string
  /** The symbol of the asset. */
  symbol: string
  resource: string
  createdAt: Date
  /** Where its transfer is: null as long as it is not known. */
  block: bigint | null
  logIndex: number | null
  nonce: string | null
  finality: Finality | null
  /** How often it has moved. */
  version: number
  kind: SettlementKind
}

const MEMBERS_MAX = 100

const common = sql`s."id", s."network", s."payer", s."payTo", s."amount"::text AS "amount", s."maximum"::text AS "maximum", s."symbol", s."resource", s."createdAt"`
/** The columns of a `FoundSettlement`, of the settlement `s`. */
export const FOUND = sql`${common}, s."asset", s."state", s."reason", s."detail", s."txHash", s."block", s."logIndex",
  s."transfer" #>> '{authorization,nonce}' AS "nonce", ${finalityOf(sql`s`)} AS "finality", s."version", s."kind"`

/** Whose settlements a caller may see: those that it made itself. */
type Maker = { tenantId: string; caller: string }

const madeBy = ({ tenantId, caller }: Maker) => sql`s."tenantId" = ${tenantId}::uuid AND s."caller" = ${caller}`

/** A caller's settlement with this id, or the failed judgement that was answered with it. */
export async function findById(db: Db, by: Maker, id: string): Promise<FoundSettlement[]> {
  return db.queryUnprepared<FoundSettlement>`
    SELECT ${FOUND} FROM "Settlement" s WHERE s."id" = ${id}::uuid AND ${madeBy(by)}
    UNION ALL
    SELECT ${common}, '', NULL, s."errorReason", NULL, NULL, NULL, NULL, NULL, NULL, 0, 'payment' FROM "History" s
    WHERE s."id" = ${id}::uuid AND ${madeBy(by)} AND s."settlementId" IS NULL`
}

/** The settlements that were ever signed for one of these intents, oldest first; only a caller's own where one is given. */
export async function findByIntents(db: Db, intentKeys: readonly Uint8Array[], by: Maker | null): Promise<FoundSettlement[]> {
  return db.queryUnprepared<FoundSettlement>`
    SELECT ${FOUND} FROM (
      SELECT * FROM "Settlement" WHERE "intentKey" = ANY(${[...intentKeys]}::bytea[]) AND "state" NOT IN ('REJECTED', 'UNPAID')
      UNION ALL SELECT * FROM "Settlement" WHERE "intentKey" = ANY(${[...intentKeys]}::bytea[]) AND "state" = 'UNPAID'
    ) s
    WHERE ${by ? madeBy(by) : sql`true`}
    ORDER BY s."createdAt", s."id" LIMIT ${MEMBERS_MAX}`
}

/** The payer's signature of an EVM settlement; null once it was deleted, and on Solana. */
export async function findSignature(db: Db, id: string): Promise<string | null> {
  const [row] = await db.queryUnprepared<{ signature: string | null }>`
    SELECT "transfer" ->> 'signature' AS "signature" FROM "Settlement" WHERE "id" = ${id}::uuid`
  return row?.signature ?? null
}

/** A caller's settlements with this `payment-identifier`, newest first. */
export async function findByIdentifier(db: Db, by: Maker, identifier: string): Promise<FoundSettlement[]> {
  return db.queryUnprepared<FoundSettlement>`
    SELECT ${FOUND} FROM "Settlement" s
    WHERE ${madeBy(by)} AND s."paymentIdentifier" = ${identifier} AND s."paymentIdentifier" IS NOT NULL
    ORDER BY s."createdAt" DESC, s."id" DESC LIMIT ${MEMBERS_MAX}`
}

/** A caller's settlements in any transaction of ours with this hash, oldest first. */
export async function findByTransaction(db: Db, by: Maker, hash: string): Promise<FoundSettlement[]> {
  return db.queryUnprepared<FoundSettlement>`
    SELECT ${FOUND} FROM "Settlement" s
    WHERE s."id" IN (
        SELECT m."settlementId" FROM "Attempt" a JOIN "SlotMember" m ON m."slotId" = a."slotId" WHERE a."hash" = ${hash}
        UNION ALL SELECT v."settlementId" FROM "SvmAttempt" v WHERE v."signature" = ${hash}
        UNION ALL SELECT r."id" FROM "Settlement" r WHERE r."txHash" = ${hash} AND r."laneClass" = 'remote')
      AND ${madeBy(by)}
    ORDER BY s."createdAt", s."id" LIMIT ${MEMBERS_MAX}`
}

/** The settlement whose receipt has the public page of this token, and when it reached its state; null if there is none. */
export async function findByLink(db: Db, token: string): Promise<(FoundSettlement & { reachedAt: Date | null }) | null> {
  const [row] = await db.queryUnprepared<FoundSettlement & { reachedAt: Date | null }>`
    SELECT ${FOUND}, (SELECT max(e."at") FROM "Step" e WHERE e."settlementId" = s."id") AS "reachedAt"
    FROM "Settlement" s WHERE ${hasLink(sql`s`, token)}`
  return row ?? null
}

const LIFETIME = sql`interval '24 hours'`

/** A caller's `Idempotency-Key` with the SHA-256 of the request it is bound to, and the intent of its payment if it was signed. */
export type IdempotencyKey = { scope: string; key: string; bodyHash: Uint8Array; intentKey?: Uint8Array | null }

/** The intent of the payment that a caller's key belongs to, and the stored response; null for a key that is unknown or expired. */
export async function findKey(
  db: Db,
  { scope, key }: Pick<IdempotencyKey, 'scope' | 'key'>,
): Promise<{ intentKey: Uint8Array | null; answer: string | null } | null> {
  const [row] = await db.queryUnprepared<{ intentKey: Uint8Array | null; answer: string | null }>`
    SELECT "intentKey", "answer" FROM "Idempotency" WHERE "scope" = ${scope} AND "key" = ${key} AND "createdAt" >= now() - ${LIFETIME}`
  return row ?? null
}

/** The right to act under a key until finished or released. `again`: an earlier request with it ended without a known response. */
export type KeyLock = { token: string; again: boolean }

/**
 * The state of a key for a request: act; repeat this response; wait for the acting request; it belongs to another body; or it is new and
 * the caller has no room for it.
 */
export type Begun =
  | { say: 'act'; lock: KeyLock }
  | { say: 'repeat'; answer: string }
  | { say: 'wait' }
  | { say: 'other body' }
  | { say: 'no room' }

/** How often a request may find that another one has just begun with its key. */
const BEGINS_MAX = 5

/**
 * Takes the lock of a key for at most `lockMs`. A key older than 24 hours starts again. Without room only known keys continue. Throws
 * `unavailable` if other requests took and left it at each try.
 */
export async function begin(db: Db, key: IdempotencyKey, lockMs: number, hasRoom = true): Promise<Begun> {
  for (let tries = 0; tries < BEGINS_MAX; tries++) {
    const begun = await tryBegin(db, key, lockMs, hasRoom)
    if (begun) return begun
  }
  throw new ServiceError('unavailable', 'other requests use this name now; send this one again', {
    reason: 'service_unavailable',
    retryAfterSeconds: 1,
  })
}

/** As `begin`, in one statement. Null for a key whose row this statement cannot see yet, because its request has just begun. */
async function tryBegin(
  db: Db,
  { scope, key, bodyHash, intentKey = null }: IdempotencyKey,
  lockMs: number,
  hasRoom: boolean,
): Promise<Begun | null> {
  const token = uuidv4()
  const until = sql`now() + ${lockMs}::int * interval '1 ms'`
  const [row] = await db.query<{ attempts: number | null; same: boolean | null; answer: string | null }>`
    WITH mine AS (
      INSERT INTO "Idempotency" AS i ("scope", "key", "bodyHash", "intentKey", "token", "lockedUntil")
      SELECT ${scope}, ${key}, ${bodyHash}, ${intentKey}::bytea, ${token}::uuid, ${until}
      WHERE ${hasRoom} OR EXISTS (SELECT 1 FROM "Idempotency" WHERE "scope" = ${scope} AND "key" = ${key})
      ON CONFLICT ("scope", "key") DO UPDATE SET "intentKey" = EXCLUDED."intentKey", "token" = EXCLUDED."token", "lockedUntil" = EXCLUDED."lockedUntil", "bodyHash" = EXCLUDED."bodyHash",
        "attempts" = CASE WHEN i."createdAt" < now() - ${LIFETIME} THEN 1 ELSE i."attempts" + 1 END, "answer" = NULL,
        "createdAt" = CASE WHEN i."createdAt" < now() - ${LIFETIME} THEN now() ELSE i."createdAt" END
      WHERE i."createdAt" < now() - ${LIFETIME}
        OR (i."bodyHash" = EXCLUDED."bodyHash" AND i."answer" IS NULL AND i."lockedUntil" < now())
      RETURNING "attempts"
    )
    SELECT mine."attempts", earlier."bodyHash" = ${bodyHash} AS "same", earlier."answer"
    FROM (SELECT 1) one LEFT JOIN mine ON true LEFT JOIN "Idempotency" earlier ON earlier."scope" = ${scope} AND earlier."key" = ${key}`
  if (typeof row?.attempts === 'number') return { say: 'act', lock: { token, again: row.attempts > 1 } }
  if (row?.same === false) return { say: 'other body' }
  if (typeof row?.same !== 'boolean') return hasRoom ? null : { say: 'no room' }
  return typeof row?.answer === 'string' ? { say: 'repeat', answer: row.answer } : { say: 'wait' }
}

/** Whether a key belongs to another body. Takes nothing. */
export async function belongsToAnother(db: Db, { scope, key, bodyHash }: IdempotencyKey): Promise<boolean> {
  const rows = await db.query<unknown>`
    SELECT 1 FROM "Idempotency"
    WHERE "scope" = ${scope} AND "key" = ${key} AND "bodyHash" <> ${bodyHash} AND "createdAt" >= now() - ${LIFETIME}`
  return rows.length > 0
}

/** Stores the response for a retry of the request. */
export async function finish(db: Db, { scope, key }: IdempotencyKey, lock: KeyLock, answer: string): Promise<void> {
  await db.execute`
    UPDATE "Idempotency" SET "answer" = ${answer}
    WHERE "scope" = ${scope} AND "key" = ${key} AND "token" = ${lock.token}::uuid`
}

/** Ends a lock without a response to keep: the next request with the key may act at once. */
export async function release(db: Db, { scope, key }: IdempotencyKey, lock: KeyLock): Promise<void> {
  await db.execute`
    UPDATE "Idempotency" SET "lockedUntil" = '-infinity'
    WHERE "scope" = ${scope} AND "key" = ${key} AND "token" = ${lock.token}::uuid`
}

/** Ends a lock under which nothing happened: the key is unused again. */
export async function forget(db: Db, { scope, key }: IdempotencyKey, lock: KeyLock): Promise<void> {
  await db.execute`DELETE FROM "Idempotency" WHERE "scope" = ${scope} AND "key" = ${key} AND "token" = ${lock.token}::uuid`
}

/** The number of a caller's kept keys, counted up to `most`. */
export async function countKeys(db: Db, scope: string, most: number): Promise<number> {
  const [row] = await db.query<{ kept: number }>`
    SELECT count(*)::int AS "kept" FROM (SELECT 1 FROM "Idempotency" WHERE "scope" = ${scope} LIMIT ${most}) counted`
  return row?.kept ?? 0
}

/** Deletes some expired keys. Returns the number. */
export const pruneKeys = pruning(sql`"Idempotency"`, sql`"scope", "key"`, sql`"createdAt"`, sql`now() - ${LIFETIME}`)

/** What a second payment has in common with the first, and its own `intentKey`. `amount` is what is charged. Addresses as stored. */
type Terms = {
  intentKey: Uint8Array
  network: string
  asset: string
  payer: string
  payTo: string
  resource: string
  amount: bigint
  maximum: bigint | null
}

/**
 * A caller's oldest settlement of another payment on these terms, at most so many seconds old, that has not failed and whose outcome
 * reached no request, no lookup and no webhook. Notes on it that a second payment was refused. Null without one.
 */
export async function refuseSecond(
  db: Db,
  by: Maker,
  terms: Terms,
  seconds: number,
): Promise<{ id: string; isPending: boolean } | null> {
  const { intentKey, network, asset, payer, payTo, resource, amount, maximum } = terms
  // A delivery that commits meanwhile wins: then nothing is lost.
  const [first] = await db.query<{ id: string; isPending: boolean }>`
    UPDATE "Settlement" s SET "secondAt" = COALESCE(s."secondAt", now())
    WHERE s."id" = (SELECT "unansweredCharge"(${by.tenantId}::uuid, ${by.caller}, ${intentKey}, ${network}, ${asset}, ${payer}, ${payTo}, ${resource},
        ${amount.toString()}::numeric, ${maximum?.toString() ?? null}::numeric, ${seconds}::int))
      AND s."deliveredAt" IS NULL AND s."toldAt" IS NULL
    RETURNING s."id", s."state" IN ('CLAIMED', 'PREPARED', 'BROADCAST') OR (s."waiter" IS NOT NULL AND s."waiterUntil" > now()) AS "isPending"`
  return first ?? null
}

/** Notes that a lookup told these outcomes, where no request received them. */
export async function markTold(db: Db, ids: readonly string[]): Promise<void> {
  await db.execute`
    UPDATE "Settlement" SET "toldAt" = now()
    WHERE "id" = ANY(${[...ids]}::uuid[]) AND "deliveredAt" IS NULL AND "toldAt" IS NULL AND "state" IN ('PRECONFIRMED', 'INCLUDED', 'FINAL')`
}
