import type { Db } from './database'

/** A wallet that signed in, by the SHA-256 of its token. EVM addresses in lower case, Solana's as they are. */
export type SessionRow = { tokenHash: Uint8Array; wallet: string; expiresAt: Date }

/** Keeps a session. */
export async function insertSession(db: Db, { tokenHash, wallet, expiresAt }: SessionRow): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "Session" ("tokenHash", "wallet", "expiresAt") VALUES (${tokenHash}, ${wallet}, ${expiresAt}::timestamptz)`
}

/** The wallet of a session that is not over at this time; null when there is none. */
export async function findSession(db: Db, tokenHash: Uint8Array, now: Date): Promise<string | null> {
  const [row] = await db.$queryRaw<{ wallet: string }[]>`
    SELECT "wallet" FROM "Session" WHERE "tokenHash" = ${tokenHash} AND "expiresAt" > ${now}::timestamptz`
  return row?.wallet ?? null
}

/** Deletes some sessions that are over. Returns how many. */
export async function pruneSessions(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Session" WHERE "tokenHash" IN (
      SELECT "tokenHash" FROM "Session" WHERE "expiresAt" < now() ORDER BY "expiresAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`
}
