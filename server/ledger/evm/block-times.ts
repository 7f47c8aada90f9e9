/** When the next block is due, learned from the checks of a chain. Times are milliseconds of one clock. */
type BlockTimes = {
  /** A check showed this newest block. */
  saw(number: bigint, at: number): void
  /** A check found one of our transactions mined, so long after its send. */
  mined(afterMs: number): void
  /** The pause after a check: long while no block is due, short once one is. `sends`: when unmined transactions were sent. */
  pause(at: number, sends?: readonly number[]): number
}

/** As many intervals in a row must be alike before they are believed. */
const ALIKE = 4
/** How far an interval may be from the average, as a share of it. */
const SPREAD = 0.15
const STEPS_PER_BLOCK = 20
const STEP_MIN_MS = 10
/** A chain that mines each transaction at once shows it within this time. Its head is then read more often after a send. */
const QUICK_MS = 60
const QUICK_PAUSE_MS = 10
/** Where a chain may be one: a chain with unknown blocks gets two more checks for a send. */
const PROBE_PAUSE_MS = 25
const QUICK_BLOCKS = 3
/** A check renews the lease to watch, which lasts two seconds. */
const PAUSE_MAX_MS = 1_000

/**
 * Learns the interval of a chain with regular blocks. A check between two blocks shows nothing new, so it comes when the next one is due,
 * and then often. `usualMs` is the pause while the blocks are irregular or not known yet.
 */
export function createBlockTimes(usualMs: number): BlockTimes {
  let last: { number: bigint; at: number } | null = null
  /** The newest block came between these checks. */
  let came: { after: number; by: number } | null = null
  let quickBlocks = 0
  let intervals: { ms: number; blurMs: number }[] = []

  const stepOf = (interval: number) => Math.min(Math.max(interval / STEPS_PER_BLOCK, STEP_MIN_MS), usualMs)

  function regularInterval(): number | null {
    if (intervals.length < ALIKE) return null
    const average = intervals.reduce((sum, { ms }) => sum + ms, 0) / intervals.length
    const isAlike = ({ ms, blurMs }: (typeof intervals)[number]) => Math.abs(ms - average) <= SPREAD * average + blurMs / 2
    return intervals.every(isAlike) ? average : null
  }

  return {
    saw(number, at) {
      if (last && number === last.number + 1n) {
        if (came) intervals = [...intervals.slice(1 - ALIKE), { ms: at - came.by, blurMs: at - last.at }]
        came = { after: last.at, by: at }
      } else if (number !== last?.number) {
        // There was no check for a while, or the chain was reorganised: the newest block may have come at any time.
        came = null
      }
      last = { number, at }
    },
    mined(afterMs) {
      quickBlocks = afterMs < QUICK_MS ? quickBlocks + 1 : 0
    },
    pause(at, sends = []) {
      const interval = regularInterval()
      const isNew = (sent: number) => at - sent < QUICK_MS
      if (quickBlocks >= QUICK_BLOCKS && sends.some(isNew)) return QUICK_PAUSE_MS
      // An older one shows already that transactions are not mined at once.
      if (interval === null && sends.length > 0 && sends.every(isNew)) return Math.min(PROBE_PAUSE_MS, usualMs)
      if (interval === null || came === null) return usualMs
      const early = came.after + interval - at
      if (early > 0) return Math.max(Math.min(early, interval / 2, PAUSE_MAX_MS), STEP_MIN_MS)
      return at - came.by > 2 * interval ? usualMs : stepOf(interval)
    },
  }
}
