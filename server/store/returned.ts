import type { Db } from './database'
import { uuids } from './slots'

/** A claim whose earlier transaction was mined without it. */
export type ReturnedClaim = {
  settlementId: string
  caller: string
  tier: string
  network: string
  asset: string
  transfer: unknown
  expiresAt: bigint
  returns: number
  /** The last transaction that it was told of. */
  txHash: string | null
}

/** Those of these settlements that are claims again. */
export async function findReturned(db: Db, settlementIds: string[]): Promise<ReturnedClaim[]> {
  if (settlementIds.length === 0) return []
  return db.$queryRaw<ReturnedClaim[]>`
    SELECT "id" AS "settlementId", "caller", "tier", "network", "asset", "transfer", "expiresAt", "returns", "txHash"
    FROM "Settlement" WHERE "id" IN (${uuids(settlementIds)}) AND "state" = 'CLAIMED' AND "returns" > 0`
}
