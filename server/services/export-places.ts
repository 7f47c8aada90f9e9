import { ServiceError } from '../errors'

/** Where exports run: so many at once of one reader, so many in all. What takes a place gives it back once, however often it says so. */
export type ExportPlaces = {
  /** Of an export that nobody reads on for so long, and of one that takes so long in all, the place goes to others. */
  stallMs: number
  wholeMs: number
  /** Throws `too_many` where there is no place, with what to do. */
  take: (reader: string) => () => void
}

// A page of rows after another for minutes, on connections that payments need too.
const EACH = 2
const ALL = 8
const STALL_MS = 30_000
const WHOLE_MS = 600_000
const RETRY_SECONDS = 10

type Options = { each?: number; all?: number; stallMs?: number; wholeMs?: number }

/** The places of one process. It remembers only who has one. */
export function createExportPlaces({
  each = EACH,
  all = ALL,
  stallMs = STALL_MS,
  wholeMs = WHOLE_MS,
}: Options = {}): ExportPlaces {
  const taken = new Map<string, number>()
  let running = 0
  const change = (reader: string, by: 1 | -1) => {
    running += by
    const own = (taken.get(reader) ?? 0) + by
    if (own > 0) taken.set(reader, own)
    else taken.delete(reader)
  }
  const take = (reader: string) => {
    if ((taken.get(reader) ?? 0) >= each) {
      throw noPlace(`${each} of your exports are still running; let one end or cancel its download, then try again`)
    }
    if (running >= all) throw noPlace(`too many exports are running at the moment; try again in ${RETRY_SECONDS} s`)
    change(reader, 1)
    let has = true
    return () => {
      if (has) change(reader, -1)
      has = false
    }
  }
  return { stallMs, wholeMs, take }
}

const noPlace = (message: string) =>
  new ServiceError('too_many', message, { reason: 'rate_limit_exceeded', retryAfterSeconds: RETRY_SECONDS })
