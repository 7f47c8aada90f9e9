import { createReadSlots } from '../base/read-slots'
import type { Rate } from '../base/token-buckets'
import type { Db } from '../db/database'

/**
 * Reads what screens show of settlements, such as lists and counts, on connections of their own, in turns by reader (`readerOf`). A search
 * reads thousands of rows, and payments need the other connections. Throws `too_many` and `unavailable` as `ReadSlots`.
 */
export type ReadLists = <T>(reader: string, read: (db: Db) => Promise<T>, cost?: number) => Promise<T>

/** The number of connections in their pool. */
export const LISTS_AT_ONCE = 2
// A screen reads a few lists at once, and a person has several tabs.
const EACH = 32
/** An open list asks every two seconds for new rows; the API lets an address read 20 pages a second. */
const RATE: Rate = { burst: 100, perSecond: 20 }

/** The slots of one process on this pool. One reader has one at a time. */
export function createReadLists(db: Db): ReadLists {
  const slots = createReadSlots({ what: 'lists', atOnce: LISTS_AT_ONCE, eachAtOnce: 1, each: EACH, rate: RATE })
  return (reader, read, cost) => slots(reader, () => read(db), cost)
}
