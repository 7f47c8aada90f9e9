import type { App } from '../../app'
import { DAY_MS, MINUTE_MS } from '../../base/durations'
import { ServiceError } from '../../base/errors'
import type { Db } from '../../db/database'
import { createCoalesce, createRecent } from '../../sums/coalesce'
import {
  deleteIncident,
  type IncidentRow,
  insertIncident,
  insertUpdate,
  type NewIncident,
  readIncidents,
} from './incident-queries'

/** How long incidents are published after they ended. */
const PUBLISHED_DAYS = 90
/** How long published incidents are shared in this process. */
const SHARED_MS = 10_000
/** At most so many are published, and listed for operators. */
const PUBLISHED_MAX = 50
const LISTED_MAX = 200

const READER = 'incidents'

/** The published incidents, at most ten seconds old. Concurrent readers share one read. */
export function createIncidents(db: Db, now: () => Date): () => Promise<IncidentRow[]> {
  const [coalesce, recent] = [createCoalesce(), createRecent()]
  const read = () => readIncidents(db, new Date(now().getTime() - PUBLISHED_DAYS * DAY_MS), PUBLISHED_MAX)
  return () => recent(READER, READER, SHARED_MS, () => coalesce(READER, READER, read))
}

/** All incidents for operators, newest first. */
export function listIncidents(app: App): Promise<IncidentRow[]> {
  return readIncidents(app.db, new Date(0), LISTED_MAX)
}

/** Publishes an incident that began some minutes ago. Returns its id. */
export async function openIncident(
  app: App,
  { minutesAgo, ...incident }: Omit<NewIncident, 'at' | 'startedAt'> & { minutesAgo: number },
): Promise<string> {
  const at = app.now()
  const id = await insertIncident(app.db, { ...incident, at, startedAt: new Date(at.getTime() - minutesAgo * MINUTE_MS) })
  app.log.warn({ incidentId: id, impact: incident.impact }, 'an incident is published')
  return id
}

/** Publishes a message about an open incident. Throws `conflict` if it is over, or unknown. */
export function updateIncident(app: App, id: string, text: string): Promise<void> {
  return publish(app, id, text, false)
}

/** Publishes the last message about an incident, which is over then. Throws as `updateIncident`. */
export function resolveIncident(app: App, id: string, text: string): Promise<void> {
  return publish(app, id, text, true)
}

async function publish(app: App, id: string, text: string, ends: boolean): Promise<void> {
  const isOpen = await insertUpdate(app.db, id, { at: app.now(), text, ends })
  if (!isOpen) throw new ServiceError('conflict', 'this incident is resolved already, or was deleted')
}

/** Deletes an incident that was published by mistake. Throws `not_found`. */
export async function removeIncident(app: App, id: string): Promise<void> {
  if (!(await deleteIncident(app.db, id))) throw new ServiceError('not_found', 'no incident has this id')
  app.log.warn({ incidentId: id }, 'an incident is deleted')
}
