import { batchPerTick, type Db } from './database'
import { pruning, type Sql, sql } from './sql'

/** The effects of a success: its resource enters the catalog, and the agents of its payer are looked up. */
const effectKinds = ['catalog', 'agents'] as const
export type EffectKind = (typeof effectKinds)[number]

/** The kinds of outbox rows: those effects, webhooks for terminal states, and origins to ask whose a listing is. */
export const outboxKinds = [...effectKinds, 'webhooks', 'origins'] as const
export type OutboxKind = (typeof outboxKinds)[number]

/** A leased effect. `key` names its subject, `data` holds the facts when it was written; `old`: it has been open for a day. */
export type TakenEffect = { id: string; key: string; data: unknown; tries: number; old: boolean }

/** How long an agent lookup of a wallet stays fresh. */
const FRESH = sql`interval '24 hours'`

/**
 * The common table expression that writes the outbox rows of settlements that succeed for the first time, in the statement that makes
 * them answerable. Settlements without effects get none. It reads from `moved` and from `written`, the history rows, which deposits of
 * channels have not.
 */
export const effectsOfWritten = sql`
  , effects AS (
    INSERT INTO "Outbox" ("kind", "key")
    SELECT e."kind", CASE e."kind" WHEN 'agents' THEN m."payer" ELSE m."id"::text END AS "key"
    FROM moved m LEFT JOIN written w ON w."settlementId" = m."id" CROSS JOIN unnest(m."effects") AS e("kind")
    WHERE (w."first" OR m."kind" = 'deposit') AND (e."kind" <> 'agents'
      OR NOT EXISTS (SELECT 1 FROM "AgentLookup" l WHERE l."wallet" = m."payer" AND l."askedAt" > now() - ${FRESH}))
    ORDER BY 1, 2
    ON CONFLICT ("kind", "key") WHERE "doneAt" IS NULL DO NOTHING
  )`

type Taking = { kind: OutboxKind; limit: number; leaseMs: number }

/** Takes due effects of a kind under a lease of `leaseMs`, oldest first. The kinds asked for in one turn share a statement. */
export function takeEffects(db: Db, kind: OutboxKind, by: { limit: number; leaseMs: number }): Promise<TakenEffect[]> {
  return takenBatched(db, { kind, ...by })
}

const takenBatched = batchPerTick(async (db: Db, asked: readonly Taking[]): Promise<TakenEffect[][]> => {
  const kinds = asked.map(({ kind }) => kind)
  const column = (of: (one: Taking) => number) => asked.map(of)
  const rows = await db.query<TakenEffect & { at: number }>`
    WITH due AS MATERIALIZED (
      SELECT open."id", asked."leaseMs", asked."at"
      FROM unnest(${kinds}::text[], ${column(({ limit }) => limit)}::int[], ${column(({ leaseMs }) => leaseMs)}::int[])
        WITH ORDINALITY AS asked("kind", "limit", "leaseMs", "at")
      CROSS JOIN LATERAL (
        SELECT "id" FROM "Outbox" WHERE "kind" = asked."kind" AND "doneAt" IS NULL AND "nextAt" <= now()
        ORDER BY "nextAt", "id" LIMIT asked."limit" FOR UPDATE SKIP LOCKED
      ) open
    )
    UPDATE "Outbox" o SET "tries" = o."tries" + 1, "nextAt" = now() + due."leaseMs" * interval '1 ms'
    FROM due WHERE o."id" = due."id"
    RETURNING o."id", o."key", o."data", o."tries", o."createdAt" < now() - interval '1 day' AS "old", due."at"::int AS "at"`
  return asked.map((_, at) => rows.flatMap(({ at: position, ...taken }) => (position === at + 1 ? [taken] : [])))
})

/** Makes every open effect of a kind due now: only after a start on a database that this process alone can use. */
export async function freeEffects(db: Db, kind: OutboxKind): Promise<void> {
  await db.execute`UPDATE "Outbox" SET "nextAt" = now() WHERE "kind" = ${kind} AND "doneAt" IS NULL AND "nextAt" > now()`
}

/**
 * The common table expression `mine` that marks an effect as done. What the same statement writes from it happens exactly once, even if
 * another worker holds the effect too.
 */
export function done(effectId: string): Sql {
  return sql`
    mine AS (UPDATE "Outbox" SET "doneAt" = now() WHERE "id" = ${effectId}::uuid AND "doneAt" IS NULL RETURNING "id")`
}

/** Ends an effect that has nothing to write. */
export async function endEffect(db: Db, effectId: string): Promise<void> {
  await db.execute`WITH ${done(effectId)} SELECT 1 FROM mine`
}

/** Retries a failed effect after `afterMs`. */
export async function postponeEffect(db: Db, effectId: string, afterMs: number): Promise<void> {
  await db.execute`
    UPDATE "Outbox" SET "nextAt" = now() + ${afterMs}::int * interval '1 ms' WHERE "id" = ${effectId}::uuid AND "doneAt" IS NULL`
}

/** Ends an effect without doing it. */
export async function giveUpEffect(db: Db, effectId: string): Promise<void> {
  await db.execute`
    UPDATE "Outbox" SET "doneAt" = now(), "gaveUp" = true WHERE "id" = ${effectId}::uuid AND "doneAt" IS NULL`
}

/** Deletes some effects that ended a day ago. Returns how many. */
export const pruneEffects = pruning(sql`"Outbox"`, sql`"id"`, sql`"doneAt"`, sql`now() - interval '1 day'`)
