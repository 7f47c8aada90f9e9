import type { Failpoint } from '../../base/failpoints'
import { type Loop, startLoop } from '../../base/loop'
import type { Timing } from '../../base/timing'
import { validUntil } from '../../x402/networks/expiry-margin'
import { type Arrivals, createGathering } from '../arrivals'
import { APPROVALS_A_DAY, commitFunding } from '../statements/approvals'
import type { Lease } from '../statements/lanes'
import { markSent, type NewAttempt, type OpenSlot } from '../statements/slots'
import type { LaneStatus } from './lane-status'
import { keepLease, type LeaseOptions } from './lease'
import { createSuspects, fitting, payableMembers } from './preflight'
import { createQueue, type Queued } from './queue'
import { replaceStuck, sendUntilTaken } from './sending'
import { type Funding, type Signed, signCovered, signFunding, writeAhead } from './signing'
import { slotOf } from './tracked'

type LaneOptions = LeaseOptions & {
  recheckMs: number
  inFlightMax: number
  batchMax: number
  /** The number of payments that may wait to share a transaction. */
  queueMax: number
  /** A batch with room waits for these. */
  arrivals: Arrivals
  /** Wakes the request that waits for a claim that will not be signed. Without one, recovery frees the claim when its check is due. */
  release: (settlementId: string, why: 'late' | 'underfunded') => void
  /** Ends a claim that a transaction was mined without and that cannot be paid now. */
  endReturned: (settlementId: string) => void
  /** How long after its claim a payment is sent, milliseconds. */
  horizonMs: number
  /** Unix seconds. */
  now: () => bigint
  timing: Timing
  failpoint: Failpoint
}

/** One signer on one network: it alone allocates its nonces, under its lease, and sends in nonce order. */
export type Lane = {
  /** The address of its signer, lower case. */
  address: string
  status(): LaneStatus
  /** The number of payments queued, and of transactions in flight. */
  load(): number
  /**
   * Whether it is signing or sending, its next batch has room, and blocks take what it sends: a payment that may share then costs no
   * transaction of its own.
   */
  hasRoom(): boolean
  /** Whether this claim is queued or being signed. */
  has(settlementId: string): boolean
  /** Whether a payment of this payer is queued, being signed or in flight: its next ones are judged behind it. */
  hasPayer(payer: string): boolean
  /** False when the queue is full or the lane cannot take work. */
  enqueue(item: Queued): boolean
  /** Sends a payer the ether for its approval, once for each claim. */
  fund(funding: Funding): void
  stop(): Promise<void>
}

/** A lane whose bytes no node takes for this long gets no new work. */
const STUCK_MS = 3_000
/** How long a lane waits for lower fees, or for money, before it looks again. */
const DEAR_MS = 500

/**
 * Starts a lane. It sends one transaction at a time. Payments that queue meanwhile share the next one, with those of requests that
 * are being judged: a quiet lane adds no wait and a busy one batches by itself (docs/engine.md "Lanes and group commit").
 */
export function startLane(options: LaneOptions): Lane {
  const { db, chain, signer, watcher, log, failpoint } = options
  const queue = createQueue()
  const suspects = createSuspects(db, chain.network, log)
  const gathering = createGathering(options, chain.network)
  const fundings: Funding[] = []
  /** Taken from the queue and not watched yet. */
  let inHand: readonly Queued[] = []
  /** No node has taken the bytes that are being sent. */
  let refused = false
  let stuck = false
  let stopping = false
  const lease = keepLease(options, () => pump.kick())

  const mine = { network: chain.network, signer: signer.address }
  const mayAllocate = (laneId: string) => watcher.unmined(laneId).length < options.inFlightMax
  const canSign = (held: Lease) => !stopping && lease.status() === 'ready' && mayAllocate(held.laneId)

  async function serveQueue(): Promise<number | null> {
    for (let held = lease.held(); held && canSign(held); held = lease.held()) {
      const waitMs = fundings.length > 0 ? 0 : gathering.msFor(queue)
      if (waitMs > 0) return waitMs
      const funding = nextFunding()
      if (funding) await sendFunding(held, funding)
      const { fit: items, rest, never } = fitting(chain.network, inTime(queue.take(options.batchMax)))
      queue.putBack(rest)
      for (const item of never) giveUp(item)
      inHand = items
      if (items.length === 0 && queue.size() === 0 && fundings.length === 0) break
      const waits =
        items.length > 0 &&
        !(await serve(await payableMembers({ chain, signer, watcher, suspects, log }, items, giveUp, queue.putBack)))
      inHand = []
      if (waits) return DEAR_MS
    }
    return null
  }

  // What came too late is left out: a lane that is slow for a moment would else serve only claims that are over.
  function nextFunding(): Funding | undefined {
    for (let next = fundings.shift(); next; next = fundings.shift()) if (next.until > performance.now()) return next
    return undefined
  }

  // A payment too late to be mined in time only costs gas; one without a waiter may be queued twice.
  function inTime(items: Queued[]): Queued[] {
    const limit = validUntil(chain.network, options.now())
    const isLate = ({ expiresAt, until }: Queued) => expiresAt < limit || until <= performance.now()
    for (const late of items.filter(isLate)) options.release(late.settlementId, 'late')
    return items.filter((item) => !isLate(item))
  }

  // A payment that was in a slot before is not freed: it fails with the chain's reason.
  function giveUp({ settlementId, until }: Queued): void {
    if (until === Number.POSITIVE_INFINITY) options.endReturned(settlementId)
    else options.release(settlementId, 'underfunded')
  }

  /** Signs, commits and sends these claims. False when it has to wait for lower fees or for money; then what can wait is queued again. */
  async function serve(items: Queued[]): Promise<boolean> {
    const held = lease.held()
    if (items.length === 0) return true
    if (!held) {
      queue.putBack(items)
      return true
    }
    const nonce = lease.nextNonce()
    const piece = { facts: { network: chain.network, members: items.length }, for: items.map(({ mark = null }) => mark) }
    const slot = await options.timing.time({ ...piece, name: 'sign' }, async () => {
      const signing = await signCovered({ ...options, lease }, nonce, items, suspects.burning())
      if (typeof signing === 'string') return signing
      const { members, signed } = signing
      failpoint('signed')
      queue.putBack(items.slice(members.length))
      const slotId = await writeAhead({ ...options, lease, queue }, { held, nonce, members, signed })
      return slotId === null ? null : { ...slotOf({ ...mine, slotId, laneId: held.laneId, nonce }, signed, members), signed }
    })
    if (typeof slot === 'string') wait(held, items, slot)
    else if (slot) await options.timing.time({ ...piece, name: 'send' }, () => send(slot, slot.signed))
    return typeof slot !== 'string'
  }

  /** Nothing can be signed now: the fees are too high, or the balance is too low even for the first of these. */
  function wait(held: Lease, items: Queued[], why: Extract<Signed, string>): void {
    log.warn({ ...mine, payments: items.length, why }, 'a lane waits')
    // What is mined leaves some of its gas.
    const mayEnd = why === 'too dear' || watcher.unmined(held.laneId).length > 0
    const waiting = items.filter(({ until }) => mayEnd || until === Number.POSITIVE_INFINITY)
    for (const item of items) if (!waiting.includes(item)) options.release(item.settlementId, 'late')
    queue.putBack(waiting)
    if (why === 'too poor') lease.checkBalance()
  }

  async function sendFunding(held: Lease, funding: Funding): Promise<void> {
    const nonce = lease.nextNonce()
    const { settlementId } = funding
    const signing = await signFunding({ ...options, lease }, nonce, funding)
    if (!signing) return
    const { signed, cost } = signing
    try {
      const funding = { settlementId, cost, dayMax: APPROVALS_A_DAY * chain.approvalMax }
      const funded = await commitFunding(db, held, nonce, funding, signed)
      failpoint('funding committed')
      if (funded === 'day spent') log.warn({ network: chain.network, settlementId }, "the day's ether for approvals is spent")
      else if (funded) await send(slotOf({ ...mine, slotId: funded.slotId, laneId: held.laneId, nonce }, signed, []), signed)
    } catch (error) {
      // It may have committed.
      log.error({ err: error, settlementId }, 'sending ether for an approval failed; the lane reads its row again')
      lease.restart()
    }
  }

  /** Sends until a node has this nonce: a gap would block all later ones. */
  async function send(slot: OpenSlot, attempt: NewAttempt): Promise<void> {
    failpoint('committed')
    lease.used(slot.nonce, attempt)
    watcher.track(slot, 'being sent')
    const onRefusal = (waitedMs: number) => {
      refused = true
      stuck = waitedMs > STUCK_MS
      lease.kick()
    }
    const active = () => !stopping && lease.held() !== null
    const sent = await sendUntilTaken({ chain, watcher, log, active, onRefusal, failpoint }, slot, attempt)
    refused = false
    stuck = false
    watcher.answered(slot.slotId)
    const held = lease.held()
    if (sent === 'nonce taken' && held)
      await lease.giveUp(held, 'another program uses the key: its transaction has the nonce of ours')
    if (sent !== 'taken') return
    markSent(db, slot.slotId, attempt.hash).catch((error: unknown) =>
      log.warn({ err: error }, 'a sent transaction is not marked yet'),
    )
  }

  const pump: Loop = startLoop(
    serveQueue,
    (error) => {
      log.error({ err: error, network: chain.network }, 'a lane cannot serve its queue')
      lease.restart()
    },
    500,
  )
  watcher.onFilled(() => pump.kick())
  options.arrivals.onNone(chain.network, () => queue.size() > 0 && pump.kick())
  const replacing = startLoop(
    () => replaceStuck({ ...options, lease: lease.held() }),
    (error) => log.warn({ err: error, network: chain.network }, 'stuck transactions cannot be replaced now'),
    1_000,
  )

  return {
    address: signer.address,
    status: () => (stuck && lease.status() === 'ready' ? 'stuck' : lease.status()),
    load() {
      const held = lease.held()
      return queue.size() + (held ? watcher.unmined(held.laneId).length : 0)
    },
    hasRoom() {
      const held = lease.held()
      if (!held || refused || !mayAllocate(held.laneId)) return false
      const [oldest] = watcher.unmined(held.laneId)
      if (oldest && performance.now() - oldest.signedAt > STUCK_MS) return false
      return queue.sharing() < options.batchMax && (queue.size() > 0 || inHand.length > 0)
    },
    has: (settlementId) => queue.has(settlementId) || inHand.some((item) => item.settlementId === settlementId),
    hasPayer(payer) {
      if (queue.holds(payer) || inHand.some(({ transfer }) => transfer.authorization.from === payer)) return true
      return watcher.hasInFlight(lease.held()?.laneId ?? '', payer)
    },
    enqueue(item) {
      if (stopping || stuck || lease.status() !== 'ready') return false
      const displaced = queue.admit(item, options.queueMax)
      if (displaced === 'full') return false
      // One without a waiter is queued again by recovery.
      if (displaced && displaced.until < Number.POSITIVE_INFINITY) options.release(displaced.settlementId, 'late')
      pump.kick()
      return true
    },
    fund(funding) {
      // A slow lane is asked again for the same claim.
      if (!fundings.some(({ settlementId }) => settlementId === funding.settlementId)) fundings.push(funding)
      pump.kick()
    },
    async stop() {
      stopping = true
      await Promise.all([lease.stop(), pump.stop(), replacing.stop()])
      await lease.release()
    },
  }
}
