import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../db/database'
import { batchPerTick } from '../../db/database'
import { sql } from '../../db/sql'

/** Whose payments a lane carries: the sandbox and production never share a signer. */
export const laneClasses = ['sandbox', 'production'] as const
export type LaneClass = (typeof laneClasses)[number]

/** Who sends a settlement: lanes of a class, or another facilitator, which has no slots here. */
export type Submitter = LaneClass | 'remote'

/** A lane under our lease. `epoch` fences every allocation: a stale holder's statements touch nothing. */
export type Lease = {
  laneId: string
  epoch: number
  holder: string
  nextNonce: bigint | null
  status: string
  quarantineWhy: string | null
}

type LaneKey = { network: string; address: string; class: LaneClass }

/**
 * Takes the lease of a lane by the database's clock, or renews our own. `stealing` takes it from a live holder too: only for
 * a database whose folder lock proves that the holder is gone. What its last holder said of its use stays said until the new one knows
 * better. Null while another instance holds it.
 */
export async function takeLease(
  db: Db,
  lane: LaneKey,
  by: { holder: string; leaseMs: number; stealing: boolean; usable: boolean },
): Promise<Lease | null> {
  const [lease] = await db.query<Lease>`
    INSERT INTO "Lane" AS l ("id", "network", "address", "class", "holder", "epoch", "leaseUntil", "usable")
    VALUES (${uuidv7()}::uuid, ${lane.network}, ${lane.address}, ${lane.class}, ${by.holder}, 1, now() + ${by.leaseMs}::int * interval '1 ms', ${by.usable})
    ON CONFLICT ("network", "address") DO UPDATE
      SET "epoch" = CASE WHEN l."holder" = ${by.holder} THEN l."epoch" ELSE l."epoch" + 1 END,
        "holder" = ${by.holder}, "leaseUntil" = now() + ${by.leaseMs}::int * interval '1 ms',
        "usable" = CASE WHEN l."holder" = ${by.holder} THEN ${by.usable} ELSE l."usable" END
      WHERE l."class" = ${lane.class} AND (l."holder" IS NULL OR l."holder" = ${by.holder} OR l."leaseUntil" < now() OR ${by.stealing})
    RETURNING "id" AS "laneId", "epoch", "holder", "nextNonce", "status", "quarantineWhy"`
  return lease ?? null
}

/** A lane whose lease is over is taken by the next instance within this. */
const TAKEN_AGAIN_MS = 5_000

/**
 * Whether somebody could send with a lane of these signers a moment ago: who holds it still, or its lease is only just over and whoever
 * takes it next takes the claims too. What `except` holds is left out.
 */
export function isUsedElsewhere(db: Db, of: Signers, except: string | null): Promise<boolean> {
  return usedBatched(db, { ...of, except })
}

type Signers = { network: string; class: LaneClass }

const usedBatched = batchPerTick(async (db: Db, asked: readonly (Signers & { except: string | null })[]): Promise<boolean[]> => {
  const column = (of: (one: (typeof asked)[number]) => string) => asked.map(of)
  const rows = await db.query<{ held: boolean }>`
    SELECT EXISTS (
      SELECT 1 FROM "Lane" l WHERE l."network" = asked."network" AND l."class" = asked."class" AND l."usable"
        AND (asked."except" = '' OR l."holder" IS DISTINCT FROM asked."except")
        AND l."leaseUntil" > now() - ${TAKEN_AGAIN_MS}::int * interval '1 ms'
    ) AS "held"
    FROM unnest(${column(({ network }) => network)}::text[], ${column((one) => one.class)}::text[], ${column(({ except }) => except ?? '')}::text[])
      WITH ORDINALITY AS asked("network", "class", "except", "at") ORDER BY asked."at"`
  return rows.map(({ held }) => held)
})

/** Gives a lease up, so that another instance may take the lane at once; until one has, the row says whether it was usable. */
export async function releaseLease(db: Db, lease: Lease): Promise<void> {
  await db.execute`
    UPDATE "Lane" SET "holder" = NULL, "leaseUntil" = LEAST("leaseUntil", now())
    WHERE "id" = ${lease.laneId}::uuid AND "epoch" = ${lease.epoch} AND "holder" = ${lease.holder}`
}

/** Sets the first nonce of a lane that never sent anything. Later ones only come from allocations. */
export async function startNonce(db: Db, lease: Lease, nonce: bigint): Promise<void> {
  await db.execute`
    UPDATE "Lane" SET "nextNonce" = ${nonce} WHERE "id" = ${lease.laneId}::uuid AND "epoch" = ${lease.epoch} AND "nextNonce" IS NULL`
}

/** Takes a lane out of service until an operator looks: its chain and its row tell different stories. */
export async function quarantine(db: Db, lease: Lease, why: string): Promise<void> {
  await db.execute`
    UPDATE "Lane" SET "status" = 'quarantined', "quarantinedAt" = now(), "quarantineWhy" = ${why}
    WHERE "id" = ${lease.laneId}::uuid AND "epoch" = ${lease.epoch}`
}

/** A lane as the ledger has it. It is idle when nobody has held its lease for minutes: who has the key and a node that answers renews it, quarantined or not. */
export type LaneRow = {
  id: string
  network: string
  address: string
  class: LaneClass
  status: 'ready' | 'quarantined'
  nextNonce: bigint | null
  quarantinedAt: Date | null
  quarantineWhy: string | null
  idle: boolean
}

const SHOWN = sql`"id", "network", "address", "class", "status", "nextNonce", "quarantinedAt", "quarantineWhy",
  "leaseUntil" < now() - interval '5 minutes' AS "idle"`

/** Every lane that ever had a lease. */
export function listLanes(db: Db): Promise<LaneRow[]> {
  return db.query<LaneRow>`SELECT ${SHOWN} FROM "Lane" ORDER BY "network", "class", "address"`
}

/** A lane by its id; null when there is none. */
export async function findLane(db: Db, id: string): Promise<LaneRow | null> {
  const [lane] = await db.query<LaneRow>`SELECT ${SHOWN} FROM "Lane" WHERE "id" = ${id}::uuid`
  return lane ?? null
}

/**
 * Puts a quarantined lane back into service: its next transaction has that nonce. Whoever holds its lease compares it with its chain anew.
 * False, and nothing written, when the row is not any more as the operator saw it.
 */
export async function releaseQuarantine(
  db: Db,
  { id, nextNonce: seen }: Pick<LaneRow, 'id' | 'nextNonce'>,
  nextNonce: bigint,
): Promise<boolean> {
  const rows = await db.execute`
    UPDATE "Lane" SET "status" = 'ready', "nextNonce" = ${nextNonce}, "epoch" = "epoch" + 1, "quarantinedAt" = NULL, "quarantineWhy" = NULL
    WHERE "id" = ${id}::uuid AND "status" = 'quarantined' AND "nextNonce" IS NOT DISTINCT FROM ${seen}`
  return rows === 1
}
