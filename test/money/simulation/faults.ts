import type { Random } from './random'

/** The share of a node's calls that fail in each way. */
export type NodeFaults = {
  slow: number
  error: number
  /** The request or the answer is lost. */
  lost: number
  stale: number
  /** An accepted transaction is dropped. */
  drainBody: number
  lieAboutSend: number
  lieAboutReceipt: number
  lieAboutCall: number
}

/** The share of database statements that fail in each way. */
export type DatabaseFaults = {
  slow: number
  /** The statement fails before it runs. */
  error: number
  /** The statement runs, and its answer is lost. */
  lost: number
}

/** The mean milliseconds between two faults of each kind; 0 for never. */
type WorldFaults = {
  crash: number
  pause: number
  /** The chance that an instance ends or pauses at a failpoint. */
  crashAt: number
  pauseAt: number
  outage: number
  reorg: number
  spike: number
  /** The chance that a signal between instances is lost. */
  deaf: number
  /** The chance that a block skips a transaction. */
  unlucky: number
}

/** All faults end after `lastsMs`; then every payment must become final. */
export type Faults = { node: NodeFaults; database: DatabaseFaults; world: WorldFaults; lastsMs: number }

/** No faults. */
export const CALM: Faults = {
  node: { slow: 0, error: 0, lost: 0, stale: 0, drainBody: 0, lieAboutSend: 0, lieAboutReceipt: 0, lieAboutCall: 0 },
  database: { slow: 0, error: 0, lost: 0 },
  world: { crash: 0, pause: 0, crashAt: 0, pauseAt: 0, outage: 0, reorg: 0, spike: 0, deaf: 0, unlucky: 0 },
  lastsMs: 0,
}

/** Whether every call of a node is answered, and none of a simulation falsely. */
export const isTruthful = ({ error, lost, lieAboutCall }: NodeFaults): boolean => error + lost + lieAboutCall === 0

/** Whether every answer of a node is right and shows the newest block. */
export const isExact = (node: NodeFaults): boolean =>
  isTruthful(node) && node.stale + node.lieAboutSend + node.lieAboutReceipt === 0

/** Draws the faults of a seed. Each kind is off in some seeds, so that no fault hides another one's effects. */
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
      // Sometimes blocks skip nearly everything.
      unlucky: random.chance(0.1) ? 0.97 : share(0.6),
    },
  }
  // Sometimes nothing is mined for so long that authorizations expire in flight.
  const isClogged = random.chance(0.06)
  return isClogged ? { ...drawn, world: { ...drawn.world, unlucky: 0.98 }, lastsMs: 15_000 } : { ...drawn, lastsMs: 6_000 }
}
