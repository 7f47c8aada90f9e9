import type { Db } from '../db/database'
import { pruning, sql } from '../db/sql'

/** The session of a wallet, by the SHA-256 of its token. EVM addresses in lower case, Solana's unchanged. */
type SessionRow = { tokenHash: Uint8Array; wallet: string; expiresAt: Date }

/** Stores a session. */
export async function insertSession(db: Db, { tokenHash, wallet, expiresAt }: SessionRow): Promise<void> {
  await db.session.create({ data: { tokenHash: Buffer.from(tokenHash), wallet, expiresAt } })
}

/** The wallet of a session that is valid at this time; null without one. */
export async function findSession(db: Db, tokenHash: Uint8Array, now: Date): Promise<string | null> {
  const session = await db.session.findUnique({
    where: { tokenHash: Buffer.from(tokenHash), expiresAt: { gt: now } },
    select: { wallet: true },
  })
  return session?.wallet ?? null
}

/** Deletes some expired sessions. Returns how many. */
export const pruneSessions = pruning(sql`"Session"`, sql`"tokenHash"`, sql`"expiresAt"`, sql`now()`)

/** Ends a dashboard session. Ending it again changes nothing. */
export async function endSession(db: Db, { id, expiresAt }: { id: string; expiresAt: Date }): Promise<void> {
  await db.endedSession.createMany({ data: { id, expiresAt }, skipDuplicates: true })
}

/** Whether a sign-out ended a dashboard session. */
export async function hasEnded(db: Db, id: string): Promise<boolean> {
  return (await db.endedSession.findUnique({ where: { id }, select: { id: true } })) !== null
}

/** Deletes some ended sessions whose cookies have expired by any clock of ours. Returns how many. */
export const pruneEndedSessions = pruning(sql`"EndedSession"`, sql`"id"`, sql`"expiresAt"`, sql`now() - interval '1 hour'`)
