import type { App } from '../app'
import { readSigned, seal } from '../http/page'
import type { HistoryCursor, Position } from './queries'

/** A place in a list of history as the cursor of this list: good for no other list, and made by nobody else. */
export function writeHistoryCursor(
  { config }: Pick<App, 'config'>,
  list: string,
  { oldest, above, seen }: HistoryCursor,
): string {
  const written: Written = [tupleOf(oldest), tupleOf(above), seen && [tupleOf(seen.upTo), seen.snapshot]]
  return seal(config.cursorKey, list, written)
}

/** The place that a cursor of this list stands for. Throws `bad_request`. */
export function readHistoryCursor({ config }: Pick<App, 'config'>, list: string, cursor: string): HistoryCursor {
  // Nothing but `writeHistoryCursor` makes a value that can be unsealed for a list.
  const [oldest, above, seen] = readSigned(config.cursorKey, list, cursor) as Written
  return { oldest: positionOf(oldest), above: positionOf(above), seen: seen && { upTo: positionOf(seen[0]), snapshot: seen[1] } }
}

type Tuple = [at: number, id: string]
type Written = [oldest: Tuple, above: Tuple, seen: [upTo: Tuple, snapshot: string] | null]

const tupleOf = ({ at, id }: Position): Tuple => [at, id]
const positionOf = ([at, id]: Tuple): Position => ({ at, id })
