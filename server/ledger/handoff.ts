import type { Db } from '../db/database'
import type { Log } from '../log'
import { type Queued, queuedOf } from './evm/queue'
import { type Loop, startLoop } from './loop'
import type { Watched } from './returned'
import { isUsedElsewhere, type LaneClass } from './statements/lanes'
import { leaveAgain, takeUnqueued } from './statements/returned'

/** Signers that do the same work: of one network and class. */
export type Service = { network: string; class: LaneClass }

export type HandoffOptions = {
  db: Db
  instance: string
  networks: ReadonlyMap<string, Watched>
  /** What this process could send now. */
  ready: () => Service[]
  /** Whether a lane for these signers was another instance's when we last knew, and may be on its way to us. */
  adopting: (service: Service) => boolean
  enqueue: (network: string, laneClass: LaneClass, item: Queued) => boolean
  /** No other process can use this database: there is no other instance to hand to. */
  exclusive: boolean
  /** How long a request waits for the chain, milliseconds. */
  deadlines: { usual: number }
  log: Log
}

/** Claims that one instance made and another one signs, because it has the lanes: any instance answers any request. */
export type Handoff = {
  /** Whether another instance can send for these signers now. */
  canLeave(service: Service): Promise<boolean>
  /** Takes what others left, now and not only when it is time. */
  kick(): void
  stop(): Promise<void>
}

const ROUND_MS = 500
const TAKE_MAX = 100

/** Starts taking claims that other instances left. */
export function startHandoff(options: HandoffOptions): Handoff {
  const { db, networks, log } = options
  if (options.exclusive) return { canLeave: async () => false, kick: () => {}, stop: async () => {} }

  async function take(): Promise<number> {
    for (const service of options.ready()) {
      const signers = { network: service.network, laneClass: service.class }
      await leaveAgain(db, signers)
      const claims = await takeUnqueued(db, signers, options.instance, TAKE_MAX)
      const watched = networks.get(service.network)
      if (!watched || claims.length === 0) continue
      const { baseFee } = watched.watcher.head() ?? (await watched.chain.head())
      const until = performance.now() + options.deadlines.usual
      for (const claim of claims) options.enqueue(service.network, service.class, queuedOf(claim, baseFee, until))
    }
    return ROUND_MS
  }

  const taking: Loop = startLoop(
    take,
    (error) => log.warn({ err: error }, 'claims of other instances cannot be taken now'),
    ROUND_MS,
  )
  return {
    canLeave: (service) => isUsedElsewhere(db, service, options.adopting(service) ? null : options.instance),
    kick: taking.kick,
    stop: taking.stop,
  }
}
