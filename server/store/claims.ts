import { type ClaimFacts, writeClaims } from './claim-statement'
import { PREPAID } from './credits'
import type { Db } from './database'
import { isOutOfCredits, wasRefused } from './errors'
import type { Carrier } from './lanes'
import type { EffectKind } from './outbox'
import { together } from './together'

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

/**
 * Claims an intent: one winner per signed transfer, whoever else tries. The tenant's plan, flag, settings and revocation, its key,
 * the queues and the day's gas are read in the same statement, so that nothing leaks through a cache. The claims of a moment are made
 * together; one that cannot be made beside the others is decided alone, and no other waits for that.
 */
export async function claimIntent(db: Db, claim: Claim): Promise<Claimed> {
  // A claim that takes a credit locks its account: several of them in one statement would wait crosswise for those in another one.
  if (claim.period === PREPAID) return claimAlone(db, claim)
  return (await isWonBesideOthers(db, claim)) ? 'claimed' : claimAlone(db, claim)
}

const isWonBesideOthers: (db: Db, claim: Claim) => Promise<boolean> = together(async (db: Db, claims: readonly Claim[]) => {
  const won = await wonBy(db, claims)
  return claims.map(({ id }) => won.has(id))
})

/** Those of several claims that were won at once: none where one of them made the database refuse them all, which wrote nothing. */
async function wonBy(db: Db, claims: readonly Claim[]): Promise<Set<string>> {
  if (claims.length === 1) return new Set()
  const facts = await writeClaims(db, claims).catch((error: unknown) => {
    if (wasRefused(error)) return []
    throw error
  })
  return new Set(facts.filter(({ won }) => won).map(({ id }) => id))
}

function claimAlone(db: Db, claim: Claim): Promise<Claimed> {
  return writeClaims(db, [claim]).then(
    ([facts]) => endOf(claim.limits, facts),
    (error: unknown) => {
      if (isOutOfCredits(error)) return 'credits'
      throw error
    },
  )
}

function endOf({ payerQueue, callerQueue, payerFailures }: ClaimLimits, facts: ClaimFacts | undefined): Claimed {
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
