import { ServiceError } from './errors'
import { createTokenBuckets, type Rate } from './token-buckets'

/**
 * Runs reads that strangers may request, a few at a time and in turns by reader. Throws `too_many` when one reader has too many running
 * and queued, or exceeds its rate, and `unavailable` when the queue is full. `cost` is what the read takes of the rate; usually 1.
 */
export type ReadSlots = <T>(reader: string, read: () => Promise<T>, cost?: number) => Promise<T>

type Options = {
  /** What is read, for the refusals. */
  what: string
  /** How many run at once, of all readers and of one: a flood of one leaves the rest to others. */
  atOnce: number
  eachAtOnce?: number
  /** How many wait, and how many of one reader run and wait. */
  waiting?: number
  each?: number
  /** How many one reader may start, as a burst and then a second. Unlimited if missing. */
  rate?: Rate
}

const WAITING = 64
const EACH = 8
const RETRY_SECONDS = 2

/** The reads of one reader: how many run, and what starts those that wait. */
type Line = { running: number; waiting: (() => void)[] }

/** The slots of one process. They only store readers with a read. */
export function createReadSlots({
  what,
  atOnce,
  eachAtOnce = Math.max(1, atOnce - 1),
  waiting = WAITING,
  each = EACH,
  rate,
}: Options): ReadSlots {
  // In the order of turns: who starts or ends a read goes to the end.
  const lines = new Map<string, Line>()
  const buckets = createTokenBuckets()
  let [running, queued] = [0, 0]

  const canStart = (line: Line) => running < atOnce && line.running < eachAtOnce

  function begin(reader: string, line: Line): void {
    running++
    line.running++
    toTheEnd(reader, line)
  }

  function toTheEnd(reader: string, line: Line): void {
    lines.delete(reader)
    if (line.running > 0 || line.waiting.length > 0) lines.set(reader, line)
  }

  function end(reader: string, line: Line): void {
    running--
    line.running--
    toTheEnd(reader, line)
    for (let next = nextLine(); next; next = nextLine()) {
      const start = next.line.waiting.shift()
      queued--
      begin(next.reader, next.line)
      start?.()
    }
  }

  function nextLine(): { reader: string; line: Line } | null {
    for (const [reader, line] of lines) if (line.waiting.length > 0 && canStart(line)) return { reader, line }
    return null
  }

  return async (reader, read, cost = 1) => {
    const line = lines.get(reader) ?? { running: 0, waiting: [] }
    if (line.running + line.waiting.length >= each) throw tooManyOfOne(each, what)
    const seconds = rate ? buckets.take(reader, cost, rate) : 0
    if (seconds > 0) throw tooFast(what, seconds)
    if (canStart(line)) begin(reader, line)
    else {
      // The second half of the queue is for readers that have nothing in it.
      if (queued >= (line.waiting.length > 0 ? waiting / 2 : waiting)) throw full(what)
      queued++
      lines.set(reader, line)
      await new Promise<void>((start) => line.waiting.push(start))
    }
    try {
      return await read()
    } finally {
      end(reader, line)
    }
  }
}

const tooManyOfOne = (each: number, what: string) =>
  new ServiceError('too_many', `${each} of your ${what} are running or queued; wait for their responses and try again`, {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds: 1,
  })

const tooFast = (what: string, seconds: number) =>
  new ServiceError('too_many', `too many ${what} in a short time; wait ${seconds} s and try again`, {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds: seconds,
  })

const full = (what: string) =>
  new ServiceError('unavailable', `too many ${what} are running; try again shortly`, {
    reason: 'service_unavailable',
    retryAfterSeconds: RETRY_SECONDS,
  })
