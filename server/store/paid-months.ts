import { Prisma } from '../../generated/prisma/client'
import { type Environment, networksIn } from '../x402/environments'
import type { Db } from './database'

/** What a payer paid in a month (`2026-11`, UTC) that it paid in. The amount is digits of atomic units. */
export type PaidMonth = { month: string; environment: Environment; payments: number; amount: string }

/** The months in which a payer's payments settled, from a moment on, oldest first: one range of the index (payer, createdAt, id). */
export async function readPaidMonths(db: Db, payer: string, since: Date): Promise<PaidMonth[]> {
  return db.$queryRaw<PaidMonth[]>`
    SELECT to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM') AS "month",
      CASE WHEN "network" IN (${Prisma.join(networksIn('testnet'))}) THEN 'testnet' ELSE 'mainnet' END AS "environment",
      count(*)::int AS "payments", sum("amount")::text AS "amount"
    FROM "History" WHERE "payer" = ${payer} AND "createdAt" >= ${since.toISOString()}::timestamptz AND "success"
    GROUP BY 1, 2 ORDER BY 1, 2`
}
