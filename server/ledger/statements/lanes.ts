import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../db/database'
import { batchPerTick } from '../../db/database'
import { isGone } from '../../db/notices'
import { empty, type Sql, sql } from '../../db/sql'

/** Whose payments a lane sends: the sandbox and production never share a signer. */
export const laneClasses = ['sandbox', 'production'] as const
export type LaneClass = (typeof laneClasses)[number]

/** The submitter of a settlement: a lane class, or another facilitator, which has no slots here. */
export type Submitter = LaneClass | 'remote'

/** A lane under our lease. `epoch` fences every allocation: statements of an expired holder change nothing. */
export type Lease = {
  laneId: string
  epoch: number
  holder: string
  nextNonce: bigint | null
  status: string
  quarantineWhy: string | null
}

/** A lane: a signer on a network, and whose payments it sends. The address is in lower case on EVM. */
export type LaneKey = { network: string; address: string; class: LaneClass }

/** The share of a lease after which it counts as not renewed. Its holder renews it after a third. */
const MISSED = 0.5

/** How a process may take a lane before its lease expires: from any holder, from one that ended, or not at all. */
type Stealing = 'from any' | 'from dead' | false

/** Whether a process may take the lane `l`. */
function isFree(by: { class: Sql; holder: Sql; leaseMs: number; stealing: Stealing }): Sql {
  const missed = sql`l."leaseUntil" < now() + ${Math.round(by.leaseMs * MISSED)}::int * interval '1 ms'`
  const taking = { 'from any': sql` OR true`, 'from dead': sql` OR (${missed} AND ${isGone(sql`l."holder"`)})` } as const
  const early = by.stealing ? taking[by.stealing] : empty
  return sql`(l."class" = ${by.class} AND (l."holder" IS NULL OR l."holder" = ${by.holder} OR l."leaseUntil" < now()${early}))`
}

/**
 * Takes or renews a lane's lease by the database's clock. `stealing` takes it before it expires. `from any`: only when the database's
 * folder lock proves that the holder is gone. `from dead`: from a process that ended and has missed a renewal. `usable` stays the last
 * holder's value until the new holder reports its own. Null while another
 * instance holds the lease.
 */
export async function takeLease(
  db: Db,
  lane: LaneKey,
  by: { holder: string; leaseMs: number; stealing: Stealing; usable: boolean },
): Promise<Lease | null> {
  const [lease] = await db.query<Lease>`
    INSERT INTO "Lane" AS l ("id", "network", "address", "class", "holder", "epoch", "leaseUntil", "usable")
    VALUES (${uuidv7()}::uuid, ${lane.network}, ${lane.address}, ${lane.class}, ${by.holder}, 1, now() + ${by.leaseMs}::int * interval '1 ms', ${by.usable})
    ON CONFLICT ("network", "address") DO UPDATE
      SET "epoch" = CASE WHEN l."holder" = ${by.holder} THEN l."epoch" ELSE l."epoch" + 1 END,
        "holder" = ${by.holder}, "leaseUntil" = now() + ${by.leaseMs}::int * interval '1 ms',
        "usable" = CASE WHEN l."holder" = ${by.holder} THEN ${by.usable} ELSE l."usable" END
      WHERE ${isFree({ class: sql`${lane.class}`, holder: sql`${by.holder}`, leaseMs: by.leaseMs, stealing: by.stealing })}
    RETURNING "id" AS "laneId", "epoch", "holder", "nextNonce", "status", "quarantineWhy"`
  return lease ?? null
}

/** What a process sees of a lane before it reads the chain for it: whether it may take it, and whether an operator must release it. */
type LaneSeen = { free: boolean; quarantined: boolean }

/** Looks at a lane without taking it. The lanes of a process share one statement. */
export function lookAtLane(db: Db, lane: LaneKey, by: LookingBy): Promise<LaneSeen> {
  return looksBatched(db, { lane, by })
}

type LookingBy = { holder: string; leaseMs: number; stealing: Stealing }

const looksBatched = batchPerTick(async (db: Db, looks: readonly { lane: LaneKey; by: LookingBy }[]): Promise<LaneSeen[]> => {
  const [first] = looks
  if (!first) return []
  const column = (of: (lane: LaneKey) => string) => looks.map(({ lane }) => of(lane))
  // One process has one name, one lease time and one way to take lanes.
  const free = isFree({ ...first.by, class: sql`looks."class"`, holder: sql`${first.by.holder}` })
  return db.query<LaneSeen>`
      SELECT COALESCE(${free}, true) AS "free", COALESCE(l."status" = 'quarantined', false) AS "quarantined"
      FROM unnest(${column(({ network }) => network)}::text[], ${column(({ address }) => address)}::text[], ${column((one) => one.class)}::text[])
        WITH ORDINALITY AS looks("network", "address", "class", "at")
        LEFT JOIN "Lane" l ON l."network" = looks."network" AND l."address" = looks."address"
      ORDER BY looks."at"`
})

/** The lanes that any instance had a lease of within the last five minutes. */
export function listLeased(db: Db): Promise<LaneKey[]> {
  return db.query<LaneKey>`SELECT "network", "address", "class" FROM "Lane" WHERE "leaseUntil" > now() - interval '5 minutes'`
}

/** The time in which the next instance takes a lane with an expired lease. */
const TAKEN_AGAIN_MS = 5_000

/**
 * Whether a lane of these signers was usable a moment ago: its lease is held, or it just expired and the next holder takes the claims
 * too. Ignores lanes held by `except`.
 */
export function isUsedElsewhere(db: Db, of: Signers, except: string | null): Promise<boolean> {
  return usedBatched(db, { ...of, except })
}

/** `sender`: only this one of them; null: any. */
type Signers = { network: string; class: LaneClass; sender: string | null }

const usedBatched = batchPerTick(
  async (db: Db, lookups: readonly (Signers & { except: string | null })[]): Promise<boolean[]> => {
    const column = (of: (one: (typeof lookups)[number]) => string) => lookups.map(of)
    const rows = await db.query<{ held: boolean }>`
    SELECT EXISTS (
      SELECT 1 FROM "Lane" l WHERE l."network" = lookups."network" AND l."class" = lookups."class" AND l."usable"
        AND (lookups."sender" = '' OR l."address" = lookups."sender")
        AND (lookups."except" = '' OR l."holder" IS DISTINCT FROM lookups."except")
        AND l."leaseUntil" > now() - ${TAKEN_AGAIN_MS}::int * interval '1 ms'
    ) AS "held"
    FROM unnest(${column(({ network }) => network)}::text[], ${column((one) => one.class)}::text[], ${column(({ except }) => except ?? '')}::text[],
      ${column(({ sender }) => sender ?? '')}::text[])
      WITH ORDINALITY AS lookups("network", "class", "except", "sender", "at") ORDER BY lookups."at"`
    return rows.map(({ held }) => held)
  },
)

/** Releases a lease, so that another instance may take the lane at once. The row stays usable until then. */
export async function releaseLease(db: Db, lease: Lease): Promise<void> {
  await db.execute`
    UPDATE "Lane" SET "holder" = NULL, "leaseUntil" = LEAST("leaseUntil", now())
    WHERE "id" = ${lease.laneId}::uuid AND "epoch" = ${lease.epoch} AND "holder" = ${lease.holder}`
}

/** Sets the first nonce of a new lane. Later ones come only from allocations. */
export async function startNonce(db: Db, lease: Lease, nonce: bigint): Promise<void> {
  await db.execute`
    UPDATE "Lane" SET "nextNonce" = ${nonce} WHERE "id" = ${lease.laneId}::uuid AND "epoch" = ${lease.epoch} AND "nextNonce" IS NULL`
}

/** Takes a lane out of service until an operator acts: its chain and its row disagree. */
export async function quarantine(db: Db, lease: Lease, why: string): Promise<void> {
  await db.execute`
    UPDATE "Lane" SET "status" = 'quarantined', "quarantinedAt" = now(), "quarantineWhy" = ${why}
    WHERE "id" = ${lease.laneId}::uuid AND "epoch" = ${lease.epoch}`
}

/** A lane in the ledger. `idle`: its lease expired minutes ago, so no process has its key and a working node. */
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
 * Puts a quarantined lane back into service with this next nonce. The lease holder compares it with the chain again. False, and nothing
 * written, when the row changed since the operator saw it.
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
