import type { SignedTransfer } from '../chains/evm/transactions'
import type { Log } from '../log'
import { type Announcement, findAnswerable } from '../store/announcements'
import { type Claim, type Claimed, claimIntent } from '../store/claims'
import type { Db } from '../store/database'
import { abandonAll } from '../store/due'
import type { Carrier, LaneClass } from '../store/lanes'
import { createAnswers, type JoinRequest, type Settled, type Unfit, unavailable, type Waiting } from './answers'
import type { Failpoint } from './failpoints'
import { type Service, startHandoff } from './handoff'
import type { Lane } from './lane'
import type { LaneStatus } from './lane-status'
import { type Loop, startLoop } from './loop'
import type { Queued } from './queue'
import { type RecoveryOptions, recover, type Watched } from './recovery'
import type { RemoteOrder, Remotes } from './remote'
import { writeTransfer } from './transfer'
import type { Waiters } from './waiters'

/** A judged payment on its way into the ledger. */
export type Order = Omit<Claim, 'waiter' | 'deadlineMs' | 'transfer' | 'queuedBy'> & {
  transfer: SignedTransfer
  baseFee: bigint
  /** Milliseconds of a clock that never jumps. */
  judgedAt: number
} & Pick<RemoteOrder, 'network' | 'declared' | 'judgedBlock'>

/** Why an order was not taken: what the ledger said to its claim. */
export type NotClaimed = { end: 'not claimed'; why: Exclude<Claimed, 'claimed'> }

/** The lanes of this process, each with the network and the class it serves. */
export type Lanes = readonly { network: string; class: LaneClass; lane: Lane }[]

export type EngineOptions = {
  db: Db
  /** The pool of requests: a flood of claims waits there and not before the lanes' own writes. */
  requests: Db
  /** Names this process in leases and waiters. */
  instance: string
  lanes: Lanes
  networks: ReadonlyMap<string, Watched>
  waiters: Waiters
  remotes: Remotes
  recovery: Omit<RecoveryOptions, 'db' | 'networks' | 'requeue' | 'doubts' | 'watchRemote' | 'log'>
  /** How long a request waits for the chain, by tier, milliseconds. */
  deadlines: { usual: number; flash: number }
  /** Tells the other instances that there is a claim to take. */
  offer: () => void
  /** No other process can use this database. */
  exclusive: boolean
  failpoint: Failpoint
  log: Log
}

/** The engine: requests create intents and wait, the engine owns the work. */
export type Engine = {
  /**
   * Throws `unavailable` when no lane of the network and class can take work now, here or in another instance, and `upstream` when
   * another facilitator serves the tier and could not be reached a moment ago.
   */
  requireCarrier(by: { network: string; tier: string; laneClass: Carrier }): Promise<void>
  laneStatus(): { network: string; class: LaneClass; status: LaneStatus }[]
  /** Claims, signs, sends and waits. Throws `unavailable` while nothing is signed. */
  settle(order: Order, waiting: Waiting): Promise<Settled | Unfit | NotClaimed>
  /** Looks at due work now and not only when its time comes. */
  kick(): void
  /** Another instance says that something of these may concern us. */
  hear(what: Announcement): void
  /** Waits for a settlement that an identical request of the same caller made. Null when that is not allowed. */
  join(known: JoinRequest, waiting: Waiting): Promise<Settled | Unfit | null>
  /** What a request of this name was told of a settlement. Null when it was told nothing. */
  recall(settlementId: string, name: string): Promise<Settled | null>
  /** How long a request waits for the chain at most. */
  deadlineMs: number
  stop(): Promise<void>
}

const LOOK_MS = 250

/** Starts the engine. Unfinished work of earlier processes is picked up at once. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { db, waiters, remotes, log, deadlines } = options
  const answers = createAnswers(options)
  if (options.exclusive) await abandonAll(db)
  const recoveryOptions = {
    ...options.recovery,
    db,
    networks: options.networks,
    requeue: enqueue,
    doubts: new Map(),
    watchRemote: remotes.watchAgain,
    log,
  }
  const recovery: Loop = startLoop(
    () => recover(recoveryOptions),
    (error) => log.error({ err: error }, 'recovery round failed'),
    1_000,
  )

  const ready = () => options.lanes.filter(({ lane }) => lane.status() === 'ready')
  const adopting = (of: Service) =>
    options.lanes.some((one) => one.network === of.network && one.class === of.class && one.lane.status() === 'leased elsewhere')
  const handoff = startHandoff({ ...options, ready, adopting, enqueue })
  const listening = startLoop(lookForOthers, (error) => log.warn({ err: error }, 'outcomes cannot be looked for now'), 1_000)

  const lanesFor = (network: string, laneClass: LaneClass) =>
    options.lanes.filter((lane) => lane.network === network && lane.class === laneClass).map(({ lane }) => lane)

  const hasLane = (network: string, laneClass: LaneClass) =>
    lanesFor(network, laneClass).some((lane) => lane.status() === 'ready')

  async function requireCarrier({ network, tier, laneClass }: Parameters<Engine['requireCarrier']>[0]): Promise<void> {
    if (laneClass === 'remote') return remotes.requireReachable(tier)
    if (hasLane(network, laneClass) || (await handoff.canLeave({ network, class: laneClass }))) return
    throw unavailable(`no signer on ${network} can take payments now; nothing was sent, try again shortly`)
  }

  async function settle(
    { laneClass, baseFee, judgedAt, judgedBlock, ...order }: Order,
    waiting: Waiting,
  ): Promise<Settled | Unfit | NotClaimed> {
    const { id, network, tier, asset, caller, transfer, expiresAt } = order
    const waiter = answers.nextWaiter()
    const deadlineMs = answers.deadlineOf(tier)
    const until = performance.now() + deadlineMs
    const mine = laneClass === 'remote' || hasLane(network, laneClass)
    const queuedBy = mine ? options.instance : null
    options.failpoint('judged')
    const claimed = await claimIntent(options.requests, {
      ...order,
      laneClass,
      queuedBy,
      transfer: writeTransfer(transfer),
      waiter,
      deadlineMs,
    })
    if (claimed !== 'claimed') return { end: 'not claimed', why: claimed }
    options.failpoint('claimed')
    const answer = answers.answerOf(id, waiter, waiting, deadlineMs)
    if (laneClass === 'remote') return remotes.carry({ ...order, judgedBlock }, deadlineMs, answer)
    const item = {
      ...{ settlementId: id, caller, tier, asset, transfer, expiresAt, baseFee, judgedAt, until },
      alone: transfer.proof === 'code',
    }
    if (!mine) options.offer()
    else if (!enqueue(network, laneClass, item)) waiters.wake(id)
    return answer
  }

  /**
   * Hands a claim to the lane that has others of its payer, so that they are judged one behind the other, or else to the lane with the
   * least to do. False when none takes it.
   */
  function enqueue(network: string, laneClass: LaneClass, item: Queued): boolean {
    const payer = item.transfer.authorization.from
    const all = lanesFor(network, laneClass)
    // Taken up twice: after a lease that ran out, or by a round of recovery that came too soon.
    if (all.some((lane) => lane.has(item.settlementId))) return true
    const lanes = all
      .map((lane) => ({ lane, carries: lane.carries(payer), load: lane.load() }))
      .sort((a, b) => Number(b.carries) - Number(a.carries) || a.load - b.load)
    return lanes.some(({ lane }) => lane.enqueue(item))
  }

  // What another instance announces can be lost; whoever waits looks for himself as well.
  async function lookForOthers(): Promise<number> {
    const ids = options.exclusive ? [] : waiters.waitedFor()
    if (ids.length > 0) for (const id of await findAnswerable(db, ids)) waiters.hear(id)
    return LOOK_MS
  }

  return {
    requireCarrier,
    laneStatus: () =>
      options.lanes.map(({ network, class: laneClass, lane }) => ({ network, class: laneClass, status: lane.status() })),
    settle,
    join: answers.join,
    recall: answers.recall,
    deadlineMs: Math.max(deadlines.usual, deadlines.flash),
    kick: recovery.kick,
    hear(what) {
      if (what === 'claims') handoff.kick()
      else if (what === 'slots') for (const { watcher } of options.networks.values()) watcher.hear()
      else waiters.hear(what.settlementId, what.how)
    },
    async stop() {
      await Promise.all([recovery.stop(), handoff.stop(), listening.stop()])
      await remotes.stop()
      // A lease that cannot be given up runs out by itself.
      const lanes = options.lanes.map(({ lane }) => lane.stop())
      for (const result of await Promise.allSettled(lanes))
        if (result.status === 'rejected') log.warn({ err: result.reason }, 'a lane stopped badly')
      await Promise.all([...options.networks.values()].map(({ watcher }) => watcher.stop()))
    },
  }
}
