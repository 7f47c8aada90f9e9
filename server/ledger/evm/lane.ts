import { feesAt } from '../../chains/evm/transactions'
import type { Timing } from '../../timing'
import { EXPIRY_MARGIN_SECONDS } from '../../x402/schemes/exact-evm/rules'
import type { Failpoint } from '../failpoints'
import { type Loop, startLoop } from '../loop'
import type { Lease } from '../statements/lanes'
import { commitSlot, markSent, type NewAttempt, type OpenSlot } from '../statements/slots'
import type { LaneStatus } from './lane-status'
import { keepLease, type LeaseOptions } from './lease'
import { writeTransfer } from './payloads'
import { createSuspects, payableMembers } from './preflight'
import { createQueue, type Queued } from './queue'
import { replaceStuck, sendUntilTaken } from './sending'
import type { Tracked } from './tracked'

export type LaneOptions = LeaseOptions & {
  recheckMs: number
  inFlightMax: number
  batchMax: number
  queueMax: number
  /** Wakes whoever waits for a claim that will not be signed; nobody's is freed when its check is due. */
  release: (settlementId: string, why: 'late' | 'underfunded') => void
  /** Ends a claim that came back from a transaction and cannot be paid now. */
  endReturned: (settlementId: string) => void
  /** How long a payment is carried after its claim, milliseconds. */
  horizonMs: number
  /** Unix seconds. */
  now: () => bigint
  timing: Timing
  failpoint: Failpoint
}

/** One signer on one network: it alone allocates its nonces, under its lease, and sends in nonce order. */
export type Lane = {
  /** Its signer's, lower case. */
  address: string
  status(): LaneStatus
  /** Payments that wait here or are on the wire. */
  load(): number
  /** Whether this claim waits here or is being signed. */
  has(settlementId: string): boolean
  /** Whether a payment of this payer waits here, is being signed or is on the wire: its next ones are judged behind it. */
  carries(payer: string): boolean
  /** False when the queue is full or the lane cannot take work. */
  enqueue(item: Queued): boolean
  stop(): Promise<void>
}

/** A lane whose next bytes no node takes for this long gets no new work: other lanes may be well. */
const STUCK_MS = 3_000

/**
 * Starts a lane. One send is in progress at a time; what queues meanwhile becomes the next transaction, alone or as a batch, so
 * that a quiet lane adds no wait and a busy one batches by itself (docs/engine.md "Lanes and group commit").
 */
export function startLane(options: LaneOptions): Lane {
  const { db, chain, signer, watcher, log, failpoint } = options
  const queue = createQueue()
  const suspects = createSuspects(db, chain.network, log)
  /** Taken from the queue and not under watch yet. */
  let inHand: readonly Queued[] = []
  let stuck = false
  let stopping = false
  const lease = keepLease(options, () => pump.kick())

  const mayAllocate = (laneId: string) => watcher.unmined(laneId).length < options.inFlightMax

  async function serveQueue(): Promise<null> {
    for (
      let held = lease.held();
      held && !stopping && lease.status() === 'ready' && mayAllocate(held.laneId);
      held = lease.held()
    ) {
      const items = inTime(queue.take(options.batchMax))
      inHand = items
      if (items.length === 0 && queue.size() === 0) break
      if (items.length > 0)
        await serve(await payableMembers({ chain, signer, watcher, suspects, log }, items, giveUp, queue.putBack))
      inHand = []
    }
    return null
  }

  // Who waited too long to be mined in time would only cost gas; whom nobody waits for any more may be here twice.
  function inTime(items: Queued[]): Queued[] {
    const limit = options.now() + EXPIRY_MARGIN_SECONDS
    const isLate = ({ expiresAt, until }: Queued) => expiresAt < limit || until <= performance.now()
    for (const late of items.filter(isLate)) options.release(late.settlementId, 'late')
    return items.filter((item) => !isLate(item))
  }

  // One that was in a slot before is not freed unsigned: it fails with what the chain says.
  function giveUp({ settlementId, until }: Queued): void {
    if (until === Number.POSITIVE_INFINITY) options.endReturned(settlementId)
    else options.release(settlementId, 'underfunded')
  }

  async function serve(items: Queued[]): Promise<void> {
    const held = lease.held()
    if (items.length === 0) return
    if (!held) return queue.putBack(items)
    const nonce = lease.nextNonce()
    // They may have queued for a while: the dearest reading of the base fee still gets mined.
    const baseFee = highest([watcher.head()?.baseFee ?? 0n, ...items.map(({ baseFee }) => baseFee)])
    const piece = { facts: { network: chain.network, members: items.length }, for: items.map(({ mark = null }) => mark) }
    const slot = await options.timing.time({ ...piece, name: 'sign' }, async () => {
      const transfers = items.map(({ transfer }) => transfer)
      const signed = chain.sign(signer, nonce, transfers, feesAt(baseFee), suspects.burning())
      failpoint('signed')
      const slotId = await writeAhead(held, nonce, items, signed)
      return slotId && { ...slotOf(slotId, held.laneId, nonce, signed, items), signed }
    })
    if (slot) await options.timing.time({ ...piece, name: 'send' }, () => send(slot, slot.signed))
  }

  /** Commits what is about to be sent. Null when nothing was written; what can still be signed is in the queue again. */
  async function writeAhead(held: Lease, nonce: bigint, items: Queued[], signed: NewAttempt): Promise<string | null> {
    const ids = items.map(({ settlementId }) => settlementId)
    const commit = () => commitSlot(db, held, nonce, ids, signed, options.recheckMs)
    try {
      let committed = await commit()
      // Our lease may just have run out, which is mended once and tried again.
      if ('lost' in committed && committed.lost === 'lane' && (await lease.holdsStill(held, nonce))) committed = await commit()
      if ('slotId' in committed) return committed.slotId
      // Some claims were given up meanwhile: the others are signed anew, without them.
      const left = new Set(committed.lost === 'claims' ? committed.left : ids)
      queue.putBack(items.filter(({ settlementId }) => left.has(settlementId)))
    } catch (error) {
      // It may have been committed all the same: nothing more is signed until the database says what it holds.
      log.error({ err: error, settlements: ids }, 'the write-ahead failed; the lane reads its row again')
      // Safe to try again: what was committed is no longer a claim.
      queue.putBack(items)
      lease.restart()
    }
    return null
  }

  function slotOf(slotId: string, laneId: string, nonce: bigint, attempt: NewAttempt, items: Queued[]): OpenSlot {
    const members = items.map(({ settlementId, tier, asset, transfer, expiresAt, claimedAt }) => ({
      ...{ settlementId, tier, asset, expiresAt, claimedAt },
      state: 'PREPARED' as const,
      transfer: writeTransfer(transfer),
    }))
    return { slotId, laneId, network: chain.network, signer: signer.address, nonce, attempts: [attempt], members }
  }

  /** The next nonce leaves only after a node has this one: a gap would hold up everything behind it. */
  async function send(slot: OpenSlot, attempt: NewAttempt): Promise<void> {
    failpoint('committed')
    lease.used(slot.nonce)
    watcher.track(slot, 'being sent')
    const onRefusal = (waitedMs: number) => {
      stuck = waitedMs > STUCK_MS
      lease.kick()
    }
    const active = () => !stopping && lease.held() !== null
    const sent = await sendUntilTaken({ chain, watcher, log, active, onRefusal, failpoint }, slot, attempt)
    stuck = false
    watcher.kick()
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
    has: (settlementId) => queue.has(settlementId) || inHand.some((item) => item.settlementId === settlementId),
    carries(payer) {
      if (queue.holds(payer) || inHand.some(({ transfer }) => transfer.authorization.from === payer)) return true
      return watcher.underWay(new Set([payer])).length > 0 && watcher.unmined(lease.held()?.laneId ?? '').some(isOf(payer))
    },
    enqueue(item) {
      if (stopping || stuck || lease.status() !== 'ready' || queue.size() >= options.queueMax) return false
      queue.push(item)
      pump.kick()
      return true
    },
    async stop() {
      stopping = true
      await Promise.all([lease.stop(), pump.stop(), replacing.stop()])
      await lease.release()
    },
  }
}

const isOf =
  (payer: string) =>
  ({ members }: Tracked): boolean =>
    members.some(({ transfer }) => transfer.authorization.from === payer)

function highest(fees: readonly bigint[]): bigint {
  return fees.reduce((most, fee) => {
    if (fee > most) return fee
    return most
  }, 0n)
}
