import type { Log } from '../../base/log'
import { createPauses, type Loop, startLoop } from '../../base/loop'
import type { EvmChain } from '../../chains/evm/chain'
import type { Signer } from '../../chains/evm/signer'
import type { Db } from '../../db/database'
import { type LaneClass, type Lease, lookAtLane, quarantine, releaseLease, startNonce, takeLease } from '../statements/lanes'
import { type NewAttempt, openSlotsOfLane } from '../statements/slots'
import { createFunds } from './funds'
import { type ChainCount, countOn, createSecondCheck, knownOf, type LaneStatus, logStatus } from './lane-status'
import type { Watcher } from './watcher'

export type LeaseOptions = {
  db: Db
  chain: EvmChain
  signer: Signer
  class: LaneClass
  holder: string
  /** The database's folder lock proves that no other process can hold a lease. */
  exclusive: boolean
  /** Each process holds a lock by its name while it lives. */
  locksNames: boolean
  leaseMs: number
  watcher: Watcher
  log: Log
}

/** A lane's lease in this process. Nonces are allocated only while it is held. */
export type LeaseKeeper = {
  status(): LaneStatus
  /** Null while nothing may be allocated. */
  held(): Lease | null
  /** The next nonce of the lane, known while the lease is held. */
  nextNonce(): bigint
  /** Records that a nonce was committed, with this transaction. */
  used(nonce: bigint, attempt: NewAttempt): void
  /** Whether the balance covers this much beside all unmined transactions. */
  covers(cost: bigint): Promise<boolean>
  /** Checks the balance of the lane soon. */
  checkBalance(): void
  /** Whether the lease is still ours, with the same epoch and nonce. If not, the lane reads its row again. */
  holdsStill(lease: Lease, nonce: bigint): Promise<boolean>
  /** Takes the lane out of service until an operator looks. */
  giveUp(lease: Lease, why: string): Promise<void>
  /** Reads the lane's row again before anything is signed. */
  restart(): void
  kick(): void
  stop(): Promise<void>
  release(): Promise<void>
}

/** Until the other instances can read a new status from the row. */
const TOLD_MS = 50
/** How often a lane without its lease, or one that is not ready, looks again. */
const SOON_MS = 1_000
/** A balance that is too low is read ever more seldom, down to this. */
const LOW_MS = 15_000
/** What a look at the row would say of a lane whose lease we hold. */
const HELD = { free: true, quarantined: false } as const
/** A lagging node may under-report our nonce; it counts as a disagreement only after half a minute. */
const DISAGREEMENTS_MAX = 30

/** Takes a lane's lease, watches its unfilled slots and renews the lease; calls `ready` when work may begin. */
export function keepLease(options: LeaseOptions, ready: () => void): LeaseKeeper {
  const { db, chain, signer, watcher, log, leaseMs } = options
  const key = { network: chain.network, address: signer.address, class: options.class }
  let status: LaneStatus = 'starting'
  let lease: Lease | null = null
  let nextNonce = 0n
  let disagreements = 0
  const second = createSecondCheck(chain, signer.address)
  const funds = createFunds(chain, signer.address, () =>
    lease ? watcher.unmined(lease.laneId).flatMap(({ slot }) => slot.attempts.at(-1) ?? []) : [],
  )
  const lowPauses = createPauses({ usualMs: SOON_MS, idleMs: LOW_MS })
  const soonMs = Math.min(leaseMs / 3, SOON_MS)
  let spent = false
  /** When a balance that was too low is read again, in monotonic milliseconds. */
  let checkAt = 0
  let stopping = false
  const stealing = options.exclusive ? 'from any' : options.locksNames && 'from dead'

  async function keep(): Promise<number> {
    if (stopping) return leaseMs
    // While another instance has the lane, or an operator must release it, the chain is not read for it.
    const { free, quarantined } = lease ? HELD : await lookAtLane(db, key, { holder: options.holder, leaseMs, stealing })
    if (!free) {
      setStatus('leased elsewhere')
      return soonMs
    }
    const reads = !lease && !quarantined
    if (reads && !(await chain.isExpected())) {
      setStatus('wrong chain')
      return soonMs
    }
    // Read before the row: nonces are committed before they are sent, so the chain cannot be ahead of a later row.
    const count = reads ? await countOn(chain, signer.address) : null
    const usable = status === 'ready'
    const taken = await takeLease(db, key, { holder: options.holder, leaseMs, stealing, usable })
    if (!taken) {
      lease = null
      setStatus('leased elsewhere')
    } else if (!lease && taken.status === 'quarantined') stayQuarantined(taken)
    else if (count !== null) await adopt(taken, count)
    else if (taken.epoch !== lease?.epoch) {
      distrust()
      return 0
    } else if (spent || (status !== 'ready' && performance.now() >= checkAt)) await checkBalance().catch(keepBalance)
    // The other instances read from the row whether they may leave us work.
    if (taken && usable !== (status === 'ready')) return TOLD_MS
    if (status === 'low balance') return Math.min(leaseMs / 3, Math.max(soonMs, checkAt - performance.now()))
    return status === 'ready' ? leaseMs / 3 : soonMs
  }

  /** Compares the lane's row with its chain before the first nonce is allocated under a new lease. */
  async function adopt(taken: Lease, count: ChainCount): Promise<void> {
    const open = await openSlotsOfLane(db, taken.laneId)
    const next = taken.nextNonce ?? (await begin(taken, count))
    if (next === null) return setStatus('starting')
    const lowest = open[0]?.nonce ?? next
    const isAhead = (one: ChainCount) => knownOf(one) > next
    if (isAhead(count)) {
      // One wrong answer of one node must not stop the lane for good.
      if (await second.agrees(isAhead))
        return giveUp(taken, 'the chain knows transactions that the ledger does not', { next, ...count })
      return waitForNodes({ next, ...count })
    }
    second.forget()
    const isBehind = (one: ChainCount) => one.mined < lowest
    if (isBehind(count) && (await chain.countsOfNodes(signer.address)).every(isBehind)) {
      if (++disagreements < DISAGREEMENTS_MAX) return setStatus('starting')
      return giveUp(taken, 'the chain has forgotten transactions that the ledger saw mined', { next, ...count })
    }
    disagreements = 0
    for (const slot of open) watcher.track(slot, 'to be sent')
    lease = taken
    nextNonce = next
    await checkBalance()
    ready()
  }

  function waitForNodes(facts: Record<string, bigint>): void {
    if (disagreements++ % DISAGREEMENTS_MAX === 0)
      log.warn({ network: chain.network, address: signer.address, ...written(facts) }, 'a lane waits until its nodes agree')
    setStatus('starting')
  }

  /** The first nonce of a new lane; null while a transaction that the ledger does not know is pending. */
  async function begin(taken: Lease, { mined, pending }: ChainCount): Promise<bigint | null> {
    const line = { network: chain.network, address: signer.address, mined: String(mined), pending: String(pending) }
    if (pending > mined) {
      if (disagreements++ % DISAGREEMENTS_MAX === 0)
        log.warn(line, 'a lane waits for pending transactions that the ledger does not know')
      return null
    }
    // A key that was used before looks like a ledger without its rows; other lanes detect missing rows.
    if (mined > 0n) log.warn(line, 'a lane begins with a signer that has sent before')
    await startNonce(db, taken, mined)
    return mined
  }

  async function checkBalance(): Promise<void> {
    spent = false
    const [balance, head] = await Promise.all([funds.refresh(), chain.head()])
    setStatus(balance >= reserveAt(chain, head.baseFee) ? 'ready' : 'low balance')
    checkAt = performance.now() + lowPauses.after(status === 'ready')
  }

  // A silent node says nothing about the lease: the lane keeps its status and asks again.
  function keepBalance(error: unknown): void {
    spent = true
    log.warn({ err: error, network: chain.network }, 'the balance of a lane is not known now')
  }

  async function giveUp(taken: Lease, why: string, facts: Record<string, bigint> = {}): Promise<void> {
    log.error({ network: chain.network, address: signer.address, why, ...written(facts) }, 'lane quarantined')
    await quarantine(db, taken, why)
    lease = null
    setStatus('quarantined')
  }

  // Logged once by every process, so that an operator who restarts the service reads why that does not help.
  function stayQuarantined({ quarantineWhy }: Lease): void {
    if (status !== 'quarantined')
      log.error({ network: chain.network, address: signer.address, why: quarantineWhy }, 'lane quarantined')
    setStatus('quarantined')
  }

  function setStatus(now: LaneStatus): void {
    logStatus(log, { network: chain.network, address: signer.address }, status, now)
    status = now
  }

  function distrust(): void {
    lease = null
    setStatus('starting')
  }

  function restart(): void {
    distrust()
    leasing.kick()
  }

  const leasing: Loop = startLoop(
    keep,
    (error) => {
      log.error({ err: error, network: chain.network }, 'the lease of a lane cannot be kept')
      // Not kicked: a database that is down is retried after a second.
      distrust()
    },
    1_000,
  )

  return {
    status: () => status,
    held: () => lease,
    nextNonce: () => nextNonce,
    used(nonce, attempt) {
      nextNonce = nonce + 1n
      spent = true
      funds.spend(attempt)
    },
    covers: funds.covers,
    checkBalance() {
      spent = true
      leasing.kick()
    },
    async holdsStill(held, nonce) {
      const taken = await takeLease(db, key, { holder: options.holder, leaseMs, stealing: false, usable: status === 'ready' })
      const same = taken?.epoch === held.epoch && taken.nextNonce === nonce && taken.status === 'ready'
      if (!same) restart()
      return same
    },
    giveUp,
    restart,
    kick: leasing.kick,
    async stop() {
      stopping = true
      await leasing.stop()
      setStatus('stopped')
    },
    async release() {
      if (lease) await releaseLease(db, lease)
    },
  }
}

const written = (facts: Record<string, bigint>) =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]))

/** A lane stops when its balance pays for fewer transfers than this, so that signed ones can be paid. */
const RESERVE_TRANSFERS = 5n

/** What a usual transfer takes at most. */
const GAS_OF_TRANSFER = 120_000n

/** What a lane keeps at this base fee, in wei. */
export function reserveAt(chain: Pick<EvmChain, 'costOf'>, baseFee: bigint): bigint {
  return RESERVE_TRANSFERS * chain.costOf(baseFee, GAS_OF_TRANSFER)
}

/** Whether an address can pay for a few more transfers at today's fees. Throws when the node does not answer. */
export async function hasReserve(chain: EvmChain, address: `0x${string}`): Promise<boolean> {
  const [balance, head] = await Promise.all([chain.balance(address), chain.head()])
  return balance >= reserveAt(chain, head.baseFee)
}
