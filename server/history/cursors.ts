import type { App } from '../app'
import { readSigned, seal } from '../http/page'
import type { HistoryCursor, Position } from './queries'

/** Encodes a position as a signed cursor of this list, valid for no other list. */
export function writeHistoryCursor(
  { config }: Pick<App, 'config'>,
  list: string,
  { oldest, above, seen }: HistoryCursor,
): string {
  const written: Written = [tupleOf(oldest), tupleOf(above), seen && [tupleOf(seen.upTo), seen.snapshot]]
  return seal(config.cursorKey, list, written)
}

/** The position in a cursor of this list. Throws `bad_request`. */
export function readHistoryCursor({ config }: Pick<App, 'config'>, list: string, cursor: string): HistoryCursor {
  // Only `writeHistoryCursor` makes a value with a valid signature for a list.
  const [oldest, above, seen] = readSigned(config.cursorKey, list, cursor) as Written
  return { oldest: positionOf(oldest), above: positionOf(above), seen: seen && { upTo: positionOf(seen[0]), snapshot: seen[1] } }
}

type Tuple = [at: number, id: string]
type Written = [oldest: Tuple, above: Tuple, seen: [upTo: Tuple, snapshot: string] | null]

const tupleOf = ({ at, id }: Position): Tuple => [at, id]
const positionOf = ([at, id]: Tuple): Position => ({ at, id })
