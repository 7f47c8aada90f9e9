import type { Db } from '../db/database'

/** The session of a wallet, by the SHA-256 of its token. EVM addresses in lower case, Solana's unchanged. */
type SessionRow = { tokenHash: Uint8Array; wallet: string; expiresAt: Date }

/** Stores a session. */
export async function insertSession(db: Db, { tokenHash, wallet, expiresAt }: SessionRow): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "Session" ("tokenHash", "wallet", "expiresAt") VALUES (${tokenHash}, ${wallet}, ${expiresAt}::timestamptz)`
}

/** The wallet of a session that is valid at this time; null without one. */
export async function findSession(db: Db, tokenHash: Uint8Array, now: Date): Promise<string | null> {
  const [row] = await db.$queryRaw<{ wallet: string }[]>`
    SELECT "wallet" FROM "Session" WHERE "tokenHash" = ${tokenHash} AND "expiresAt" > ${now}::timestamptz`
  return row?.wallet ?? null
}

/** Deletes some expired sessions. Returns how many. */
export async function pruneSessions(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Session" WHERE "tokenHash" IN (
      SELECT "tokenHash" FROM "Session" WHERE "expiresAt" < now() ORDER BY "expiresAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}

/** Ends a dashboard session. Ending it again changes nothing. */
export async function endSession(db: Db, { id, expiresAt }: { id: string; expiresAt: Date }): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "EndedSession" ("id", "expiresAt") VALUES (${id}::uuid, ${expiresAt}::timestamptz) ON CONFLICT DO NOTHING`
}

/** Whether a sign-out ended a dashboard session. */
export async function hasEnded(db: Db, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM "EndedSession" WHERE "id" = ${id}::uuid`
  return rows.length > 0
}

/** Deletes some ended sessions whose cookies have expired by any clock of ours. Returns how many. */
export async function pruneEndedSessions(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "EndedSession" WHERE "id" IN (
      SELECT "id" FROM "EndedSession" WHERE "expiresAt" < now() - interval '1 hour'
      ORDER BY "expiresAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}
