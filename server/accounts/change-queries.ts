import type { Db } from '../db/database'

/** Who changes a tenant: its owner, the holder of the admin key, or an administrator by the subject. */
export type ChangeMaker = 'owner' | 'operator' | `operator ${string}`

/** How many changes a reader sees. */
export const CHANGES_SHOWN = 50

/** A change: each field with its earlier and its new value. `by` is null where an earlier version or a hand made it. */
export type ChangeRow = { id: bigint; at: Date; by: string | null; what: Record<string, [string | null, string | null]> }

/** The newest changes of a tenant and its secrets, newest first. */
export function listChanges(db: Db, tenantId: string, limit: number): Promise<ChangeRow[]> {
  return db.query<ChangeRow>`
    SELECT "id", "at", "by", "what" FROM "TenantChange" WHERE "tenantId" = ${tenantId}::uuid ORDER BY "id" DESC LIMIT ${limit}`
}
