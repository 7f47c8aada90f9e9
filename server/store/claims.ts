import { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'
import { isOutOfCredits } from './errors'
import { isLive } from './keys'
import type { Carrier } from './lanes'
import type { EffectKind } from './outbox'
import { GRACE_MS } from './settlements'
import { TODAY } from './spend'

/** A claim: everything the ledger must know to finish this settlement without the request that made it. */
export type Claim = {
  id: string
  intentKey: Uint8Array
  requestHash: Uint8Array
  tenantId: string
  /** The key that was used, null in the sandbox, and the version of its tenant by which the payment was admitted. */
  key: { id: string; version: number } | null
  /** Who may join, ask for and repeat this settlement. */
  caller: string
  /** Whose unit was taken, of which month, and how many of it may come back. */
  subject: string
  period: string
  returnCap: number
  tier: string
  /** Whose signers may send it. */
  laneClass: Carrier
  /** The instance in whose queue it waits; null: it is left to any that has a lane. */
  queuedBy: string | null
  network: string
  asset: string
  payer: string
  payTo: string
  amount: bigint
  resource: string
  /** What its payer buys with it. */
  credits: bigint
  transfer: object
  declared: object
  /** What has to follow its success. */
  effects: readonly EffectKind[]
  /** Unix seconds after which the chain refuses the transfer. */
  expiresAt: bigint
  waiter: string
  deadlineMs: number
  limits: ClaimLimits
}

/**
 * What may be on its way at once, what one day may cost us and what one transfer may (smallest unit of the network): what is on its
 * way has not been charged yet.
 */
export type ClaimLimits = {
  payerQueue: number
  callerQueue: number
  /** Transactions of this payer that an hour may see fail on the chain. */
  payerFailures: number
  gasBudget: bigint
  gasEach: bigint
  /** Atomic units that a caller may have been promised without a block; null where nothing is promised. */
  promised: bigint | null
}

/**
 * How a claim ended: ours; held by another request; the key or tenant is revoked; the tenant's settings changed since the
 * payment was admitted; too much of the payer or caller is on its way; too much of the payer failed on the chain lately; the day's gas
 * budget of the tenant is spent; the credits that pay for it are used up.
 */
export type Claimed =
  | 'claimed'
  | 'taken'
  | 'revoked'
  | 'changed'
  | 'payer queue'
  | 'caller queue'
  | 'payer failures'
  | 'gas budget'
  | 'promised'
  | 'credits'

// A validBefore of 2^256 - 1 is legal; the column is a 64-bit integer and the year 292 billion is late enough.
const FAR_FUTURE = 2n ** 63n - 1n

type ClaimFacts = {
  won: boolean
  live: boolean
  current: boolean
  payerQueue: number
  callerQueue: number
  payerFailures: number
  affordable: boolean
  promisable: boolean
  spentUp: boolean
}

const QUEUED = Prisma.sql`('CLAIMED', 'PREPARED', 'BROADCAST')`

/**
 * Claims an intent: one winner per signed transfer, whoever else tries. The tenant's plan, flag, settings and revocation, its key,
 * the queues and the day's gas are read in the same statement, so that nothing leaks through a cache.
 */
export async function claimIntent(db: Db, claim: Claim): Promise<Claimed> {
  return tryToClaim(db, claim).catch((error: unknown) => {
    if (isOutOfCredits(error)) return 'credits'
    throw error
  })
}

async function tryToClaim(db: Db, claim: Claim): Promise<Claimed> {
  const expiresAt = claim.expiresAt > FAR_FUTURE ? FAR_FUTURE : claim.expiresAt
  const { payerQueue, callerQueue, payerFailures, gasBudget, gasEach } = claim.limits
  // Materialized: what is counted is used several times, and would be counted as often.
  const [facts] = await db.$queryRaw<ClaimFacts[]>`
    WITH counted AS MATERIALIZED (${tenantNow(claim)}
    ), tenant AS (
      SELECT t.*, t."spent" + t."callerQueue" * ${gasEach.toString()}::numeric < ${gasBudget.toString()}::numeric AS "affordable",
        t."spent" >= ${gasBudget.toString()}::numeric AS "spentUp"
      FROM counted t
    ), won AS (
      INSERT INTO "Settlement" ("id", "intentKey", "requestHash", "tenantId", "caller", "subject", "period", "returnCap", "plan", "logged", "tier",
        "laneClass", "queuedBy", "network", "asset", "payer", "payTo", "amount", "resource", "credits", "transfer", "declared", "effects", "expiresAt", "waiter", "waiterUntil", "nextCheckAt")
      SELECT ${claim.id}::uuid, ${claim.intentKey}, ${claim.requestHash}, t."id", ${claim.caller}, ${claim.subject}, ${claim.period},
        ${claim.returnCap}, t."plan", t."historyEnabled", ${claim.tier}, ${claim.laneClass}, ${claim.queuedBy}, ${claim.network}, ${claim.asset}, ${claim.payer}, ${claim.payTo},
        ${claim.amount.toString()}::numeric, ${claim.resource}, ${claim.credits}::int, ${JSON.stringify(claim.transfer)}::jsonb, ${JSON.stringify(claim.declared)}::jsonb,
        ${[...claim.effects]}::text[], ${expiresAt}, ${claim.waiter}, now() + ${claim.deadlineMs + GRACE_MS}::int * interval '1 ms', now() + ${claim.deadlineMs}::int * interval '1 ms'
      FROM tenant t
      WHERE t."live" AND t."current" AND t."affordable" AND t."promisable" AND t."payerQueue" < ${payerQueue} AND t."callerQueue" < ${callerQueue}
        AND t."payerFailures" < ${payerFailures}
      ON CONFLICT ("intentKey") WHERE "state" <> 'REJECTED' DO NOTHING
      RETURNING "id"
    )
    SELECT EXISTS (SELECT 1 FROM won) AS "won", "live", "current", "payerQueue", "callerQueue", "payerFailures", "affordable", "spentUp", "promisable" FROM tenant`
  if (facts?.won) return 'claimed'
  if (!facts?.live) return 'revoked'
  if (!facts.current) return 'changed'
  if (facts.payerQueue >= payerQueue) return 'payer queue'
  if (facts.callerQueue >= callerQueue) return 'caller queue'
  if (facts.payerFailures >= payerFailures) return 'payer failures'
  if (!facts.promisable) return 'promised'
  if (facts.spentUp) return 'gas budget'
  // What is on its way may cost the rest of the day's gas: some of it has to land first.
  return facts.affordable ? 'taken' : 'caller queue'
}

// Counting stops at the cap: what lies beyond it does not matter.
const queued = (of: Prisma.Sql, cap: number) => Prisma.sql`
  (SELECT count(*)::int FROM (SELECT 1 FROM "Settlement" WHERE ${of} AND "state" IN ${QUEUED} LIMIT ${cap}) counted)`

// Each cost us a transaction: reverted, overtaken by another one, or mined without it even alone; in a batch it may have been another's doing.
const inVain = (payer: string, network: string, cap: number) => Prisma.sql`
  (SELECT count(*)::int FROM (SELECT 1 FROM "Settlement" WHERE "payer" = ${payer} AND "network" = ${network} AND "createdAt" > now() - interval '1 hour'
    AND ("state" IN ('REVERTED', 'USED_ELSEWHERE') OR "returns" > 1) AND "laneClass" <> 'remote' LIMIT ${cap}) counted)`

function tenantNow({ tenantId, key, network, payer, caller, amount, limits }: Claim): Prisma.Sql {
  const keyLives = key
    ? Prisma.sql`EXISTS (SELECT 1 FROM "ApiKey" k WHERE k."id" = ${key.id}::uuid AND k."tenantId" = t."id" AND ${isLive})`
    : Prisma.sql`true`
  const gas = Prisma.sql`
    SELECT "spent" FROM "SponsorSpend" WHERE "day" = ${TODAY} AND "tenantId" = t."id" AND "network" = ${network}`
  const promised = Prisma.sql`
    SELECT ${amount.toString()}::numeric + COALESCE(sum("amount"), 0) FROM "Settlement"
    WHERE "caller" = ${caller} AND "tier" = 'flash' AND "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED')`
  return Prisma.sql`
    SELECT t."id", t."plan", t."historyEnabled", t."revokedAt" IS NULL AND ${keyLives} AS "live",
      ${key ? Prisma.sql`t."version" = ${key.version}` : Prisma.sql`true`} AS "current",
      ${queued(Prisma.sql`"payer" = ${payer} AND "network" = ${network}`, limits.payerQueue)} AS "payerQueue",
      ${queued(Prisma.sql`"caller" = ${caller}`, limits.callerQueue)} AS "callerQueue",
      ${inVain(payer, network, limits.payerFailures)} AS "payerFailures",
      COALESCE((${gas}), 0) AS "spent",
      ${limits.promised === null ? Prisma.sql`true` : Prisma.sql`(${promised}) <= ${limits.promised.toString()}::numeric`} AS "promisable"
    FROM "Tenant" t WHERE t."id" = ${tenantId}::uuid`
}

/**
 * Frees an intent for which nothing was ever signed, and gives its unit back, as often as its period allows. Only for the
 * request that waits for it, or for nobody when nobody does. False when the settlement has moved on.
 */
export async function rejectClaim(db: Db, id: string, waiter: string | null): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH moved AS (
      UPDATE "Settlement" SET "state" = 'REJECTED', "waiter" = NULL, "waiterUntil" = NULL
      WHERE "id" = ${id}::uuid AND "state" = 'CLAIMED' AND "returns" = 0
        AND ("waiter" = ${waiter} OR "waiter" IS NULL OR "waiterUntil" < now())
      RETURNING "subject", "period", "returnCap"
    ), given AS (
      UPDATE "Usage" u SET "used" = u."used" - 1, "returned" = u."returned" + 1 FROM moved
      WHERE u."subject" = moved."subject" AND u."meter" = 'settlement' AND u."period" = moved."period" AND u."used" > 0
        AND u."returned" < moved."returnCap"
    )
    SELECT 1 FROM moved`
  return rows.length === 1
}
