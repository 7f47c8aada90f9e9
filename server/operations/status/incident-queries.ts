import type { Db } from '../../db/database'

/** How much an incident affects payments, the least first. */
export const impacts = ['degraded', 'outage'] as const

type Impact = (typeof impacts)[number]

/** An incident with its messages, newest first. `networks`: where; empty for everywhere. */
export type IncidentRow = {
  id: string
  title: string
  impact: Impact
  networks: string[]
  startedAt: Date
  resolvedAt: Date | null
  updates: { at: Date; text: string }[]
}

/** An incident to publish, with its first message. */
export type NewIncident = Pick<IncidentRow, 'title' | 'impact' | 'networks' | 'startedAt'> & { at: Date; text: string }

/** The incidents that were open at some time since an instant, newest first, at most `most`. */
export async function readIncidents(db: Db, since: Date, most: number): Promise<IncidentRow[]> {
  const rows = await db.incident.findMany({
    where: { OR: [{ resolvedAt: null }, { resolvedAt: { gte: since } }] },
    include: { updates: { select: { at: true, text: true }, orderBy: { at: 'desc' } } },
    orderBy: { startedAt: 'desc' },
    take: most,
  })
  return rows.map((row) => ({ ...row, impact: impacts.find((impact) => impact === row.impact) ?? 'degraded' }))
}

/** Stores an incident. Returns its id. */
export async function insertIncident(db: Db, { at, text, ...incident }: NewIncident): Promise<string> {
  const { id } = await db.incident.create({ data: { ...incident, updates: { create: { at, text } } }, select: { id: true } })
  return id
}

/** Adds a message to an open incident; `ends`: it is the last one. False if no open incident has this id. */
export async function insertUpdate(db: Db, id: string, { at, text, ends }: { at: Date; text: string; ends: boolean }) {
  // One statement: no message follows the last one.
  const added = await db.query<{ id: string }>`
    WITH open AS (
      UPDATE "Incident" SET "resolvedAt" = CASE WHEN ${ends}::boolean THEN ${at}::timestamptz END
      WHERE "id" = ${id}::uuid AND "resolvedAt" IS NULL RETURNING "id"
    )
    INSERT INTO "IncidentUpdate" ("incidentId", "at", "text") SELECT "id", ${at}::timestamptz, ${text} FROM open RETURNING "id"`
  return added.length > 0
}

/** Deletes an incident with its messages. False if none has this id. */
export async function deleteIncident(db: Db, id: string): Promise<boolean> {
  const { count } = await db.incident.deleteMany({ where: { id } })
  return count > 0
}
