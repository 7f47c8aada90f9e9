import { bulkhead } from 'cockatiel'
import { ServiceError } from '../base/errors'

/** The slots of exports: a maximum per reader and in all. The returned function frees the slot; repeated calls do nothing. */
export type ExportSlots = {
  /** A stalled export, and one that takes too long, lose their slot. */
  stallMs: number
  totalMs: number
  /** Throws `too_many` when no slot is free. */
  take: (reader: string) => () => void
  /** Takes a slot for an administrator: they have their own. Throws `too_many` when none is free. */
  takeForAdmin: () => () => void
  /** Reads a page of rows. A few run in parallel; others wait. */
  read: <T>(page: () => Promise<T>) => Promise<T>
}

const EACH = 2
const ALL = 32
const OF_ADMINS = 4
// They use connections that the lists of screens need too.
const READS_AT_ONCE = 2
const STALL_MS = 30_000
const TOTAL_MS = 600_000
const RETRY_SECONDS = 10

type Options = { each?: number; all?: number; stallMs?: number; totalMs?: number }

/** The slots of one process. It only stores readers with a slot. */
export function createExportSlots({ each = EACH, all = ALL, stallMs = STALL_MS, totalMs = TOTAL_MS }: Options = {}): ExportSlots {
  const line = bulkhead(READS_AT_ONCE, all + OF_ADMINS)
  const taken = new Map<string, number>()
  let [running, ofAdmins] = [0, 0]
  const change = (reader: string, by: 1 | -1) => {
    running += by
    const own = (taken.get(reader) ?? 0) + by
    if (own > 0) taken.set(reader, own)
    else taken.delete(reader)
  }
  const take = (reader: string) => {
    const own = taken.get(reader) ?? 0
    if (own >= each) throw stillRunning(each)
    // The second half of the slots is for readers without one, so that a few readers cannot take all.
    if (running >= all || (own > 0 && running >= all / 2)) throw noSlot(TOO_MANY)
    change(reader, 1)
    return once(() => change(reader, -1))
  }
  const takeForAdmin = () => {
    if (ofAdmins >= OF_ADMINS) throw stillRunning(OF_ADMINS)
    ofAdmins++
    return once(() => ofAdmins--)
  }
  return { stallMs, totalMs, take, takeForAdmin, read: (page) => line.execute(page) }
}

function once(leave: () => void): () => void {
  let has = true
  return () => {
    if (has) leave()
    has = false
  }
}

const TOO_MANY = `too many exports are running at the moment; try again in ${RETRY_SECONDS} s`

const stillRunning = (count: number) =>
  noSlot(`${count} of your exports are still running; wait for one or cancel its download, then try again`)

const noSlot = (message: string) =>
  new ServiceError('too_many', message, { reason: 'rate_limit_exceeded', retryAfterSeconds: RETRY_SECONDS })
