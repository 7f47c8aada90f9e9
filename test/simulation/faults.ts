import type { Random } from './random'

/** How often a node fails in which way: shares of its calls. */
export type NodeFaults = {
  slow: number
  error: number
  /** The question or the answer never arrives. */
  lost: number
  stale: number
  /** Bytes that were taken are forgotten. */
  drainBody: number
  lieAboutSend: number
  lieAboutReceipt: number
  lieAboutCall: number
}

/** How often the database fails in which way: shares of its statements. */
export type DatabaseFaults = {
  slow: number
  /** Failed before it was run. */
  error: number
  /** Done, and the answer never came. */
  lost: number
}

/** What goes wrong in the world, as mean milliseconds between two of a kind; 0: never. */
export type WorldFaults = {
  crash: number
  pause: number
  /** At a moment that the engine names, an instance ends or stands still so often. */
  crashAt: number
  pauseAt: number
  outage: number
  reorg: number
  spike: number
  /** Signals between instances are lost so often. */
  deaf: number
  /** A block passes a transaction over so often. */
  unlucky: number
}

/** `lastsMs`: after so long they end, and everything has to come to its end. */
export type Faults = { node: NodeFaults; database: DatabaseFaults; world: WorldFaults; lastsMs: number }

/** Nothing goes wrong. */
export const CALM: Faults = {
  node: { slow: 0, error: 0, lost: 0, stale: 0, drainBody: 0, lieAboutSend: 0, lieAboutReceipt: 0, lieAboutCall: 0 },
  database: { slow: 0, error: 0, lost: 0 },
  world: { crash: 0, pause: 0, crashAt: 0, pauseAt: 0, outage: 0, reorg: 0, spike: 0, deaf: 0, unlucky: 0 },
  lastsMs: 0,
}

/** Each kind of fault is on in some seeds and off in others, so that none hides what another one would show. */
export function drawFaults(random: Random): Faults {
  const quiet = random.chance(0.05)
  const share = (most: number) => (!quiet && random.chance(0.35) ? random.next() * most : 0)
  const every = (leastMs: number, mostMs: number) => (!quiet && random.chance(0.35) ? random.whole(leastMs, mostMs) : 0)
  const drawn = {
    node: {
      slow: share(0.3),
      error: share(0.2),
      lost: share(0.1),
      stale: share(0.6),
      drainBody: share(0.5),
      lieAboutSend: share(0.5),
      lieAboutReceipt: share(0.3),
      lieAboutCall: share(0.3),
    },
    database: { slow: share(0.2), error: share(0.1), lost: share(0.1) },
    world: {
      crash: every(1_500, 6_000),
      pause: every(2_000, 6_000),
      crashAt: share(0.15),
      pauseAt: share(0.15),
      outage: every(3_000, 8_000),
      reorg: every(2_000, 8_000),
      spike: every(3_000, 8_000),
      deaf: share(1),
      // Now and then blocks take next to nothing.
      unlucky: random.chance(0.1) ? 0.97 : share(0.6),
    },
  }
  // Now and then nothing is mined for so long that authorizations end on the way.
  const isClogged = random.chance(0.06)
  return isClogged ? { ...drawn, world: { ...drawn.world, unlucky: 0.98 }, lastsMs: 15_000 } : { ...drawn, lastsMs: 6_000 }
}
