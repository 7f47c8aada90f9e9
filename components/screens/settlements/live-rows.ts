import type { Shown } from '@/server/history/present'

/** A row's place in a list. */
type Placed = Pick<Shown, 'id' | 'createdAt'>

/** All rows on the screen, each once, newest first by the times of the server. */
export function rowsOf<Row extends Placed>(page: readonly Row[], arrived: readonly Row[]): readonly Row[] {
  if (arrived.length === 0) return page
  return [...page, ...unknownTo(page, arrived)].toSorted(newestFirst)
}

/** The rows that are new to a list. */
export function unknownTo<Row extends Placed>(list: readonly Row[], rows: readonly Row[]): readonly Row[] {
  const known = new Set(list.map(({ id }) => id))
  return rows.filter(({ id }) => !known.has(id))
}

function newestFirst(one: Placed, other: Placed): number {
  return Date.parse(other.createdAt) - Date.parse(one.createdAt) || (one.id < other.id ? 1 : -1)
}
