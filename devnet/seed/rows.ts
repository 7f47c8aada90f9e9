import type pg from 'pg'
import { gasOf } from './history'
import type { StoredRow } from './webhook'

const ROWS_AT_ONCE = 1_000

/** Who has rows of history. */
type RowsOwner = { kind: string; id: string }

/** Writes rows of an owner to the history. `told`: the ids of those of which a webhook heard. */
export async function insertRows(
  client: pg.Client,
  owner: RowsOwner,
  rows: readonly StoredRow[],
  told: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) await insert(client, owner, rows.slice(at, at + ROWS_AT_ONCE), told)
}

async function insert(client: pg.Client, owner: RowsOwner, rows: readonly StoredRow[], told: ReadonlySet<string>): Promise<void> {
  const written = rows.map((row) => ({ ...row, settlementId: told.has(row.id) ? row.id : null }))
  await client.query(
    `INSERT INTO "History" ("id", "settlementId", "createdAt", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "tier", "amount",
       "success", "txHash", "errorReason", "settleMs")
     SELECT r."id", r."settlementId", r."createdAt", $2, $3, r."tenantId", r."payer", r."payTo", r."network", r."resource", r."plan", r."tier", r."amount", r."success",
       r."txHash", r."errorReason", r."settleMs"
     FROM jsonb_to_recordset($1::jsonb) AS r("id" uuid, "settlementId" uuid, "createdAt" timestamptz, "tenantId" uuid, "payer" text, "payTo" text, "network" text,
       "resource" text, "plan" text, "tier" text, "amount" numeric, "success" boolean, "txHash" text, "errorReason" text, "settleMs" int)`,
    [JSON.stringify(written), owner.kind, owner.id],
  )
}

/** What is known of a row's transaction. */
type SentRow = Pick<StoredRow, 'createdAt' | 'tenantId' | 'network' | 'txHash'>

/** Adds what the transactions of these rows cost in gas, by day, tenant and network. */
export async function addGas(client: pg.Client, rows: readonly SentRow[]): Promise<void> {
  await client.query(
    `INSERT INTO "SponsorSpend" AS s ("day", "tenantId", "network", "spent") ${GAS_BY_DAY}
     ON CONFLICT ("day", "tenantId", "network") DO UPDATE SET "spent" = s."spent" + EXCLUDED."spent"`,
    [gasOfEach(rows)],
  )
}

/** Takes back what `addGas` added. */
export async function removeGas(client: pg.Client, rows: readonly SentRow[]): Promise<void> {
  await client.query(
    `WITH gone AS (${GAS_BY_DAY}), less AS (
       DELETE FROM "SponsorSpend" s USING gone g
       WHERE s."day" = g."day" AND s."tenantId" = g."tenantId" AND s."network" = g."network" AND s."spent" <= g."spent"
     )
     UPDATE "SponsorSpend" s SET "spent" = s."spent" - g."spent" FROM gone g
     WHERE s."day" = g."day" AND s."tenantId" = g."tenantId" AND s."network" = g."network" AND s."spent" > g."spent"`,
    [gasOfEach(rows)],
  )
}

const GAS_BY_DAY = `
  SELECT (r."createdAt" AT TIME ZONE 'UTC')::date AS "day", r."tenantId", r."network", sum(r."gas") AS "spent"
  FROM jsonb_to_recordset($1::jsonb) AS r("createdAt" timestamptz, "tenantId" uuid, "network" text, "gas" numeric) GROUP BY 1, 2, 3`

function gasOfEach(rows: readonly SentRow[]): string {
  const sent = rows.filter(({ txHash }) => txHash !== '')
  return JSON.stringify(
    sent.map(({ createdAt, tenantId, network }) => ({ createdAt, tenantId, network, gas: gasOf({ network }).toString() })),
  )
}
