import type { EvmChain, SignedTransfer } from '../chains/evm/chain'
import type { Signer } from '../chains/evm/signer'
import type { Log } from '../log'
import type { Db } from '../store/database'
import { type LaneClass, type Lease, quarantine, releaseLease, startNonce, takeLease } from '../store/lanes'
import { commitAttempt, markSent, type OpenAttempt, openAttemptsOfLane } from '../store/slots'
import { EXPIRY_MARGIN_SECONDS } from '../x402/exact-evm'
import type { Failpoint } from './failpoints'
import { type LaneStatus, logStatus } from './lane-status'
import { type Loop, startLoop } from './loop'
import { hasReserve } from './reserve'
import { sendUntilTaken } from './sending'
import { writeTransfer } from './transfer'
import type { Watcher } from './watcher'

/** A claimed settlement that waits to be signed. */
export type Queued = {
  settlementId: string
  network: string
  asset: string
  transfer: SignedTransfer
  expiresAt: bigint
  baseFee: bigint
}

export type LaneOptions = {
  db: Db
  chain: EvmChain
  signer: Signer
  class: LaneClass
  holder: string
  /** The database's folder lock proves that no other process can hold a lease. */
  exclusive: boolean
  leaseMs: number
  recheckMs: number
  inFlightMax: number
  queueMax: number
  watcher: Watcher
  /** Wakes whoever waits for a claim that will not be signed; nobody's is freed when its check is due. */
  release: (settlementId: string) => void
  /** Unix seconds. */
  now: () => bigint
  failpoint: Failpoint
  log: Log
}

/** One signer on one network: it alone allocates its nonces, under its lease, and sends in nonce order. */
export type Lane = {
  status(): LaneStatus
  /** Payments that wait here or are on the wire. */
  load(): number
  /** False when the queue is full or the lane cannot take work. */
  enqueue(item: Queued): boolean
  stop(): Promise<void>
}

/** A lane whose next bytes no node takes for this long gets no new work: other lanes may be well. */
const STUCK_MS = 3_000
/** A lagging node may under-report our nonce for a while; only half a minute of it is a disagreement. */
const DISAGREEMENTS_MAX = 30

/** Starts a lane: it takes its lease, brings its unfilled slots back on the wire, and then serves its queue. */
export function startLane(options: LaneOptions): Lane {
  const { db, chain, signer, watcher, log } = options
  const queue: Queued[] = []
  let status: LaneStatus = 'starting'
  let lease: Lease | null = null
  let nextNonce = 0n
  let disagreements = 0
  let spent = false
  let stuck = false
  let stopping = false

  async function keepLease(): Promise<number> {
    if (stopping) return options.leaseMs
    // Read before the row: a nonce is committed before it is sent, so the chain can never rightly be ahead of a later row.
    const count = lease ? null : await chain.transactionCount(signer.address)
    const key = { network: chain.network, address: signer.address, class: options.class }
    const taken = await takeLease(db, key, { holder: options.holder, leaseMs: options.leaseMs, stealing: options.exclusive })
    if (!taken) {
      lease = null
      setStatus('leased elsewhere')
    } else if (count !== null) await adopt(taken, count)
    else if (taken.epoch !== lease?.epoch) {
      distrust()
      return 0
    } else if (spent || status !== 'ready') await checkBalance().catch(keepBalance)
    return status === 'ready' ? options.leaseMs / 3 : Math.min(options.leaseMs / 3, 1_000)
  }

  /** Compares the lane's row with its chain before the first nonce is allocated under a new lease. */
  async function adopt(taken: Lease, count: bigint): Promise<void> {
    if (taken.status === 'quarantined') return setStatus('quarantined')
    if (!(await chain.isExpected())) return setStatus('wrong chain')
    const open = await openAttemptsOfLane(db, taken.laneId)
    if (taken.nextNonce === null) await startNonce(db, taken, count)
    const next = taken.nextNonce ?? count
    const lowest = open[0]?.nonce ?? next
    if (count > next) return giveUp(taken, 'the chain knows transactions that the ledger does not')
    if (count < lowest && ++disagreements < DISAGREEMENTS_MAX) return setStatus('starting')
    if (count < lowest) return giveUp(taken, 'the chain has forgotten transactions that the ledger saw mined')
    disagreements = 0
    for (const attempt of open) watcher.track(attempt, 'to be sent')
    lease = taken
    nextNonce = next
    await checkBalance()
    pump.kick()
  }

  async function checkBalance(): Promise<void> {
    spent = false
    setStatus((await hasReserve(chain, signer.address)) ? 'ready' : 'low balance')
  }

  // The node's silence says nothing about the lease: the lane stays as it is and looks again.
  function keepBalance(error: unknown): void {
    spent = true
    log.warn({ err: error, network: chain.network }, 'the balance of a lane is not known now')
  }

  async function giveUp(taken: Lease, why: string): Promise<void> {
    log.error({ network: chain.network, address: signer.address, why }, 'lane quarantined')
    await quarantine(db, taken)
    lease = null
    setStatus('quarantined')
  }

  function setStatus(now: LaneStatus): void {
    logStatus(log, { network: chain.network, address: signer.address }, status, now)
    status = now
  }

  async function serveQueue(): Promise<null> {
    while (!stopping && lease && status === 'ready' && watcher.openSlots(lease.laneId) < options.inFlightMax) {
      const item = queue.shift()
      if (!item) break
      await serve(item, lease)
    }
    return null
  }

  async function serve(item: Queued, held: Lease): Promise<void> {
    // It waited too long to be mined in time: a transaction would only cost gas.
    if (item.expiresAt < options.now() + EXPIRY_MARGIN_SECONDS) return options.release(item.settlementId)
    const nonce = nextNonce
    let { baseFee } = item
    // It may have queued for a while: the dearer of two readings still gets mined.
    if (watcher.baseFee() > baseFee) baseFee = watcher.baseFee()
    const signed = chain.sign(signer, nonce, item.transfer, baseFee)
    options.failpoint('signed')
    const commit = () => commitAttempt(db, held, nonce, item.settlementId, signed, options.recheckMs)
    let committed: { slotId: string } | null
    try {
      // Nothing written: the claim was given up meanwhile, or our lease ran out, which is mended once and tried again.
      committed = await commit()
      if (!committed && !(await holdsStill(held, nonce))) return void queue.unshift(item)
      committed ??= await commit()
    } catch (error) {
      // It may have been committed all the same: nothing more is signed until the database says what it holds.
      log.error({ err: error, settlementId: item.settlementId }, 'the write-ahead failed; the lane reads its row again')
      // Safe to try again: what was committed is no longer a claim.
      queue.unshift(item)
      return restart()
    }
    if (!committed) return
    options.failpoint('committed')
    nextNonce = nonce + 1n
    const attempt: OpenAttempt = {
      settlementId: item.settlementId,
      state: 'PREPARED',
      network: item.network,
      asset: item.asset,
      transfer: writeTransfer(item.transfer),
      expiresAt: item.expiresAt,
      slotId: committed.slotId,
      laneId: held.laneId,
      signer: signer.address,
      nonce,
      hash: signed.hash,
      raw: signed.raw,
    }
    spent = true
    watcher.track(attempt, 'being sent')
    await sendInOrder(attempt, held)
  }

  async function holdsStill(held: Lease, nonce: bigint): Promise<boolean> {
    const key = { network: chain.network, address: signer.address, class: options.class }
    const taken = await takeLease(db, key, { holder: options.holder, leaseMs: options.leaseMs, stealing: false })
    const same = taken?.epoch === held.epoch && taken.nextNonce === nonce
    if (!same) restart()
    return same
  }

  function restart(): void {
    distrust()
    leasing.kick()
  }

  function distrust(): void {
    lease = null
    setStatus('starting')
  }

  /** The next nonce leaves only after a node has this one: a gap would hold up everything behind it. */
  async function sendInOrder(attempt: OpenAttempt, held: Lease): Promise<void> {
    const onRefusal = (waitedMs: number) => {
      stuck = waitedMs > STUCK_MS
      leasing.kick()
    }
    const active = () => !stopping && lease !== null
    const sent = await sendUntilTaken({ chain, watcher, log, active, onRefusal, failpoint: options.failpoint }, attempt)
    stuck = false
    watcher.kick()
    if (sent === 'nonce taken') await giveUp(held, 'another program uses the key: its transaction has the nonce of ours')
    if (sent !== 'taken') return
    markSent(db, attempt.slotId, attempt.hash).catch((error: unknown) =>
      log.warn({ err: error }, 'a sent transaction is not marked yet'),
    )
  }

  const leasing: Loop = startLoop(
    keepLease,
    (error) => {
      log.error({ err: error, network: chain.network }, 'the lease of a lane cannot be kept')
      // Not kicked: a database that is down is asked again in a second, not at once.
      distrust()
    },
    1_000,
  )
  const pump: Loop = startLoop(
    serveQueue,
    (error) => {
      log.error({ err: error, network: chain.network }, 'a lane cannot serve its queue')
      restart()
    },
    500,
  )
  watcher.onFilled(() => pump.kick())

  return {
    status: () => (stuck && status === 'ready' ? 'stuck' : status),
    load: () => queue.length + (lease ? watcher.openSlots(lease.laneId) : 0),
    enqueue(item) {
      if (stopping || stuck || status !== 'ready' || queue.length >= options.queueMax) return false
      queue.push(item)
      pump.kick()
      return true
    },
    async stop() {
      stopping = true
      await Promise.all([leasing.stop(), pump.stop()])
      setStatus('stopped')
      if (lease) await releaseLease(db, lease)
    },
  }
}
