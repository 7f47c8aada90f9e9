import type { Db } from '../../db/database'
import { sql, uuids, withoutDisk } from '../../db/sql'

/** The newest block that a watcher saw. Times are Unix seconds, fees wei. */
export type SeenBlock = { number: bigint; hash: `0x${string}`; timestamp: bigint; baseFee: bigint }

/** A slot as another instance recorded it: whether its nonce is used, and which settlements are still in it. */
type RecordedSlot = { slotId: string; filled: boolean; memberIds: string[] }

/**
 * Takes or renews the watch of a network by the database's clock, and publishes the newest block for the other instances. False while
 * another instance has it.
 */
export async function takeWatch(
  db: Db,
  network: string,
  by: { holder: string; leaseMs: number },
  seen: SeenBlock | null,
): Promise<boolean> {
  const block = sql`${seen?.number ?? null}::bigint, ${seen?.hash ?? null}, ${seen?.timestamp ?? null}::bigint, ${seen?.baseFee.toString() ?? null}::numeric`
  const rows = await db.query<unknown>`
    INSERT INTO "WatchCursor" AS w ("network", "holder", "leaseUntil", "block", "blockHash", "blockTime", "baseFee")
    VALUES (${network}, ${by.holder}, now() + ${by.leaseMs}::int * interval '1 ms', ${block})
    ON CONFLICT ("network") DO UPDATE
      SET "holder" = ${by.holder}, "leaseUntil" = EXCLUDED."leaseUntil", "block" = EXCLUDED."block", "blockHash" = EXCLUDED."blockHash",
        "blockTime" = EXCLUDED."blockTime", "baseFee" = EXCLUDED."baseFee"
      WHERE (w."holder" = ${by.holder} OR w."leaseUntil" < now()) AND ${withoutDisk}
    RETURNING 1`
  return rows.length === 1
}

/** Releases the watch of a network, so that another instance may take it at once. */
export async function releaseWatch(db: Db, network: string, holder: string): Promise<void> {
  await db.execute`
    UPDATE "WatchCursor" SET "leaseUntil" = '-infinity' WHERE "network" = ${network} AND "holder" = ${holder} AND ${withoutDisk}`
}

type CursorRow = { block: bigint; blockHash: string; blockTime: bigint; baseFee: string }

/** The newest block that the watcher of a network has seen. */
export async function findSeenBlock(db: Db, network: string): Promise<SeenBlock | null> {
  const [row] = await db.query<CursorRow>`
    SELECT "block", "blockHash", "blockTime", "baseFee" FROM "WatchCursor"
    WHERE "network" = ${network} AND "leaseUntil" > now() AND "block" IS NOT NULL`
  if (!row) return null
  const { block, blockHash, blockTime, baseFee } = row
  return { number: block, hash: `0x${blockHash.slice(2)}`, timestamp: blockTime, baseFee: BigInt(baseFee) }
}

/** These slots as they are recorded. */
export function findRecordedSlots(db: Db, slotIds: string[]): Promise<RecordedSlot[]> {
  return db.query<RecordedSlot>`
    SELECT l."id" AS "slotId", l."state" = 'filled' AS "filled",
      ARRAY(SELECT s."id"::text FROM "Settlement" s WHERE s."slotId" = l."id" AND s."state" IN ('PREPARED', 'BROADCAST', 'PRECONFIRMED')) AS "memberIds"
    FROM "Slot" l WHERE l."id" IN (${uuids(slotIds)})`
}
