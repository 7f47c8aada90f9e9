import type { Shown } from '@/server/history/present'

/** A row's place in a list. */
export type Placed = Pick<Shown, 'id' | 'createdAt'>

/** A page with the rows that arrived after it: those on the screen, and those that wait until the reader looks. */
export type LiveRows<Row extends Placed> = { page: readonly Row[] | undefined; arrived: readonly Row[]; waiting: readonly Row[] }

/** A page that nothing followed yet. */
export function nothingNew<Row extends Placed>(page: readonly Row[] | undefined): LiveRows<Row> {
  return { page, arrived: [], waiting: [] }
}

/** All rows on the screen, each once, newest first by the times of the server. */
export function rowsOf<Row extends Placed>({ page, arrived }: LiveRows<Row>): readonly Row[] | undefined {
  if (!page || arrived.length === 0) return page
  const known = new Set(page.map(({ id }) => id))
  return [...page, ...arrived.filter(({ id }) => !known.has(id))].toSorted(newestFirst)
}

/** Adds newer rows: on the screen, or to those that wait. Rows that are known change nothing. */
export function receive<Row extends Placed>(rows: LiveRows<Row>, newer: readonly Row[], shown: 'now' | 'later'): LiveRows<Row> {
  const known = new Set([...(rows.page ?? []), ...rows.arrived, ...rows.waiting].map(({ id }) => id))
  const unknown = newer.filter(({ id }) => !known.has(id))
  if (unknown.length === 0) return rows
  if (shown === 'later') return { ...rows, waiting: [...unknown, ...rows.waiting] }
  return { ...rows, arrived: [...unknown, ...rows.waiting, ...rows.arrived], waiting: [] }
}

/** Shows the rows that wait. */
export function release<Row extends Placed>(rows: LiveRows<Row>): LiveRows<Row> {
  return rows.waiting.length === 0 ? rows : { ...rows, arrived: [...rows.waiting, ...rows.arrived], waiting: [] }
}

function newestFirst(one: Placed, other: Placed): number {
  return Date.parse(other.createdAt) - Date.parse(one.createdAt) || (one.id < other.id ? 1 : -1)
}
