import type { Db } from '../../db/database'
import type { State } from '../states'

/** A settlement whose check is due. */
export type Due = { id: string; network: string; state: State; waiting: boolean }

/** Reserves due settlements on these networks for a while, so that other instances check other ones. */
export function takeDue(db: Db, networks: string[], by: { againMs: number; limit: number }): Promise<Due[]> {
  return db.query<Due>`
    UPDATE "Settlement" s SET "nextCheckAt" = now() + ${by.againMs}::int * interval '1 ms'
    FROM (
      SELECT "id" FROM "Settlement"
      WHERE "nextCheckAt" <= now() AND "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED')
        AND "network" = ANY(${networks})
      ORDER BY "nextCheckAt", "id" LIMIT ${by.limit} FOR UPDATE SKIP LOCKED
    ) due WHERE s."id" = due."id"
    RETURNING s."id", s."network", s."state", COALESCE(s."waiterUntil" > now(), false) AS "waiting"`
}

/** Makes every unfinished settlement due now and removes its waiter. Call only at a start on a database that no other process can use. */
export async function abandonAll(db: Db): Promise<void> {
  await db.execute`
    UPDATE "Settlement" SET "nextCheckAt" = now(), "waiter" = NULL, "waiterUntil" = NULL
    WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED')`
}
