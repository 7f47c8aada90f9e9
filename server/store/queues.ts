import { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'

/** What a network has on its way: not signed yet, signed and perhaps sent; and when the oldest of it was claimed. */
export type QueueRow = { network: string; claimed: number; prepared: number; broadcast: number; oldest: Date }

/** A settlement that has been on its way for too long. */
export type StuckRow = {
  id: string
  network: string
  state: 'CLAIMED' | 'PREPARED' | 'BROADCAST'
  tenantId: string
  payer: string
  /** Digits of atomic units. */
  amount: string
  createdAt: Date
}

/** What a network's transactions cost in a class, in its smallest unit as digits, over so many UTC days, of which the last is not over. */
export type SpendRow = { network: string; sandbox: boolean; spent: string; days: number }

// As the partial index of callers writes it: what is finished is never looked at.
const ON_ITS_WAY = Prisma.sql`"state" IN ('CLAIMED', 'PREPARED', 'BROADCAST')`

/** What every network has on its way; none for a network that has nothing. */
export function readQueues(db: Db): Promise<QueueRow[]> {
  return db.$queryRaw<QueueRow[]>`
    SELECT "network", count(*) FILTER (WHERE "state" = 'CLAIMED')::int AS "claimed",
      count(*) FILTER (WHERE "state" = 'PREPARED')::int AS "prepared",
      count(*) FILTER (WHERE "state" = 'BROADCAST')::int AS "broadcast", min("createdAt") AS "oldest"
    FROM "Settlement" WHERE ${ON_ITS_WAY} GROUP BY "network" ORDER BY "network"`
}

/** What has been on its way for more than so many seconds, the oldest first. */
export function readStuck(db: Db, { seconds, limit }: { seconds: number; limit: number }): Promise<StuckRow[]> {
  return db.$queryRaw<StuckRow[]>`
    SELECT "id", "network", "state", "tenantId", "payer", "amount"::text AS "amount", "createdAt"
    FROM "Settlement" WHERE ${ON_ITS_WAY} AND "createdAt" < now() - ${seconds}::int * interval '1 second'
    ORDER BY "createdAt", "id" LIMIT ${limit}`
}

/** What was spent on gas in the last UTC days, today among them, by network and by whether it was for this tenant of the sandbox. */
export function readSpend(db: Db, sandboxTenant: string, days: number): Promise<SpendRow[]> {
  // Counted from the first day on which anything was spent, so that a service a day old is not taken for a thrifty one.
  return db.$queryRaw<SpendRow[]>`
    SELECT "network", "tenantId" = ${sandboxTenant}::uuid AS "sandbox", sum("spent")::text AS "spent",
      (now() AT TIME ZONE 'UTC')::date - min("day") + 1 AS "days"
    FROM "SponsorSpend" WHERE "day" > (now() AT TIME ZONE 'UTC')::date - ${days}::int
    GROUP BY 1, 2`
}
