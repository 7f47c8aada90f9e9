import pg from 'pg'
import { z } from 'zod'

const text = z.string()
const whole = z.coerce.bigint()
const age = z.coerce.number()

const settlementSchema = z.object({
  id: text,
  kind: text,
  subject: text,
  period: text,
  network: text,
  payer: text,
  nonce: text,
  asset: text,
  amount: whole,
  maximum: whole.nullable(),
  state: text,
  logged: z.boolean(),
  ageMs: age,
  txHash: text.nullable(),
  channelId: text.nullable(),
})
const slotSchema = z.object({ lane: text, nonce: whole, state: text, ageMs: age })
const laneSchema = z.object({ lane: text, network: text, address: text, nextNonce: whole.nullable() })
const historySchema = z.object({
  id: text,
  settlementId: text.nullable(),
  network: text,
  payer: text,
  payTo: text,
  amount: whole,
  success: z.boolean(),
  txHash: text,
})
const usageSchema = z.object({ subject: text, period: text, used: z.number(), returned: z.number() })
const channelSchema = z.object({
  network: text,
  id: text,
  signed: whole,
  charged: whole,
  /** Whether its merchant's server keeps it here. */
  kept: z.boolean(),
})
const claimRowSchema = z.object({ settlementId: text, channelId: text, total: whole })
const signatureSchema = z.object({ signature: text })

export type SettlementRow = z.infer<typeof settlementSchema>
export type SlotRow = z.infer<typeof slotSchema>
export type LaneRow = z.infer<typeof laneSchema>
export type HistoryRow = z.infer<typeof historySchema>
type UsageRow = z.infer<typeof usageSchema>

/** The auditor's view of the database at one moment. */
export type Ledger = {
  settlements: SettlementRow[]
  slots: SlotRow[]
  lanes: LaneRow[]
  history: HistoryRow[]
  usage: UsageRow[]
  channels: z.infer<typeof channelSchema>[]
  /** The rows of claims, and of refunds. */
  claimRows: z.infer<typeof claimRowSchema>[]
  /** The recorded Solana signatures. */
  signatures: string[]
}

const age_ms = `extract(epoch FROM now() - "createdAt") * 1000 AS "ageMs"`
const queries = {
  settlements: `SELECT "id", "kind", "subject", "period", "network", "payer", coalesce("transfer" -> 'authorization' ->> 'nonce', '0x' || encode("intentKey", 'hex'))
    AS "nonce", "asset", "amount"::text, "maximum"::text, "state", "logged", "txHash", "transfer" ->> 'channelId' AS "channelId", ${age_ms} FROM "Settlement"`,
  slots: `SELECT "laneId" AS "lane", "nonce", "state", ${age_ms} FROM "Slot" ORDER BY "laneId", "nonce"`,
  lanes: `SELECT "id" AS "lane", "network", "address", "nextNonce" FROM "Lane"`,
  history: `SELECT "id", "settlementId", "network", "payer", "payTo", "amount"::text, "success", "txHash" FROM "History"`,
  usage: `SELECT "subject", "period", "used", "returned" FROM "Usage" WHERE "meter" = 'settlement'`,
  channels: `SELECT "network", "id", "signed"::text, "charged"::text, "stored" AND "deletedAt" IS NULL AS "kept" FROM "Channel"`,
  claimRows: `SELECT "settlementId", "channelId", "total"::text FROM "ChannelClaim"`,
  signatures: `SELECT "signature" FROM "SvmAttempt"`,
}

/** Reads the ledger in one read-only snapshot. */
export async function readLedger(databaseUrl: string): Promise<Ledger> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const rows = async <T>(schema: z.ZodType<T>, sql: string) => z.array(schema).parse((await client.query(sql)).rows)
    return {
      settlements: await rows(settlementSchema, queries.settlements),
      slots: await rows(slotSchema, queries.slots),
      lanes: await rows(laneSchema, queries.lanes),
      history: await rows(historySchema, queries.history),
      usage: await rows(usageSchema, queries.usage),
      channels: await rows(channelSchema, queries.channels),
      claimRows: await rows(claimRowSchema, queries.claimRows),
      signatures: (await rows(signatureSchema, queries.signatures)).map(({ signature }) => signature),
    }
  } finally {
    await client.end()
  }
}
