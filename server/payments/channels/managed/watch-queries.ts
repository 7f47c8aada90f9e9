import type { Hex } from 'viem'
import type { Db } from '../../../db/database'
import { join, type Sql, sql } from '../../../db/sql'
import type { EvmNetworkId } from '../../../x402/networks/networks'
import type { ChannelState } from '../../../x402/schemes/batch-settlement/channel'
import { CLAIMED_HERE } from '../stored-queries'

/** The block that the rows of a network's channels follow. */
export type WatchedBlock = { number: bigint; hash: Hex }

/** The condition of the index "Channel_open": something of it can be claimed or withdrawn, or nobody has read its state yet. */
const OPEN = sql`("balance" > "claimed" OR "charged" > "claimed" OR "syncedBlock" IS NULL)`

/** The condition of the index "Channel_unread". */
const UNREAD = sql`"syncedBlock" IS NULL`

/** Whether a network has an open channel or a payout that is due, and whether the state of a channel was never read. */
export async function findWatched(db: Db, network: EvmNetworkId): Promise<{ has: boolean; unread: boolean }> {
  const [row] = await db.query<{ has: boolean; unread: boolean }>`
    SELECT EXISTS (SELECT 1 FROM "Channel" WHERE "network" = ${network} AND ${OPEN})
      OR EXISTS (SELECT 1 FROM "ChannelDue" WHERE "network" = ${network}) AS "has",
      EXISTS (SELECT 1 FROM "Channel" WHERE "network" = ${network} AND ${UNREAD}) AS "unread"`
  return row ?? { has: false, unread: false }
}

/**
 * Takes or renews the work for a network's channels by the database's clock. Returns the block that their rows follow, null at first; `elsewhere`
 * while another instance has it.
 */
export async function takeChannels(
  db: Db,
  network: EvmNetworkId,
  by: { holder: string; leaseMs: number },
): Promise<WatchedBlock | null | 'elsewhere'> {
  const [row] = await db.query<{ block: bigint | null; blockHash: string | null }>`
    INSERT INTO "ChannelWatch" AS w ("network", "holder", "leaseUntil")
    VALUES (${network}, ${by.holder}, now() + ${by.leaseMs}::int * interval '1 ms')
    ON CONFLICT ("network") DO UPDATE SET "holder" = EXCLUDED."holder", "leaseUntil" = EXCLUDED."leaseUntil"
      WHERE w."holder" = ${by.holder} OR w."leaseUntil" < now()
    RETURNING "block", "blockHash"`
  if (!row) return 'elsewhere'
  return row.block === null || row.blockHash === null ? null : { number: row.block, hash: `0x${row.blockHash.slice(2)}` }
}

/** Notes that the rows follow this block. */
export async function moveWatch(db: Db, network: EvmNetworkId, holder: string, block: WatchedBlock): Promise<void> {
  await db.execute`
    UPDATE "ChannelWatch" SET "block" = ${block.number}::bigint, "blockHash" = ${block.hash} WHERE "network" = ${network} AND "holder" = ${holder}`
}

/** Ends the lease, so that another instance may take it at once. */
export async function leaveChannels(db: Db, network: EvmNetworkId, holder: string): Promise<void> {
  await db.execute`
    UPDATE "ChannelWatch" SET "leaseUntil" = '-infinity' WHERE "network" = ${network} AND "holder" = ${holder}`
}

/** Which channels are read again: `undone` are those that were read in this block or later, except some. */
type Which = { of: 'ids'; ids: readonly Hex[] } | { of: 'all open' } | { of: 'undone'; since: bigint; except: readonly Hex[] }

// Each is a query of its own: for two in one with OR the rows of the whole network would be read.
const conditions = (which: Which): Sql[] => {
  switch (which.of) {
    case 'ids':
      return [sql`"id" = ANY(${which.ids}::text[])`, UNREAD]
    case 'undone':
      return [sql`"syncedBlock" >= ${which.since}::bigint AND NOT "id" = ANY(${which.except}::text[])`, UNREAD]
    case 'all open':
      return [OPEN]
  }
}

/** The ids of such channels after one of them, in order, at most so many. Ones that were never read are among them. */
export async function findToRead(
  db: Db,
  network: EvmNetworkId,
  { which, after, limit }: { which: Which; after: Hex | null; limit: number },
): Promise<Hex[]> {
  const parts = conditions(which).map(
    (one) => sql`
      (SELECT "id" FROM "Channel" WHERE "network" = ${network} AND "id" > ${after ?? ''} AND ${one} ORDER BY "id" LIMIT ${limit}::int)`,
  )
  const rows = await db.query<{
    id: string
  }>`SELECT "id" FROM (${join(parts, ' UNION ')}) found ORDER BY "id" LIMIT ${limit}::int`
  return rows.map(({ id }): Hex => `0x${id.slice(2)}`)
}

/** What a read changed of a channel that somebody has to know. */
export type SeenChange = { id: string; tenantId: string; withdrawing: boolean; frozen: boolean; unclaimed: string }

/** Why a channel cannot be claimed whose deposit left the chain. */
export const DEPOSIT_UNDONE = 'DepositReorganised'

/**
 * Writes what the chain says of channels in a block. What is older than a row's own block is passed over, unless blocks were `undone`. What
 * was claimed meanwhile of channels that the service claims is due to their receivers.
 */
export async function writeStates(
  db: Db,
  network: EvmNetworkId,
  seen: readonly { id: Hex; state: ChannelState }[],
  { block, undone = false }: { block: bigint; undone?: boolean },
): Promise<SeenChange[]> {
  if (seen.length === 0) return []
  const rows = seen.map(({ id, state }) => ({
    id,
    balance: String(state.balance),
    claimed: String(state.totalClaimed),
    withdrawing: String(state.withdrawAmount),
    withdrawAt: state.withdrawRequestedAt === 0n ? null : String(state.withdrawRequestedAt),
    refundNonce: String(state.refundNonce),
  }))
  return db.query<SeenChange>`
    WITH seen AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r("id" text, "balance" numeric, "claimed" numeric, "withdrawing" numeric, "withdrawAt" bigint, "refundNonce" numeric)
    ), before AS (
      SELECT c."id", c."balance", c."claimed", c."withdrawAt" FROM "Channel" c
      WHERE c."network" = ${network} AND c."id" IN (SELECT "id" FROM seen)
        AND (c."syncedBlock" IS NULL OR c."syncedBlock" <= ${block}::bigint OR ${undone}::boolean)
      ORDER BY c."id" FOR UPDATE
    ), written AS (
      UPDATE "Channel" c SET "balance" = r."balance", "claimed" = r."claimed", "withdrawing" = r."withdrawing",
        "withdrawAt" = to_timestamp(r."withdrawAt"), "refundNonce" = r."refundNonce", "syncedBlock" = ${block}::bigint, "syncedAt" = now(),
        "unclaimable" = CASE
          WHEN ${undone}::boolean AND r."balance" < b."balance" AND r."balance" < c."charged" THEN ${DEPOSIT_UNDONE}
          WHEN r."balance" <> c."balance" OR r."claimed" <> c."claimed" OR r."withdrawing" <> c."withdrawing" THEN NULL
          ELSE c."unclaimable" END
      FROM before b JOIN seen r USING ("id") WHERE c."network" = ${network} AND c."id" = b."id"
      RETURNING c.*, c."claimed" - b."claimed" AS "gained", b."withdrawAt" AS "withdrawBefore"
    ), due AS (
      INSERT INTO "ChannelDue" AS d ("network", "receiver", "token", "tenantId", "amount")
      SELECT "network", "receiver", "token", "tenantId", sum("gained") FROM written c
      -- A withdrawal may have ended in the block of its claim, or since.
      WHERE "gained" > 0 AND (${CLAIMED_HERE} OR "withdrawBefore" IS NOT NULL) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT ("network", "receiver", "token", "tenantId") DO UPDATE SET "amount" = d."amount" + EXCLUDED."amount"
    )
    SELECT "id", "tenantId", "withdrawAt" IS NOT NULL AND "withdrawBefore" IS DISTINCT FROM "withdrawAt" AS "withdrawing",
      COALESCE("unclaimable" = ${DEPOSIT_UNDONE}, false) AS "frozen", GREATEST("charged" - "claimed", 0)::text AS "unclaimed"
    FROM written`
}
