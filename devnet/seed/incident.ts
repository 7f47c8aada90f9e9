import type pg from 'pg'
import { DAY_MS, MINUTE_MS } from '../../server/base/durations'
import { BASE } from './history'

const ID = '00000000-0000-4000-8000-00000000d31c'

/** Minutes after the begin, and what the operator wrote. */
const UPDATES = [
  [4, 'Our main Base node is slow, so payments wait several seconds. We are investigating.'],
  [16, 'Payments go through another node. Settle times are falling.'],
  [47, 'Settle times are as usual. No payment was lost.'],
] as const

/** Publishes an incident of twelve days ago, which is resolved. */
export async function addIncident(client: pg.Client, now: Date): Promise<void> {
  const begun = now.getTime() - 12 * DAY_MS
  const after = (minutes: number) => new Date(begun + minutes * MINUTE_MS)
  await client.query(
    'INSERT INTO "Incident" ("id", "title", "impact", "networks", "startedAt", "resolvedAt") VALUES ($1, $2, $3, $4, $5, $6)',
    [ID, 'Slow settlements on Base', 'degraded', [BASE], after(0), after(47)],
  )
  for (const [minutes, text] of UPDATES) {
    await client.query('INSERT INTO "IncidentUpdate" ("incidentId", "at", "text") VALUES ($1, $2, $3)', [
      ID,
      after(minutes),
      text,
    ])
  }
}

/** Removes it with its messages. */
export async function removeIncident(client: pg.Client): Promise<void> {
  await client.query('DELETE FROM "Incident" WHERE "id" = $1', [ID])
}
