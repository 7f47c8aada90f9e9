import type { Log } from '../base/log'
import { createPauses, type Loop, startLoop } from '../base/loop'
import type { Db } from '../db/database'
import { readKnownTransfer } from '../x402/schemes/evm-methods'
import { type Queued, queuedOf } from './evm/queue'
import type { Watched } from './returned'
import { isUsedElsewhere, type LaneClass } from './statements/lanes'
import { leaveUnqueued, takeUnqueued, type UnqueuedClaim } from './statements/returned-claims'

/** Interchangeable signers: of one network and class. */
type SignerGroup = { network: string; class: LaneClass }

/** What a claim may be left to: any signer of a group, or the one that must send it. */
export type Service = SignerGroup & { sender: string | null }

type HandoffOptions = {
  db: Db
  instance: string
  networks: ReadonlyMap<string, Watched>
  /** The signers that this process can send with now, once per lane. */
  ready: () => (SignerGroup & { address: string })[]
  /** Whether another instance had a lane of these signers when last read, and it may pass to us. */
  adopting: (service: Service) => boolean
  enqueue: (network: string, laneClass: LaneClass, item: Queued) => boolean
  /** No other process can use this database, so there is no other instance. */
  exclusive: boolean
  /** How long a request waits for the chain, milliseconds. */
  deadlines: { usual: number }
  log: Log
}

/** Claims that one instance makes and another signs, because it has the lanes: any instance answers any request. */
type Handoff = {
  /** Whether another instance can send for these signers now. */
  canLeave(service: Service): Promise<boolean>
  /** Takes the claims that others left now. */
  kick(): void
  stop(): Promise<void>
}

/** New claims are announced. These rounds find what was not, and the claims of instances that ended. */
const ROUND_MS = 500
const IDLE_MS = 1_000
const TAKE_MAX = 100

/** Starts taking claims that other instances left. */
export function startHandoff(options: HandoffOptions): Handoff {
  const { db, networks, log } = options
  if (options.exclusive) return { canLeave: async () => false, kick: () => {}, stop: async () => {} }

  const pauses = createPauses({ usualMs: ROUND_MS, idleMs: IDLE_MS })

  async function take(): Promise<number> {
    const ready = options.ready()
    const groups = [...new Map(ready.map((one) => [`${one.network} ${one.class}`, one])).values()].map((group) => ({
      ...group,
      addresses: ready.flatMap((one) => (one.network === group.network && one.class === group.class ? [one.address] : [])),
    }))
    const claims = await takeUnqueued(db, groups, options.instance, TAKE_MAX)
    const mine = ({ network, class: laneClass }: SignerGroup) =>
      claims.filter((claim) => claim.network === network && claim.laneClass === laneClass)
    // One network's trouble must not keep the claims of the others.
    const queued = await Promise.allSettled(groups.map((group) => queue(group, mine(group))))
    for (const one of queued) if (one.status === 'rejected') throw one.reason
    return pauses.after(claims.length > 0)
  }

  async function queue({ network, class: laneClass }: SignerGroup, claims: readonly UnqueuedClaim[]): Promise<void> {
    const watched = networks.get(network)
    if (!watched || claims.length === 0) return
    const left = new Set(claims.map(({ settlementId }) => settlementId))
    try {
      const { baseFee } = watched.watcher.head() ?? (await watched.chain.head())
      const until = performance.now() + options.deadlines.usual
      for (const claim of claims) {
        const transfer = readKnownTransfer(claim.transfer, claim.asset)
        // What a newer build claimed is left to it, and holds up no other claim.
        if (!transfer) log.warn({ settlementId: claim.settlementId, network }, 'this version cannot read a claim')
        else if (options.enqueue(network, laneClass, queuedOf(claim, transfer, baseFee, until))) left.delete(claim.settlementId)
      }
    } finally {
      // No node answers, or the lane stopped meanwhile: another round, or another instance, takes them.
      await leaveUnqueued(db, [...left], options.instance)
    }
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
