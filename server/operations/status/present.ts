import type { IncidentRow } from './incident-queries'

/** An incident as the status page publishes it. */
export function presentIncident({ id, title, impact, networks, startedAt, resolvedAt, updates }: IncidentRow) {
  return {
    id,
    title,
    impact,
    networks,
    started_at: startedAt.toISOString(),
    resolved_at: resolvedAt?.toISOString() ?? null,
    updates: updates.map(({ at, text }) => ({ at: at.toISOString(), text })),
  }
}
