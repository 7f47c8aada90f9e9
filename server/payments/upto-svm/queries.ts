import { type Hex, hexToBytes } from 'viem'
import type { Db } from '../../db/database'
import type { EffectKind } from '../../db/outbox'
import { pruning, sql } from '../../db/sql'
import { HOLDS_INTENT } from '../../ledger/statements/settlements'
import type { State } from '../../ledger/states'
import { actKey, stepKey } from '../../x402/intent'
import type { SvmNetworkId } from '../../x402/networks/networks'
import type { UptoChannel } from '../../x402/schemes/upto/svm/transfers'
import { FOUND, type FoundSettlement } from '../queries'

type Row = Omit<UptoChannel, 'maximum' | 'openSlot' | 'expiresAt'> & { maximum: string; openSlot: string; expiresAt: string }

const COLUMNS = sql`u."id", u."payer", u."payTo", u."asset", u."tokenProgram", u."feePayer", u."authorizer", u."maximum"::text AS "maximum",
  u."withdrawDelay", u."openSlot"::text AS "openSlot", u."expiresAt"::text AS "expiresAt"`

function channelOf({ maximum, openSlot, expiresAt, ...row }: Row): UptoChannel {
  const { id, payer, payTo, asset, tokenProgram, feePayer, authorizer, withdrawDelay } = row
  return {
    id,
    payer,
    payTo,
    asset,
    tokenProgram,
    feePayer,
    authorizer,
    withdrawDelay,
    maximum: BigInt(maximum),
    openSlot: BigInt(openSlot),
    expiresAt: BigInt(expiresAt),
  }
}

/** The channel into which a tenant's deposit was taken here; null without one. */
export async function findUptoChannel(db: Db, network: SvmNetworkId, id: string, tenantId: string): Promise<UptoChannel | null> {
  const [row] = await db.query<Row>`
    SELECT ${COLUMNS} FROM "UptoChannel" u WHERE u."network" = ${network} AND u."id" = ${id} AND u."tenantId" = ${tenantId}::uuid`
  return row ? channelOf(row) : null
}

/** What the ledger knows of a step: its newest settlement, which may have failed. `told`: a request was told that it failed. */
export type KnownStep = { id: string; key: Hex; state: State; amount: bigint; kind: string; told: boolean }

/**
 * A channel to look at, with its deposit and the steps behind it. `age`: seconds since its deposit was taken. `lease`: until when no other
 * instance takes it.
 */
export type DueUptoChannel = {
  age: number
  lease: string
  channel: UptoChannel
  tenantId: string
  depositId: string
  deposit: State
  claim: KnownStep | null
  reclaim: KnownStep | null
}

/** How many channels are looked at in a round, and for how long no other one takes them. */
type Round = { limit: number; leaseMs: number }

/**
 * Takes the channels of a network that are due, of each tenant in turn: no other instance takes them until the lease ends, or they are due
 * again.
 */
export async function takeDueChannels(db: Db, network: SvmNetworkId, { limit, leaseMs }: Round): Promise<DueUptoChannel[]> {
  const rows = await db.query<Row & Pick<DueUptoChannel, 'tenantId' | 'depositId' | 'deposit' | 'age' | 'lease'>>`
    WITH due AS (
      SELECT d."id" FROM (
        SELECT "id", "checkAt", row_number() OVER (PARTITION BY "tenantId" ORDER BY "checkAt") AS "place"
        FROM "UptoChannel" WHERE "network" = ${network} AND "closedAt" IS NULL AND "checkAt" <= now()
      ) d ORDER BY d."place", d."checkAt" LIMIT ${limit}::int
    ), free AS (
      SELECT c."id" FROM "UptoChannel" c JOIN due ON due."id" = c."id"
      WHERE c."network" = ${network} AND c."checkAt" <= now() AND c."closedAt" IS NULL FOR UPDATE OF c SKIP LOCKED
    ), u AS (
      UPDATE "UptoChannel" c SET "checkAt" = now() + ${leaseMs}::int * interval '1 ms'
      FROM free WHERE c."network" = ${network} AND c."id" = free."id" RETURNING c.*
    )
    SELECT ${COLUMNS}, u."tenantId"::text AS "tenantId", u."depositId"::text AS "depositId", s."state" AS "deposit",
      extract(epoch FROM now() - u."createdAt")::float8 AS "age", u."checkAt"::text AS "lease"
    FROM u JOIN "Settlement" s ON s."id" = u."depositId"`
  const steps = await findSteps(
    db,
    rows.flatMap(({ id }) => [stepKey(network, id, 'claim'), stepKey(network, id, 'reclaim')]),
  )
  return rows.map((row) => ({
    channel: channelOf(row),
    tenantId: row.tenantId,
    depositId: row.depositId,
    deposit: row.deposit,
    age: row.age,
    lease: row.lease,
    claim: steps.get(stepKey(network, row.id, 'claim')) ?? null,
    reclaim: steps.get(stepKey(network, row.id, 'reclaim')) ?? null,
  }))
}

/** Sets when a taken channel is looked at again; nothing where it became due meanwhile, because its charge was lost. */
export async function lookAgain(
  db: Db,
  network: SvmNetworkId,
  { channel, lease }: Pick<DueUptoChannel, 'channel' | 'lease'>,
  afterMs: number,
): Promise<void> {
  await db.execute`
    UPDATE "UptoChannel" SET "checkAt" = now() + ${afterMs}::float8 * interval '1 ms'
    WHERE "network" = ${network} AND "id" = ${channel.id} AND "checkAt" = ${lease}::timestamptz AND "closedAt" IS NULL`
}

/** The request to which the failure of a charge is delivered that the service charges again: none that came from outside. */
const CHARGED_AGAIN = 'charged again'

// One that landed may have been told as a success before it was undone. What never landed was told in an answer or an event.
const TOLD_FAILED = sql`((s."toldAt" IS NOT NULL AND s."state" = 'UNPAID') OR s."deliveredAt" IS NOT NULL AND s."deliveredTo" IS DISTINCT FROM ${CHARGED_AGAIN} AND NOT EXISTS (
  SELECT 1 FROM "Step" t WHERE t."settlementId" = s."id" AND t."to" = 'REVERSED' AND t."at" >= s."deliveredAt"))`

/** What a failed charge was made by: another one for it answers the same requests. */
export type ChargeRequest = {
  caller: string
  requestHash: Uint8Array
  paymentIdentifier: string | null
  resource: string
  declared: object
  effects: EffectKind[]
}

/**
 * Takes the failure of a charge: no request gets it as an answer any more, so another charge may replace it. Null when a request has it, or
 * waits for it.
 */
export async function takeFailedCharge(db: Db, id: string): Promise<ChargeRequest | null> {
  const [row] = await db.query<ChargeRequest>`
    UPDATE "Settlement" s SET "deliveredTo" = CASE WHEN s."deliveredAt" IS NULL THEN ${CHARGED_AGAIN} ELSE s."deliveredTo" END,
      "deliveredAt" = COALESCE(s."deliveredAt", now()), "waiter" = NULL, "waiterUntil" = NULL
    WHERE s."id" = ${id}::uuid AND s."state" IN ('UNPAID', 'REVERSED') AND NOT ${TOLD_FAILED} AND (s."waiter" IS NULL OR s."waiterUntil" < now())
    RETURNING s."caller", s."requestHash", s."paymentIdentifier", s."resource", s."declared", s."effects"`
  return row ?? null
}

/** No charge can be on its way so long after its channel expired, seconds. */
export const CLOSE_AFTER = 120

// A failure that was not reported yet, of a channel that can still be charged.
const AGAIN = sql`(s."state" = 'UNPAID' AND NOT ${TOLD_FAILED} AND EXISTS (
  SELECT 1 FROM "UptoChannel" u WHERE u."network" = s."network" AND u."claimKey" = s."intentKey" AND u."closedAt" IS NULL
    AND u."expiresAt" + ${CLOSE_AFTER}::int > extract(epoch FROM now())))`

/**
 * Settlements as they are looked up: in place of a charge that failed, the newest one for it; one that may be charged again is on its way,
 * because a failure that was told is never charged.
 */
export async function withNewestCharges(db: Db, found: readonly FoundSettlement[]): Promise<FoundSettlement[]> {
  const failed = found.filter((one) => one.state === 'UNPAID' && one.kind === 'payment' && one.network.startsWith('solana:'))
  if (failed.length === 0) return [...found]
  const rows = await db.query<FoundSettlement & { of: string; again: boolean }>`
    SELECT ${FOUND}, f."id" AS "of", ${AGAIN} AS "again" FROM "Settlement" f CROSS JOIN LATERAL (
      SELECT * FROM (
        SELECT * FROM "Settlement" WHERE "intentKey" = f."intentKey" AND ${HOLDS_INTENT}
        UNION ALL SELECT * FROM "Settlement" WHERE "intentKey" = f."intentKey" AND "state" = 'UNPAID') n
      WHERE n."tenantId" = f."tenantId" AND n."caller" = f."caller" AND n."amount" = f."amount"
      ORDER BY (n."state" = 'UNPAID'), n."id" DESC LIMIT 1) s
    WHERE f."id" = ANY(${failed.map(({ id }) => id)}::uuid[]) AND EXISTS (
      SELECT 1 FROM "UptoChannel" u WHERE u."network" = f."network" AND u."claimKey" = f."intentKey")`
  const newest = new Map(rows.map(({ of, again, ...row }) => [of, again ? ({ ...row, ...ON_ITS_WAY } as const) : row]))
  const shown = found.map((one) => newest.get(one.id) ?? one)
  return [...new Map(shown.map((one) => [one.id, one])).values()]
}

const ON_ITS_WAY = { state: 'PREPARED', reason: null, detail: null } as const

/** The identity of what is sent in place of a step that a reorganisation took: that one keeps its own. */
export const keyAfter = ({ key, id }: Pick<KnownStep, 'key' | 'id'>): Hex => actKey(['again', key, id])

/** The newest settlements of these steps, also those in place of others. */
async function findSteps(db: Db, keys: readonly Hex[]): Promise<Map<Hex, KnownStep>> {
  const found = await findNewest(db, keys)
  const undone = new Map([...found].flatMap(([key, step]) => (step.state === 'REVERSED' ? [[keyAfter(step), key] as const] : [])))
  for (const [later, step] of await findAfter(db, undone)) found.set(later, step)
  return found
}

async function findAfter(db: Db, undone: ReadonlyMap<Hex, Hex>): Promise<[Hex, KnownStep][]> {
  if (undone.size === 0) return []
  const later = await findSteps(db, [...undone.keys()])
  return [...later].flatMap(([key, step]) => {
    const first = undone.get(key)
    return first ? [[first, step]] : []
  })
}

async function findNewest(db: Db, keys: readonly Hex[]): Promise<Map<Hex, KnownStep>> {
  if (keys.length === 0) return new Map()
  const rows = await db.query<Omit<KnownStep, 'amount'> & { amount: string }>`
    SELECT DISTINCT ON ("intentKey") '0x' || encode("intentKey", 'hex') AS "key", "id"::text AS "id", "state", "amount"::text AS "amount", "kind",
      ${TOLD_FAILED} AS "told"
    FROM (
      SELECT * FROM "Settlement" WHERE "intentKey" = ANY(${keys.map((key) => hexToBytes(key))}::bytea[]) AND ${HOLDS_INTENT}
      UNION ALL SELECT * FROM "Settlement" WHERE "intentKey" = ANY(${keys.map((key) => hexToBytes(key))}::bytea[]) AND "state" = 'UNPAID'
    ) s
    ORDER BY "intentKey", ("state" = 'UNPAID'), "id" DESC`
  return new Map(rows.map(({ amount, ...step }) => [step.key, { ...step, amount: BigInt(amount) }]))
}

/** Records that no rent of ours is in a channel any more, unless another deposit was taken into it meanwhile. */
export async function endChannel(
  db: Db,
  network: SvmNetworkId,
  { channel, depositId }: Pick<DueUptoChannel, 'channel' | 'depositId'>,
): Promise<true> {
  await db.execute`
    UPDATE "UptoChannel" SET "closedAt" = now()
    WHERE "network" = ${network} AND "id" = ${channel.id} AND "depositId" = ${depositId}::uuid AND "closedAt" IS NULL`
  return true
}

/** Deletes channels that were done a day ago: their settlements stay. */
export const pruneUptoChannels = pruning(sql`"UptoChannel"`, sql`"network", "id"`, sql`"closedAt"`, sql`now() - interval '1 day'`)
