import { bulkhead, isBulkheadRejectedError } from 'cockatiel'
import { ServiceError } from '../errors'

/**
 * Runs reads that anyone may request, a few at a time. Throws `too_many` when one reader has too many in the queue, and `unavailable`
 * when the queue is full.
 */
type ReadSlots = <T>(reader: string, read: () => Promise<T>) => Promise<T>

/** The number of connections in the pool for such reads. */
export const READS_AT_ONCE = 2
const WAITING = 64
/** Nine readers are needed to fill the queue. */
const EACH = 8

type Options = { atOnce?: number; waiting?: number; each?: number }

/** The queue of one process. It only stores queued readers. */
export function createReadSlots({ atOnce = READS_AT_ONCE, waiting = WAITING, each = EACH }: Options = {}): ReadSlots {
  const line = bulkhead(atOnce, waiting)
  const inLine = new Map<string, number>()
  const leave = (reader: string) => {
    const left = (inLine.get(reader) ?? 1) - 1
    if (left > 0) inLine.set(reader, left)
    else inLine.delete(reader)
  }
  return async (reader, read) => {
    const own = inLine.get(reader) ?? 0
    if (own >= each) throw tooManyOfOne(each)
    inLine.set(reader, own + 1)
    try {
      return await line.execute(read)
    } catch (error) {
      throw isBulkheadRejectedError(error) ? full(error) : error
    } finally {
      leave(reader)
    }
  }
}

const tooManyOfOne = (each: number) =>
  new ServiceError('too_many', `${each} of your requests are still queued; wait for their responses and try again`, {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds: 1,
  })

const full = (cause: unknown) =>
  new ServiceError('unavailable', 'too many catalog requests are running; try again shortly', {
    reason: 'service_unavailable',
    retryAfterSeconds: 2,
    cause,
  })
