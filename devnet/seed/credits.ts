import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { OPERATOR_TENANT } from '../../server/accounts/caller'
import { CREDIT_PRICE, PURCHASE_PATH } from '../../server/accounts/credit-price'
import { MINUTE_MS } from '../../server/base/durations'
import { mainAsset } from '../../server/x402/networks/networks'
import { type AgentHistory, costCredit, SEEDED_AGENT, type SeededPurchase } from './agent'
import { BASE } from './history'
import { addGas, insertRows, removeGas } from './rows'
import type { StoredRow } from './webhook'

/** The owner of the sample agent's key. */
export const AGENT_OWNER = { kind: 'wallet', id: SEEDED_AGENT.wallet } as const

const SYSTEM = { kind: 'system', id: 'quittance' } as const
const ENVIRONMENT = 'mainnet'
/** Who bought the credits: no client has this name. */
const CALLER = 'purchase:sample'
const SETTLE_MS = 1_800
/** The states of a purchase with their times after its claim, in milliseconds. */
const STEPS = [
  ['PREPARED', 90],
  ['BROADCAST', 140],
  ['INCLUDED', SETTLE_MS],
  ['FINAL', 60_000],
] as const

/** Writes the agent with its key, its purchases and what it settled. Returns the credits left. */
export async function addAgent(
  client: pg.Client,
  { rows, purchases }: Omit<AgentHistory, 'rows'> & { rows: StoredRow[] },
): Promise<number> {
  await addTenant(client, rows, purchases)
  const [bought, used] = [creditsOf(purchases), rows.filter(costCredit).length]
  // A client verifies before it settles.
  await client.query(
    `INSERT INTO "CreditAccount" AS a ("wallet", "environment", "purchased", "used", "verifications") VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ("wallet", "environment") DO UPDATE SET "purchased" = a."purchased" + EXCLUDED."purchased",
       "used" = a."used" + EXCLUDED."used", "verifications" = a."verifications" + EXCLUDED."verifications"`,
    [SEEDED_AGENT.wallet, ENVIRONMENT, bought, used, rows.length],
  )
  for (const purchase of purchases) await addPurchase(client, purchase)
  const sold = purchases.map(rowOf)
  await insertRows(client, SYSTEM, sold, new Set(sold.map(({ id }) => id)))
  await insertRows(client, AGENT_OWNER, rows)
  await addGas(client, [...rows, ...sold])
  return bought - used
}

const creditsOf = (purchases: readonly Pick<SeededPurchase, 'credits'>[]) =>
  purchases.reduce((sum, { credits }) => sum + credits, 0)

async function addTenant(client: pg.Client, rows: readonly StoredRow[], [first]: readonly SeededPurchase[]): Promise<void> {
  const { tenantId, keyId, wallet } = SEEDED_AGENT
  // A key comes with the first purchase.
  const opened = new Date((first?.createdAt ?? new Date()).getTime() + MINUTE_MS)
  await client.query('INSERT INTO "Owner" ("kind", "id", "createdAt") VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    AGENT_OWNER.kind,
    wallet,
    opened,
  ])
  await client.query(
    `INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan", "name", "ownQuota", "createdAt")
     VALUES ($1, $2, $3, 'agent', 'Agent', false, $4) ON CONFLICT DO NOTHING`,
    [tenantId, AGENT_OWNER.kind, wallet, opened],
  )
  await client.query(
    'INSERT INTO "ApiKey" ("id", "tenantId", "hash", "prefix", "createdAt", "lastUsedAt") VALUES ($1, $2, $3, $4, $5, $6)',
    [keyId, tenantId, randomBytes(32), `qt_${tenantId.slice(-8)}`, opened, rows.at(-1)?.createdAt ?? null],
  )
}

/** The row of history of a purchase, which the operator's own tenant has. */
function rowOf({ id, createdAt, credits, txHash, payTo }: SeededPurchase): StoredRow {
  return {
    id,
    tenantId: OPERATOR_TENANT,
    plan: 'agent',
    tier: 'standard',
    network: BASE,
    amount: priceOf(credits),
    payer: SEEDED_AGENT.wallet,
    payTo,
    resource: `https://quittance.demo.example${PURCHASE_PATH}`,
    success: true,
    createdAt: new Date(createdAt.getTime() + SETTLE_MS),
    txHash,
    errorReason: null,
    settleMs: SETTLE_MS,
  }
}

const priceOf = (credits: number): string => (BigInt(credits) * CREDIT_PRICE).toString()

/** A finished settlement with its steps, and the entry of its credits. It has no transaction of a signer of ours, so another facilitator sent it. */
async function addPurchase(client: pg.Client, { id, createdAt, credits, txHash, payTo }: SeededPurchase): Promise<void> {
  const at = (ms: number) => new Date(createdAt.getTime() + ms)
  await client.query(
    `INSERT INTO "Settlement" ("id", "intentKey", "requestHash", "tenantId", "caller", "party", "subject", "period", "returnCap", "plan", "logged", "tier",
       "laneClass", "network", "asset", "payer", "payTo", "amount", "resource", "transfer", "declared", "expiresAt", "credits", "txHash", "nextCheckAt",
       "deliveredAt", "createdAt", "sinceBlock", "block")
     VALUES ($1, $2, $3, $4, $16, $16, 'service', 'none', 0, 'agent', true, 'standard', 'remote', $5, $6, $7, $8, $9, $10,
       '{}', '{}', $11, $12, $13, $14, $14, $15, 1, 1)`,
    [
      id,
      randomBytes(32),
      randomBytes(32),
      OPERATOR_TENANT,
      BASE,
      mainAsset(BASE).address.toLowerCase(),
      SEEDED_AGENT.wallet,
      payTo,
      priceOf(credits),
      `https://quittance.demo.example${PURCHASE_PATH}`,
      Math.floor(at(MINUTE_MS).getTime() / 1_000),
      credits,
      txHash,
      at(SETTLE_MS),
      createdAt,
      CALLER,
    ],
  )
  for (const [state] of STEPS) await client.query('UPDATE "Settlement" SET "state" = $2 WHERE "id" = $1', [id, state])
  // The database wrote each step with the time of now.
  for (const [seq, ms] of [0, ...STEPS.map(([, after]) => after)].entries()) {
    await client.query('UPDATE "Step" SET "at" = $3 WHERE "settlementId" = $1 AND "seq" = $2', [id, seq, at(ms)])
  }
  await client.query(
    `INSERT INTO "CreditEntry" ("wallet", "environment", "kind", "delta", "settlementId", "createdAt") VALUES ($1, $2, 'purchase', $3, $4, $5)`,
    [SEEDED_AGENT.wallet, ENVIRONMENT, credits, id, at(SETTLE_MS)],
  )
}

/**
 * Removes what `addAgent` wrote, and leaves what the wallet bought and settled since. Returns how many rows of history it had, and its
 * tenant unless that has payments of its own.
 */
export async function removeAgent(client: pg.Client): Promise<{ rows: number; tenants: string[] }> {
  const { wallet, tenantId, keyId } = SEEDED_AGENT
  const { rows: sold } = await client.query<{ id: string; credits: number }>(
    `DELETE FROM "Settlement" WHERE "tenantId" = $1 AND "caller" = $2 RETURNING "id", "credits"`,
    [OPERATOR_TENANT, CALLER],
  )
  const ids = sold.map(({ id }) => id)
  await client.query('DELETE FROM "CreditEntry" WHERE "settlementId" = ANY($1::uuid[])', [ids])
  // Its own payments have settlements, and made-up ones have none.
  const { rows } = await client.query<StoredRow>(
    `DELETE FROM "History" WHERE "settlementId" = ANY($1::uuid[]) OR "tenantId" = $2 AND "settlementId" IS NULL
     RETURNING "createdAt", "tenantId", "network", "txHash", "settleMs"`,
    [ids, tenantId],
  )
  await removeGas(client, rows)
  const uses = rows.filter((row) => row.tenantId === tenantId)
  await client.query('DELETE FROM "ApiKey" WHERE "id" = $1', [keyId])
  await client.query(
    `UPDATE "CreditAccount" SET "purchased" = "purchased" - $2, "used" = "used" - $3, "verifications" = "verifications" - $4
     WHERE "wallet" = $1 AND "environment" = '${ENVIRONMENT}'`,
    [wallet, creditsOf(sold), uses.filter(costCredit).length, uses.length],
  )
  await client.query('DELETE FROM "CreditAccount" WHERE "wallet" = $1 AND "purchased" = 0 AND "used" = 0', [wallet])
  const { rows: own } = await client.query('SELECT 1 FROM "Settlement" WHERE "tenantId" = $1 LIMIT 1', [tenantId])
  return { rows: rows.length, tenants: own.length > 0 ? [] : [tenantId] }
}
