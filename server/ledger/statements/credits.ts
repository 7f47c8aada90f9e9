import type { Db } from '../../db/database'
import { type Sql, sql } from '../../db/sql'
import { type Environment, pastTestnets } from '../../x402/networks/networks'

/** A wallet's prepaid credits in an environment. */
export type CreditKey = { wallet: string; environment: Environment }

/** A wallet's bought credits without undone ones, and what it used. */
export type CreditAccount = { purchased: number; used: number; verifications: number }

/** The `period` and `subject` of a settlement that credits pay for: the database counts an account's use by them. */
export const PREPAID = 'prepaid'
export const subjectOfCredits = ({ wallet, environment }: CreditKey) => `credits:${environment}:${wallet}`

const environmentIn = (network: Sql) =>
  sql`CASE WHEN ${network} = ANY(${pastTestnets()}::text[]) THEN 'testnet' ELSE 'mainnet' END`

/**
 * The common table expressions that credit wallets in the statement that makes their settlements answerable, or take the credits back in
 * the one that undoes them: each once. They read from `moved`, which returns whole "Settlement" rows.
 */
export function creditsOfMoved({ success }: { success: boolean }): Sql {
  const entries = success
    ? sql`SELECT m."payer", ${environmentIn(sql`m."network"`)}, 'purchase', m."credits", m."id" FROM moved m WHERE m."credits" > 0`
    : sql`
      SELECT e."wallet", e."environment", 'reversal', -e."delta", e."settlementId"
      FROM moved m JOIN "CreditEntry" e ON e."settlementId" = m."id" AND e."kind" = 'purchase' WHERE m."credits" > 0`
  // A proposed row must satisfy the table's checks even when it only updates an existing one, so the insert never goes below zero.
  return sql`
    entered AS (
      INSERT INTO "CreditEntry" ("wallet", "environment", "kind", "delta", "settlementId") ${entries}
      ON CONFLICT ("settlementId", "kind") DO NOTHING RETURNING "wallet", "environment", "delta"
    ), credited AS (
      INSERT INTO "CreditAccount" AS a ("wallet", "environment", "purchased")
      SELECT "wallet", "environment", greatest(sum("delta"), 0) FROM entered GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT ("wallet", "environment") DO UPDATE SET "purchased" = a."purchased"
        + (SELECT sum(e."delta") FROM entered e WHERE e."wallet" = a."wallet" AND e."environment" = a."environment")
    )`
}

type AccountRow = Record<keyof CreditAccount, bigint>

const COLUMNS = sql`"purchased", "used", "verifications"`
const its = ({ wallet, environment }: CreditKey) => sql`"wallet" = ${wallet} AND "environment" = ${environment}`

/** An account; all zeros when nothing was ever bought. */
export async function readCredits(db: Db, key: CreditKey): Promise<CreditAccount> {
  const [row] = await db.query<AccountRow>`SELECT ${COLUMNS} FROM "CreditAccount" WHERE ${its(key)}`
  return accountOf(row)
}

/** What these wallets bought and used, live and test together. A wallet that never bought any is left out. */
export async function sumCredits(db: Db, wallets: readonly string[]): Promise<Map<string, CreditAccount>> {
  const rows = await db.queryUnprepared<AccountRow & { wallet: string }>`
    SELECT "wallet", sum("purchased")::bigint AS "purchased", sum("used")::bigint AS "used", sum("verifications")::bigint AS "verifications"
    FROM "CreditAccount" WHERE "wallet" = ANY(${[...wallets]}::text[]) GROUP BY "wallet"`
  return new Map(rows.map(({ wallet, ...row }) => [wallet, accountOf(row)]))
}

/** All accounts of a wallet, by environment. */
export async function listCredits(db: Db, wallet: string): Promise<(CreditAccount & { environment: string })[]> {
  const rows = await db.query<AccountRow & { environment: string }>`
    SELECT "environment", ${COLUMNS} FROM "CreditAccount" WHERE "wallet" = ${wallet} ORDER BY "environment"`
  return rows.map(({ environment, ...row }) => ({ environment, ...accountOf(row) }))
}

/** Takes a verification if the wallet has one left of `each` per bought credit. Null when it has none. */
export async function takeVerification(db: Db, key: CreditKey, each: number): Promise<CreditAccount | null> {
  const [row] = await db.query<AccountRow>`
    UPDATE "CreditAccount" SET "verifications" = "verifications" + 1
    WHERE ${its(key)} AND "verifications" < "purchased" * ${each}::int RETURNING ${COLUMNS}`
  return row ? accountOf(row) : null
}

/** A purchase of credits. The amount is atomic units as a decimal string. */
export type Purchase = { createdAt: Date; network: string; amount: string; credits: number; txHash: string }

/** The newest purchase of a wallet in an environment that was not undone. */
export async function findLastPurchase(db: Db, key: CreditKey): Promise<Purchase | null> {
  const [purchase] = await db.query<Purchase>`
    SELECT e."createdAt", s."network", s."amount"::text AS "amount", s."credits", COALESCE(s."txHash", '') AS "txHash"
    FROM "CreditEntry" e JOIN "Settlement" s ON s."id" = e."settlementId"
    WHERE e."wallet" = ${key.wallet} AND e."environment" = ${key.environment} AND e."kind" = 'purchase'
      AND NOT EXISTS (SELECT 1 FROM "CreditEntry" r WHERE r."settlementId" = e."settlementId" AND r."kind" = 'reversal')
    ORDER BY e."createdAt" DESC LIMIT 1`
  return purchase ?? null
}

// No account exceeds a safe integer: purchases are bounded, and so is the USDC supply.
function accountOf(row: AccountRow | undefined): CreditAccount {
  const count = (of: bigint | undefined) => Number(of ?? 0n)
  return { purchased: count(row?.purchased), used: count(row?.used), verifications: count(row?.verifications) }
}
