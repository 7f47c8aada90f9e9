import { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'
import { outboxKinds } from './outbox'

/** A lane as its row tells it: how many of its nonces no block holds, and whether its holder can send with it now. */
export type LaneFigures = {
  network: string
  class: string
  address: string
  nextNonce: bigint | null
  unconfirmed: number
  leased: boolean
  quarantined: boolean
}

/** Every lane that ever was. */
export function readLaneFigures(db: Db): Promise<LaneFigures[]> {
  return db.$queryRaw<LaneFigures[]>`
    SELECT l."network", l."class", l."address", l."nextNonce", l."usable" AND l."leaseUntil" > now() AS "leased",
      l."status" = 'quarantined' AS "quarantined",
      (SELECT count(*)::int FROM "Slot" s WHERE s."laneId" = l."id" AND s."state" = 'open') AS "unconfirmed"
    FROM "Lane" l ORDER BY 1, 3`
}

/** For how many seconds the effect of each kind that has been due longest waits; 0 where none is due. */
export function readOutboxLag(db: Db): Promise<{ kind: string; seconds: number }[]> {
  return db.$queryRaw<{ kind: string; seconds: number }[]>`
    SELECT k."kind", COALESCE((
      SELECT extract(epoch FROM now() - o."nextAt") FROM "Outbox" o
      WHERE o."kind" = k."kind" AND o."doneAt" IS NULL AND o."nextAt" <= now() ORDER BY o."nextAt", o."id" LIMIT 1
    ), 0)::float AS "seconds"
    FROM unnest(${[...outboxKinds]}::text[]) AS k("kind")`
}

const DAYS_MAX = 10_000

/** Days of tenants that are not summed up, counted to 10,000, and the seconds since the oldest of them ended; 0 where there is none. */
export async function readRollupLag(db: Db): Promise<{ days: number; seconds: number }> {
  const [row] = await db.$queryRaw<{ days: number; seconds: number }[]>`
    SELECT count(*)::int AS "days",
      COALESCE(extract(epoch FROM (now() AT TIME ZONE 'UTC') - (min("day") + 1)), 0)::float AS "seconds"
    FROM (
      SELECT "day" FROM "RollupDay" WHERE "state" = 'dirty' AND "day" < (now() AT TIME ZONE 'UTC')::date ORDER BY "day" LIMIT ${DAYS_MAX}
    ) due`
  return row ?? { days: 0, seconds: 0 }
}

/** What gas has cost in the UTC day, by network and by whether it was for this tenant of the sandbox: digits of the smallest unit. */
export function readGasToday(db: Db, sandboxTenant: string): Promise<{ network: string; sandbox: boolean; spent: string }[]> {
  return db.$queryRaw<{ network: string; sandbox: boolean; spent: string }[]>`
    SELECT "network", "tenantId" = ${sandboxTenant}::uuid AS "sandbox", sum("spent")::text AS "spent"
    FROM "SponsorSpend" WHERE "day" = (now() AT TIME ZONE 'UTC')::date GROUP BY 1, 2`
}

/** The database's clock, milliseconds since 1970. */
export async function readClock(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ at: number }[]>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float AS "at"`
  if (!row) throw new Error('the database does not tell the time')
  return row.at
}

/** The migrations that the database has run whole. */
export async function readMigrations(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ name: string }[]>(
    Prisma.sql`SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL AND "rolled_back_at" IS NULL`,
  )
  return new Set(rows.map(({ name }) => name))
}
