import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { HOUR_MS } from '../../server/base/durations'
import { connect } from '../../server/db/database'
import { EMBEDDED_LIMITS, openEmbedded } from '../../server/db/embedded'
import { migrate } from '../../server/db/migrate'
import { databaseIn } from '../world-folder'
import { agentHistory } from './agent'
import { addChannels } from './channels'
import { AGENT_OWNER, addAgent, removeAgent } from './credits'
import { DEMO_OWNER, type SeededRow, seededHistory, seededTenants } from './history'
import { addIncident, removeIncident } from './incident'
import { listResources } from './listings'
import { addGas, insertRows } from './rows'
import { makeWebhook, SEEDED_WEBHOOK, type StoredRow, toldOf } from './webhook'

/** What `seed` made: rows of history, listed resources, deliveries of the webhook, and credits that the sample agent has left. */
type Seeded = { settlements: number; listings: number; deliveries: number; creditsLeft: number }

/** Replaces the demo owner's history, listings and webhook, the sample agent and an incident, in the database of a stopped service. */
export function seed(dataFolder: string, now = new Date()): Promise<Seeded> {
  return withDatabase(dataFolder, (url) => seedAt(url, now))
}

/** Replaces what `seed` makes in the migrated database at a URL. */
export async function seedAt(url: string, now: Date): Promise<Seeded> {
  const rows = seededHistory(now).map(stored)
  const agent = agentHistory(now)
  const used = { ...agent, rows: agent.rows.map(stored) }
  const creditsLeft = await inTransaction(url, async (client) => {
    await replace(client, rows, now)
    await addChannels(client, now)
    await addIncident(client, now)
    return addAgent(client, used)
  })
  const { db, close } = connect({ url, ...EMBEDDED_LIMITS })
  try {
    const [listings, deliveries] = [await listResources(db, rows), await makeWebhook(db, rows, now)]
    return { settlements: rows.length + used.rows.length + used.purchases.length, listings, deliveries, creditsLeft }
  } finally {
    await close()
  }
}

const stored = (row: SeededRow): StoredRow => ({ ...row, id: uuidv7({ msecs: row.createdAt.getTime() }) })

async function replace(client: pg.Client, rows: readonly StoredRow[], now: Date): Promise<void> {
  await remove(client)
  await client.query('INSERT INTO "Owner" ("kind", "id", "createdAt") VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    DEMO_OWNER.kind,
    DEMO_OWNER.id,
    openedAt(rows, now),
  ])
  for (const { id, name, plan } of seededTenants) {
    const created = openedAt(rowsOf(rows, id), now)
    await client.query(
      'INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan", "name", "ownQuota", "createdAt") VALUES ($1, $2, $3, $4, $5, false, $6) ON CONFLICT DO NOTHING',
      [id, DEMO_OWNER.kind, DEMO_OWNER.id, plan, name, created],
    )
  }
  await keysAndUnits(client, rows, now)
  await addGas(client, rows)
  const told = new Set(toldOf(rows).map(({ id }) => id))
  await insertRows(client, DEMO_OWNER, rows, told)
}

/** Removes exactly what `seed` made. Returns the number of history rows; null without a database. */
export async function unseed(dataFolder: string): Promise<number | null> {
  return existsSync(databaseIn(dataFolder)) ? withDatabase(dataFolder, unseedAt) : null
}

/** Removes exactly what `seed` made from the migrated database at a URL. */
export const unseedAt = (url: string): Promise<number> => inTransaction(url, remove)

/** Opens the database of a stopped service. */
async function withDatabase<T>(dataFolder: string, work: (url: string) => Promise<T>): Promise<T> {
  const embedded = await openEmbedded(databaseIn(dataFolder), { warn: () => {} })
  try {
    await migrate(embedded.url)
    return await work(embedded.url)
  } finally {
    await embedded.close()
  }
}

async function inTransaction<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } finally {
    await client.end()
  }
}

const rowsOf = (rows: readonly StoredRow[], tenant: string) => rows.filter(({ tenantId }) => tenantId === tenant)

/** An account exists for an hour before its first payment. */
const openedAt = ([first]: readonly StoredRow[], now: Date): Date => new Date((first?.createdAt ?? now).getTime() - HOUR_MS)

/** The first characters of a tenant's made-up key. */
const prefixOf = ({ id }: { id: string }) => `qt_${id.slice(-8)}`

const subjectOf = (plan: string) => `owner:${DEMO_OWNER.kind}:${DEMO_OWNER.id}:${plan}`

/** A key of each tenant, whose secret does not exist, and the units of this month that its history cost. */
async function keysAndUnits(client: pg.Client, rows: readonly StoredRow[], now: Date): Promise<void> {
  const month = now.toISOString().slice(0, 7)
  for (const { id, plan } of seededTenants) {
    const own = rowsOf(rows, id)
    const units = own.filter(({ createdAt }) => createdAt.toISOString().startsWith(month)).length
    await client.query(
      'INSERT INTO "ApiKey" ("id", "tenantId", "hash", "prefix", "createdAt", "lastUsedAt") VALUES ($1, $2, $3, $4, $5, $6)',
      [uuidv7(), id, randomBytes(32), prefixOf({ id }), openedAt(own, now), own.at(-1)?.createdAt ?? null],
    )
    // A client verifies before it settles.
    for (const meter of ['settlement', 'verification']) {
      await client.query('INSERT INTO "Usage" ("subject", "meter", "period", "used") VALUES ($1, $2, $3, $4)', [
        subjectOf(plan),
        meter,
        month,
        units,
      ])
    }
  }
}

async function remove(client: pg.Client): Promise<number> {
  await removeIncident(client)
  const ofAgent = await removeAgent(client)
  const seeded = [...seededTenants.map(({ id }) => id), ...ofAgent.tenants]
  const { rows: paid } = await client.query<{ id: string }>(
    'SELECT DISTINCT "tenantId"::text AS "id" FROM "Settlement" WHERE "tenantId" = ANY($1::uuid[])',
    [seeded],
  )
  // A tenant with payments of its own stays. Their settlements exist, and those of made-up rows do not.
  const tenants = seeded.filter((id) => !paid.some((one) => one.id === id))
  const { rowCount } = await client.query(
    `DELETE FROM "History" h WHERE "tenantId" = ANY($1::uuid[])
     AND NOT EXISTS (SELECT 1 FROM "Settlement" s WHERE s."id" = h."settlementId")`,
    [seeded],
  )
  await client.query('DELETE FROM "ApiKey" WHERE "tenantId" = ANY($1::uuid[]) AND "prefix" = ANY($2)', [
    seeded,
    seededTenants.map(prefixOf),
  ])
  // And all that was computed for these tenants since, such as daily sums.
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(c.table_name) AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.column_name = 'tenantId' AND c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type = 'uuid'`,
  )
  for (const { name } of rows) await client.query(`DELETE FROM ${name} WHERE "tenantId" = ANY($1::uuid[])`, [tenants])
  await client.query('DELETE FROM "ChannelUsage" WHERE "tenantId" = ANY($1::uuid[])', [seeded])
  await client.query('DELETE FROM "Channel" WHERE "tenantId" = ANY($1::uuid[])', [seeded])
  await client.query('DELETE FROM "Resource" WHERE "owner" = ANY($1)', [tenants.map((id) => `tenant:${id}`)])
  await client.query('DELETE FROM "WebhookDelivery" WHERE "endpointId" = $1', [SEEDED_WEBHOOK])
  await client.query('DELETE FROM "WebhookHour" WHERE "endpointId" = $1', [SEEDED_WEBHOOK])
  await client.query('DELETE FROM "WebhookEndpoint" WHERE "id" = $1', [SEEDED_WEBHOOK])
  await client.query('DELETE FROM "Usage" WHERE "subject" = ANY($1)', [seededTenants.map(({ plan }) => subjectOf(plan))])
  await client.query('DELETE FROM "Tenant" WHERE "id" = ANY($1::uuid[])', [tenants])
  for (const { kind, id } of [DEMO_OWNER, AGENT_OWNER]) {
    await client.query(
      'DELETE FROM "Owner" o WHERE "kind" = $1 AND "id" = $2 AND NOT EXISTS (SELECT 1 FROM "Tenant" t WHERE t."ownerKind" = o."kind" AND t."ownerId" = o."id")',
      [kind, id],
    )
  }
  return (rowCount ?? 0) + ofAgent.rows
}
