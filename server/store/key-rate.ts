import { Prisma } from '../../generated/prisma/client'
import type { Db } from './database'

/** How many keys one owner may make within an hour, and within a day. */
export type KeyRate = { hour: number; day: number }

export type KeyOwner = { kind: string; id: string }

const newest = (place: number) =>
  Prisma.sql`(SELECT at FROM unnest(o."keysMadeAt") AS made(at) ORDER BY at DESC OFFSET ${place - 1}::int LIMIT 1)`

// From when on the owner `o` may make a key: null when it made few.
const nextAt = ({ hour, day }: KeyRate) =>
  Prisma.sql`GREATEST(${newest(hour)} + interval '1 hour', ${newest(day)} + interval '1 day')`

/**
 * Notes that this owner makes a key now, and returns a row for it. None when it made too many, or `condition` does not hold. The
 * owner's row must be there.
 */
export function keyPlace(owner: KeyOwner, rate: KeyRate, condition = Prisma.sql`true`): Prisma.Sql {
  return Prisma.sql`
    UPDATE "Owner" o SET "keysMadeAt" = ARRAY(
      SELECT at FROM unnest(o."keysMadeAt") AS made(at) WHERE at > now() - interval '1 day' ORDER BY at
    ) || now()
    WHERE o."kind" = ${owner.kind} AND o."id" = ${owner.id} AND COALESCE(${nextAt(rate)}, now()) <= now() AND ${condition}
    RETURNING 1`
}

/** As `keyPlace`, at once and for an owner that may be new. False when it made too many. */
export async function takeKeyPlace(db: Db, owner: KeyOwner, rate: KeyRate): Promise<boolean> {
  await db.$executeRaw`INSERT INTO "Owner" ("kind", "id") VALUES (${owner.kind}, ${owner.id}) ON CONFLICT DO NOTHING`
  const places = await db.$queryRaw<unknown[]>(keyPlace(owner, rate))
  return places.length === 1
}

/** When an owner may make its next key. Null: now. */
export async function nextKeyAt(db: Db, owner: KeyOwner, rate: KeyRate): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT NULLIF(GREATEST(${nextAt(rate)}, now()), now()) AS "at" FROM "Owner" o WHERE o."kind" = ${owner.kind} AND o."id" = ${owner.id}`
  return row?.at ?? null
}
