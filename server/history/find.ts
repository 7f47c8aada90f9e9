import type { App } from '../app'
import { join, type Sql, sql } from '../db/sql'
import type { Environment } from '../x402/networks/networks'
import type { Reader } from './filters'
import { contains, type ListFilter, planOf, readPage, scanned } from './list-queries'
import { shown } from './lists'
import type { HistoryFilter } from './queries'
import { readSearch } from './search'

/** How many settlements and resources a search finds at most. */
const FOUND_MAX = 5

/** How many of the newest settlements a text is looked for in. */
const READ_MAX = 2_000

/**
 * What a reader may mean by a few letters: its newest settlements, and the resources among its newest. A whole id, transaction or address
 * is found at any age and in both environments, through an index; any other text in the newest 2,000 of one environment.
 */
export async function findSettlements(
  { app, reader: asker }: { app: App; reader: string },
  reader: Reader,
  scope: HistoryFilter,
  { search, environment }: { search: string; environment?: Environment | undefined },
) {
  const sought = readSearch(search)
  const within: ListFilter = { ...(sought.text && environment ? { environment } : {}), ...scope }
  const { rows, resources } = await app.lists(asker, async (db) => {
    const page = { direction: 'before', from: null, limit: FOUND_MAX } as const
    const { rows } = await readPage(db, { ...sought, ...within }, page, READ_MAX)
    const found = sought.text ? await db.queryUnprepared<{ resource: string }>(resourcesQuery(within, sought.text.part)) : []
    return { rows, resources: found.map(({ resource }) => resource) }
  })
  const entries = rows.map((row) => ({ ...row, agents: [] }))
  return { settlements: await shown(app, reader, entries), resources }
}

/** The statement for the resources of the newest settlements that contain a text, the most paid first. */
export function resourcesQuery(filter: ListFilter, part: string): Sql {
  const plan = planOf(filter)
  const newest = scanned(plan, [], sql`"createdAt" DESC, "id" DESC`, READ_MAX)
  return sql`
    SELECT "resource" FROM (${newest}) rows WHERE ${join([...plan.match, contains(sql`"resource"`, part), sql`"resource" <> ''`], ' AND ')}
    GROUP BY "resource" ORDER BY count(*) DESC, "resource" LIMIT ${FOUND_MAX}`
}
