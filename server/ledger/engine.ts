import type { Log } from '../base/log'
import { type Loop, startLoop } from '../base/loop'
import type { Timing } from '../base/timing'
import type { Db } from '../db/database'
import type { Announcement } from '../db/notices'
import { methodFor } from '../x402/schemes/evm-methods'
import { CHANNEL_RENT } from '../x402/schemes/upto/svm/program'
import type { Arrivals } from './arrivals'
import { startApprovals } from './evm/approvals'
import type { Lane } from './evm/lane'
import type { LaneStatus } from './evm/lane-status'
import { baseFeeFor } from './evm/pricing'
import type { Queued } from './evm/queue'
import { type Service, startHandoff } from './handoff'
import { createNewcomers } from './newcomers'
import { claimOf, type Order, queuedFrom } from './orders'
import { recover } from './recovery'
import type { Remotes } from './remote/remotes'
import { endReturned, type RecoveryOptions, type Watched } from './returned'
import { recordLateApproval, recordUnapproved } from './statements/approvals'
import { type Claimed, claimIntent } from './statements/claims'
import { findAnswerable } from './statements/finality'
import { recordUncharged } from './statements/landings'
import type { LaneClass, Submitter } from './statements/lanes'
import { abandonAll } from './statements/settlements'
import { canPay, type FeeUse } from './svm/fee-payers'
import type { SvmSubmitter } from './svm/submitter'
import {
  createOutcomes,
  type Ended,
  type JoinRequest,
  type OutcomesOptions,
  type Settled,
  type Underfunded,
  unavailable,
  type Waiting,
} from './waiting'

/** What a payment needs to be sent: a lane of a network and class, of one `sender` if set, or on Solana the fee payer that it names, for a `use`: a payment if unset. */
export type Need = {
  network: string
  tier: string
  laneClass: Submitter
  feePayer: string | null
  sender: string | null
  use?: FeeUse
}

/** A lane or a Solana fee payer, and whether it can take work; `opens`: it can front the rent of one more channel. */
export type SenderStatus = { network: string; class: LaneClass; address: string; status: LaneStatus; opens?: boolean }

/** Why an order was not claimed. */
export type NotClaimed = { end: 'not claimed'; why: Exclude<Claimed, 'claimed' | 'claimed alone'> }

/** The lanes of this process, each with the network and the class it serves. */
export type Lanes = readonly { network: string; class: LaneClass; lane: Lane }[]

export type EngineOptions = OutcomesOptions & {
  /** The pool of requests, so that a flood of claims does not delay the lanes' writes. */
  requests: Db
  lanes: Lanes
  networks: ReadonlyMap<string, Watched>
  /** The Solana clusters, by network. */
  clusters: ReadonlyMap<string, SvmSubmitter>
  remotes: Remotes
  arrivals: Arrivals
  recovery: Omit<RecoveryOptions, 'db' | 'networks' | 'clusters' | 'requeue' | 'suspected' | 'watchRemote' | 'log'>
  /** Wakes the request of a claim that will not be signed. */
  release: (settlementId: string, why: 'late' | 'underfunded') => void
  /** Notifies the other instances of a claim to take. */
  offer: () => void
  /** No other process can use this database. */
  exclusive: boolean
  /** Unix seconds. */
  now: () => bigint
  timing: Timing
  log: Log
}

/** The engine: requests create intents and wait, the engine owns the work. */
export type Engine = {
  /**
   * Throws `unavailable` when no instance has a lane of the network and class that can take work, or the fee payer cannot pay. Throws
   * `upstream` when the facilitator of the tier was unreachable a moment ago.
   */
  requireSubmitter(need: Need): Promise<void>
  laneStatus(): SenderStatus[]
  /** Counts a settle request from its start: batches wait briefly for it. Call the result when it ends. */
  arriving(network: string): () => void
  /** Claims, signs, sends and waits. `arrived` is called in the turn that queues it. Throws `unavailable` while nothing is signed. */
  settle(order: Order, waiting: Waiting, arrived: () => void): Promise<Ended | NotClaimed>
  /** Checks due work now. */
  kick(): void
  /** Ends a claim that a transaction was mined without and that cannot be paid now. */
  endReturned(settlementId: string): Promise<void>
  /** Handles a notice of another instance. */
  onNotice(notice: Announcement): void
  /** Waits for a settlement that an identical request of the same caller made. Null when that is not allowed. */
  join(known: JoinRequest, waiting: Waiting): Promise<Settled | Underfunded | null>
  /** The response that a request with this name received for a settlement; null without one. */
  recall(settlementId: string, name: string): Promise<Settled | null>
  /** The longest wait of a request for the chain, milliseconds. */
  deadlineMs: number
  stop(): Promise<void>
}

const OUTCOMES_MS = 250

/** Starts the engine. Unfinished work of earlier processes is picked up at once. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { db, waiters, remotes, log, deadlines, timing } = options
  const answers = createOutcomes(options)
  if (options.exclusive) await abandonAll(db)
  const recoveryOptions = {
    ...options.recovery,
    db,
    networks: options.networks,
    clusters: options.clusters,
    requeue: enqueue,
    suspected: new Map(),
    watchRemote: remotes.watchAgain,
    log,
  }
  const recovery: Loop = startLoop(
    () => recover(recoveryOptions),
    (error) => log.error({ err: error }, 'recovery round failed'),
    1_000,
  )

  const ready = () =>
    options.lanes
      .filter(({ lane }) => lane.status() === 'ready')
      .map(({ network, class: laneClass, lane: { address } }) => ({ network, class: laneClass, address }))
  const adopting = ({ network, class: laneClass, sender }: Service) =>
    lanesFor(network, laneClass).some((lane) => isSender(lane, sender) && lane.status() === 'leased elsewhere')
  const handoff = startHandoff({ ...options, ready, adopting, enqueue })
  const listening = startLoop(readOutcomes, (error) => log.warn({ err: error }, 'outcomes cannot be read now'), 1_000)

  const approvals = startApprovals({
    networks: options.networks,
    release: options.release,
    failpoint: options.failpoint,
    log,
    lanesFor: (network, laneClass) => lanesFor(network, laneClass),
    queue: enqueueApproved,
    unapproved: (settlementId, why) => (why === 'late' ? recordLateApproval : recordUnapproved)(db, settlementId),
  })

  const newcomers = createNewcomers((claim) => claimIntent(options.requests, claim))

  const lanesFor = (network: string, laneClass: LaneClass) =>
    options.lanes.filter((lane) => lane.network === network && lane.class === laneClass).map(({ lane }) => lane)

  const hasLane = (network: string, laneClass: LaneClass, sender: string | null) =>
    lanesFor(network, laneClass).some((lane) => isSender(lane, sender) && lane.status() === 'ready')

  async function requireSubmitter({ network, tier, laneClass, feePayer, sender, use = 'payment' }: Need): Promise<void> {
    if (laneClass === 'remote') return remotes.requireReachable(tier)
    if (feePayer !== null) return requireFeePayer(network, feePayer, use)
    if (hasLane(network, laneClass, sender) || (await handoff.canLeave({ network, class: laneClass, sender }))) return
    const who =
      sender === null
        ? `no signer on ${network} can take payments now`
        : `the facilitator ${sender} cannot send on ${network} now`
    throw unavailable(`${who}; nothing was sent, try again shortly`)
  }

  // A payment names its fee payer, so no other one can pay for it.
  function requireFeePayer(network: string, address: string, use: FeeUse): void {
    const payer = options.clusters.get(network)?.feePayers.find(address)
    if (payer && canPay(payer, use === 'opening' ? CHANNEL_RENT : 0n, use)) return
    throw unavailable(`the fee payer ${address} ${whyNot(payer?.status)}; nothing was sent, try again shortly`)
  }

  /** What is signed above the row's ceiling could be neither mined nor replaced. */
  async function requirePayableFees(order: Order): Promise<void> {
    const watched = options.networks.get(order.network)
    if (order.family !== 'evm' || order.laneClass === 'remote' || !watched) return
    if ((await baseFeeFor(watched.chain, watched.watcher.head(), order.baseFee)) !== null) return
    throw unavailable(`the fees of ${watched.chain.title} are above what is paid here; nothing was sent, try again shortly`)
  }

  async function settle(order: Order, waiting: Waiting, arrived: () => void): Promise<Ended | NotClaimed> {
    const waiter = answers.nextWaiter()
    const totalMs = answers.deadlineOf(order.confirmationLevel)
    const until = performance.now() + totalMs
    const mine =
      order.family === 'svm' || order.laneClass === 'remote' || hasLane(order.network, order.laneClass, order.sender ?? null)
    await requirePayableFees(order)
    options.failpoint('judged')
    const queuedBy = mine ? options.instance : null
    const claim = { ...claimOf(order), queuedBy, waiter, deadlineMs: totalMs, signedNext: mine && isSignedNext(order) }
    const facts = { network: order.network, tier: order.tier }
    const claiming = () => newcomers.claim(claim, waiting.hangUp, arrived)
    const { end, used, deadlineMs } = await timing.time({ name: 'claim', facts }, claiming)
    if (end !== 'claimed' && end !== 'claimed alone') return { end: 'not claimed', why: end }
    options.failpoint('claimed')
    arrived()
    const answer = timing.time({ name: 'wait', facts }, () => answers.waitForOutcome(order.id, waiter, waiting, deadlineMs))
    // It may fail before it is awaited below, where its error is thrown.
    answer.catch(() => {})
    if (order.amount === 0n && order.family === 'evm') {
      // Nothing is sent for it. Without the record, its claim is freed as one that was not signed.
      await recordUncharged(options.requests, order.id).catch((error: unknown) =>
        log.error({ err: error }, 'a charge of nothing was not recorded'),
      )
      options.failpoint('uncharged')
      waiters.wake(order.id)
    } else if (order.family === 'svm') options.clusters.get(order.network)?.submit(order, order.payload, until)
    else if (order.laneClass === 'remote') return { ...(await remotes.submit(order, deadlineMs, answer)), used }
    else if (!mine) options.offer()
    else {
      const queued = queuedFrom(order, { until, alone: end === 'claimed alone', claimedAt: options.now() }, timing.mark())
      if (!enqueue(order.network, order.laneClass, queued)) waiters.wake(order.id)
    }
    return { ...(await answer), used }
  }

  /**
   * Queues a claim at the lane that has other claims of its payer, so that they are judged in order. Else at a lane whose next batch has
   * room, or at the lane with the least load. False when no lane takes it.
   */
  function enqueue(network: string, laneClass: LaneClass, item: Queued): boolean {
    if (approvals.has(item.settlementId)) return true
    // One that came back was approved before: its lane finds out whether it can still be paid.
    const cameBack = item.until === Number.POSITIVE_INFINITY
    if (!cameBack && methodFor(item.transfer).approval(item.transfer) !== null) return approvals.add(network, laneClass, item)
    return enqueueApproved(network, laneClass, item)
  }

  function enqueueApproved(network: string, laneClass: LaneClass, item: Queued): boolean {
    const payer = item.transfer.authorization.from
    const sender = methodFor(item.transfer).sender(item.transfer)
    const all = lanesFor(network, laneClass).filter((lane) => isSender(lane, sender))
    // Already queued: recovery came early, or a lease ran out.
    if (all.some((lane) => lane.has(item.settlementId))) return true
    const lanes = all
      .map((lane) => ({ lane, fit: lane.hasPayer(payer) ? 2 : Number(!item.alone && lane.hasRoom()), load: lane.load() }))
      .sort((a, b) => b.fit - a.fit || a.load - b.load)
    return lanes.some(({ lane }) => lane.enqueue(item))
  }

  // A notice can get lost, so a waiting request also polls.
  async function readOutcomes(): Promise<number> {
    const ids = options.exclusive ? [] : waiters.waitedFor()
    if (ids.length > 0) for (const id of await findAnswerable(db, ids)) waiters.wakeHere(id)
    return OUTCOMES_MS
  }

  return {
    requireSubmitter,
    arriving: options.arrivals.add,
    laneStatus: () => [...options.lanes.map(laneRow), ...[...options.clusters.values()].flatMap(feePayerRows)],
    settle,
    join: answers.join,
    recall: answers.recall,
    deadlineMs: Math.max(deadlines.usual, deadlines.flash),
    kick: recovery.kick,
    endReturned: (settlementId) => endReturned(recoveryOptions, settlementId),
    onNotice(notice) {
      if (notice === 'claims') handoff.kick()
      else if (notice === 'slots') for (const { watcher } of options.networks.values()) watcher.findSlots()
      else waiters.wakeHere(notice.settlementId, notice.how)
    },
    async stop() {
      await Promise.all([recovery.stop(), handoff.stop(), listening.stop(), approvals.stop()])
      await remotes.stop()
      // A lease that cannot be released expires by itself.
      const lanes = options.lanes.map(({ lane }) => lane.stop())
      for (const result of await Promise.allSettled(lanes))
        if (result.status === 'rejected') log.warn({ err: result.reason }, 'a lane stopped badly')
      await Promise.all([...options.networks.values()].map(({ watcher }) => watcher.stop()))
      await Promise.all([...options.clusters.values()].map((cluster) => cluster.stop()))
    },
  }
}

const isSender = ({ address }: Pick<Lane, 'address'>, sender: string | null) => sender === null || address === sender

/** Whether a lane signs it before anything else is sent for it. */
const isSignedNext = (order: Order) =>
  order.family === 'evm' && order.laneClass !== 'remote' && methodFor(order.transfer).approval(order.transfer) === null

const whyNot = (status: LaneStatus | undefined) => (status && WHY_NOT[status]) ?? 'has no balance left for more payments'

const WHY_NOT: Partial<Record<LaneStatus, string>> = {
  starting: 'cannot be used before a node reports its balance',
  'low balance': 'is short of SOL',
  'wrong chain': 'cannot be used: every node is on another cluster',
}

const laneRow = ({ network, class: laneClass, lane }: Lanes[number]): SenderStatus => ({
  network,
  class: laneClass,
  address: lane.address,
  status: lane.status(),
})

const feePayerRows = ({ network, feePayers }: SvmSubmitter): SenderStatus[] =>
  feePayers.all().map((one) => ({
    network,
    class: one.class,
    address: one.signer.address,
    status: one.status,
    opens: canPay(one, CHANNEL_RENT, 'opening'),
  }))
