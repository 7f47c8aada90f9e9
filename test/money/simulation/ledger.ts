import type { Hex } from 'viem'
import { z } from 'zod'
import type { Database } from './database'
import { spentBy, word } from './token'

const text = z.string()
const digits = text.transform(BigInt)
/** The ledger has the nonces of Permit2 as digits. */
const nonce = text.transform((written): Hex => (written.startsWith('0x') ? `0x${written.slice(2)}` : word(BigInt(written))))
const payer = text.transform((written): Hex => `0x${written.slice(2)}`)
const method = z.enum(['eip3009', 'permit2', 'upto'])
const settlements = z.array(
  z.object({
    id: text,
    intent: text,
    payer,
    method,
    nonce,
    payTo: text,
    amount: text,
    maximum: text.nullable(),
    state: text,
    slotId: text.nullable(),
    txHash: text.nullable(),
    subject: text,
    delivered: z.boolean(),
    returns: z.number(),
    logged: z.boolean(),
    caller: text,
    tier: text,
    reason: text.nullable(),
    fundedSlotId: text.nullable(),
  }),
)
const acts = z.array(
  z.object({
    id: text,
    kind: z.enum(['deposit', 'claim', 'refund', 'sweep']),
    intent: text,
    payer,
    nonce: nonce.nullable(),
    channel: text.nullable(),
    amount: text,
    state: text,
    subject: text,
    txHash: text.nullable(),
  }),
)
const slots = z.array(
  z.object({
    id: text,
    laneId: text,
    nonce: digits,
    kind: text,
    state: text,
    attempts: z.number(),
    raw: payer.nullable(),
  }),
)
const lanes = z.array(z.object({ id: text, address: text, nextNonce: digits.nullable(), status: text }))
const usages = z.array(z.object({ subject: text, used: z.number(), returned: z.number() }))
const histories = z.array(z.object({ settlementId: text, success: z.boolean(), txHash: text }))
const events = z.array(z.object({ key: text }))
const paths = z.array(z.object({ path: text }))

export type Settlement = z.output<typeof settlements>[number]
/** A settlement that is no payment: a deposit into a channel, or an act on channels. */
export type ActRow = z.output<typeof acts>[number]

/** The ledger, read directly from the database. */
export type Ledger = {
  settlements: Settlement[]
  acts: ActRow[]
  slots: z.output<typeof slots>
  lanes: z.output<typeof lanes>
  usages: z.output<typeof usages>
}

/** Reads the state of the invariants in one statement. */
export function readLedger(database: Database): Ledger {
  const [row] = database.rows(LEDGER)
  return {
    settlements: settlements.parse(row?.settlements),
    acts: acts.parse(row?.acts),
    slots: slots.parse(row?.slots),
    lanes: lanes.parse(row?.lanes),
    usages: usages.parse(row?.usages),
  }
}

const all = (rows: string) => `(SELECT COALESCE(json_agg(t), '[]') FROM (${rows}) t)`

const LEDGER = `SELECT
  ${all(`SELECT "id"::text, encode("intentKey", 'hex') AS "intent", "payer", "transfer" #>> '{authorization,nonce}' AS "nonce", "payTo",
    COALESCE("transfer" ->> 'method', 'eip3009') AS "method", "amount"::text, "maximum"::text, "state", "slotId"::text, "txHash", "subject", "deliveredAt" IS NOT NULL AS "delivered", "returns", "logged", "caller", "tier",
    "reason", "fundedSlotId"::text
    FROM "Settlement" WHERE "kind" = 'payment' ORDER BY "id"`)} AS "settlements",
  ${all(`SELECT "id"::text, "kind", encode("intentKey", 'hex') AS "intent", "payer", "transfer" #>> '{authorization,nonce}' AS "nonce", "transfer" ->> 'channelId' AS "channel",
    "amount"::text, "state", "subject", "txHash" FROM "Settlement" WHERE "kind" <> 'payment' ORDER BY "id"`)} AS "acts",
  ${all(`SELECT "id"::text, "laneId"::text, "nonce"::text, "kind", "state", (SELECT count(*) FROM "Attempt" a WHERE a."slotId" = l."id") AS "attempts",
    (SELECT a."raw" FROM "Attempt" a WHERE a."slotId" = l."id" AND a."kind" = 'fund') AS "raw"
    FROM "Slot" l ORDER BY l."laneId", l."nonce"`)} AS "slots",
  ${all(`SELECT "id"::text, "address", "nextNonce"::text, "status" FROM "Lane"`)} AS "lanes",
  ${all(`SELECT "subject", "used", "returned" FROM "Usage" WHERE "meter" = 'settlement'`)} AS "usages"`

/** The history rows of settlements. */
export function readHistory(database: Database): z.output<typeof histories> {
  const rows = database.rows(`SELECT "settlementId"::text, "success", "txHash" FROM "History" WHERE "settlementId" IS NOT NULL`)
  return histories.parse(rows)
}

/** The webhook events in the outbox, with their settlements. */
export function readEvents(database: Database): string[] {
  return events.parse(database.rows(`SELECT "key" FROM "Outbox" WHERE "kind" = 'webhooks'`)).map(({ key }) => key)
}

/** The settlements whose payers are counted as ones that took ether and did not approve. */
export function readUnapproved(database: Database): string[] {
  const rows = database.rows(`SELECT "settlementId"::text AS "key" FROM "PayerFailure" WHERE "kind" = 'unapproved'`)
  return events.parse(rows).map(({ key }) => key)
}

const failures = z.array(
  z.object({ settlementId: text, state: text, txHash: text.nullable(), alone: z.boolean(), kind: text.nullable() }),
)

/** The settlements that used an authorization elsewhere, expired, or that a transaction was mined without, and how each counts against its payer; null where it does not. */
export function readFailures(database: Database): z.output<typeof failures> {
  const rows = database.rows(`
    SELECT s."id"::text AS "settlementId", s."state", s."txHash", a."kind" = 'pay' AND NOT a."succeeded" AS "alone", f."kind"
    FROM "Settlement" s LEFT JOIN "Attempt" a ON a."hash" = s."txHash" LEFT JOIN "PayerFailure" f ON f."settlementId" = s."id"
    WHERE s."state" IN ('USED_ELSEWHERE', 'EXPIRED') OR s."state" = 'UNPAID' AND s."returns" = 0`)
  return failures.parse(rows.map(({ alone, ...row }) => ({ ...row, alone: alone === true })))
}

/** What all tenants have spent, in wei. */
export function readSpent(database: Database): bigint {
  const [row] = database.rows(`SELECT COALESCE(sum("spent"), 0)::text AS "spent" FROM "SponsorSpend"`)
  return digits.parse(row?.spent)
}

const BY_PERMIT2 = `"transfer" ->> 'method' = 'permit2'`

/** The states and transaction kinds that settlements and slots went through. */
export function readPaths(database: Database): string[] {
  const rows = database.rows(`
    SELECT DISTINCT "to" AS "path" FROM "Step"
    UNION SELECT "kind" FROM "Attempt"
    UNION SELECT 'returned' FROM "Settlement" WHERE "returns" > 0
    UNION SELECT 'unpaid from its slot' FROM "Step" WHERE "from" <> 'CLAIMED' AND "to" = 'UNPAID'
    UNION SELECT 'undone' FROM "Step" WHERE "from" = 'INCLUDED' AND "to" = 'BROADCAST'
    UNION SELECT DISTINCT 'permit2 ' || s."to" FROM "Step" s JOIN "Settlement" o ON o."id" = s."settlementId" WHERE o.${BY_PERMIT2}
    UNION SELECT 'permit2 batch' FROM "Settlement" o JOIN "Attempt" a ON a."slotId" = o."slotId" AND a."kind" = 'batch' WHERE o.${BY_PERMIT2}
    UNION SELECT 'permit2 returned' FROM "Settlement" o WHERE o."returns" > 0 AND o.${BY_PERMIT2}
    UNION SELECT 'permit2 twins' FROM "Settlement" o WHERE o."state" = 'FINAL' AND o.${BY_PERMIT2} GROUP BY "payer", "payTo", "amount" HAVING count(*) > 1
    UNION SELECT DISTINCT 'upto ' || s."to" FROM "Step" s JOIN "Settlement" o ON o."id" = s."settlementId" WHERE o."maximum" IS NOT NULL
    UNION SELECT 'upto part' FROM "Settlement" WHERE "state" = 'FINAL' AND "amount" < "maximum"
    UNION SELECT DISTINCT 'channel ' || o."kind" || ' ' || s."to" FROM "Step" s JOIN "Settlement" o ON o."id" = s."settlementId" WHERE o."kind" <> 'payment'
    UNION SELECT DISTINCT 'approval ' || s."to" FROM "Step" s JOIN "Settlement" o ON o."id" = s."settlementId" WHERE o."transfer" ->> 'approval' IS NOT NULL
    UNION SELECT 'approval returned' FROM "Settlement" WHERE "returns" > 0 AND "transfer" ->> 'approval' IS NOT NULL
    UNION SELECT 'approval unapproved' FROM "PayerFailure" WHERE "kind" = 'unapproved'
    UNION SELECT 'replaced' FROM "Attempt" WHERE "kind" <> 'noop' GROUP BY "slotId" HAVING count(*) > 1`)
  return paths.parse(rows).map(({ path }) => path)
}

/** The key of what a settlement's payer signed. */
export const spentIn = ({ payer, method, nonce }: Pick<Settlement, 'payer' | 'method' | 'nonce'>): string =>
  spentBy({ method, from: payer, nonce })

const OVER = new Set(['FINAL', 'UNCHARGED', 'REJECTED', 'REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID', 'REVERSED'])

/** Whether a settlement has freed its intent. */
export const frees = ({ state }: Pick<Settlement, 'state'>): boolean => state === 'REJECTED' || state === 'UNPAID'

/** Whether a settlement ended as a success that stands: paid, or charged nothing. */
export const isPaid = ({ state }: Pick<Settlement, 'state'>): boolean => state === 'FINAL' || state === 'UNCHARGED'

/** Whether a settlement is final. */
export const isOver = ({ state }: Pick<Settlement, 'state'>): boolean => OVER.has(state)
