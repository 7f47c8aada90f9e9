import { ServiceError } from '../base/errors'
import type { Failpoint } from '../base/failpoints'
import type { Db } from '../db/database'
import type { Finality } from '../x402/networks/finality'
import { rejectClaim } from './statements/claims'
import { awaitsFinality } from './statements/finality'
import { attachWaiter, type Delivery, deliver, detachWaiter, findOutcome, type Outcome } from './statements/settlements'
import type { UsageCount } from './statements/usage'
import { isIn, landedStates } from './states'

/**
 * Where a transfer is on the chain: its block (Solana: slot) and log, as far as they are known; how certain that is; and how often its
 * settlement has moved.
 */
type TransferPlace = { block: bigint | null; logIndex: number | null; finality: Finality; version: number }

/** How a settle request ended for its caller. */
export type Settled = { settlementId: string } & (
  | { end: 'landed'; transaction: string; place: TransferPlace }
  /** The merchant charged nothing of it: no money moved, and its authorization is spent here. */
  | { end: 'uncharged' }
  /** `detail` has the facts as a sentence where the reason lacks them. */
  | { end: 'failed'; transaction: string; reason: string; detail: string | null }
  /** Signed and possibly sent: the engine goes on, the outcome is not known yet. */
  | { end: 'pending'; transaction: string }
  /** The caller hung up; no client reads this. */
  | { end: 'hung-up' }
)

/** Freed before it was signed, because it would have failed: its intent is free and its unit is back. */
export type Underfunded = { end: 'underfunded' }

/** The end of a claimed order, and its subject's used units where it took one. */
export type Ended = (Settled | Underfunded) & { used: UsageCount | null }

/** A waiting request: its hang-up signal, and the name that it shares with its retries, if it has one. */
export type Waiting = { hangUp: AbortSignal; name: string | null }

/** How long a request waits: to a preconfirmation, or to a block. */
export type ConfirmationLevel = 'usual' | 'flash'

export type JoinRequest = {
  id: string
  confirmationLevel: ConfirmationLevel
  /** The finality for which its answer waits; null: a preconfirmation is enough. */
  waitUntil: Finality | null
  tenantId: string
  caller: string
  requestHash: Uint8Array
}

export type OutcomesOptions = {
  db: Db
  /** The name of this process in leases and waiters. */
  instance: string
  waiters: Waiters
  /** Each process holds a lock by its name while it lives. */
  locksNames: boolean
  /** How long a request waits for the chain, milliseconds. */
  deadlines: Readonly<Record<ConfirmationLevel, number>>
  failpoint: Failpoint
}

/** Delivers the outcomes of settlements to requests: each outcome once, to one request. */
export type Outcomes = {
  /** A new unique name for a waiting request. */
  nextWaiter(): string
  deadlineOf(confirmationLevel: ConfirmationLevel): number
  /** Waits for a settlement that this waiter claimed. Throws `unavailable` when its claim was freed. */
  waitForOutcome(id: string, waiter: string, waiting: Waiting, deadlineMs: number): Promise<Settled | Underfunded>
  /** Waits for a settlement that an identical request of the same caller made. Null when that is not allowed. */
  join(known: JoinRequest, waiting: Waiting): Promise<Settled | Underfunded | null>
  /** The response that a request with this name received for a settlement; null without one. */
  recall(settlementId: string, name: string): Promise<Settled | null>
}

/** The outcomes of one process. */
export function createOutcomes(options: OutcomesOptions): Outcomes {
  const { db, waiters, deadlines } = options
  let sequence = 0
  const nextWaiter = () => `${options.instance}:${++sequence}`
  const deadlineOf = (confirmationLevel: ConfirmationLevel) => deadlines[confirmationLevel]

  async function join(known: JoinRequest, waiting: Waiting): Promise<Settled | Underfunded | null> {
    const waiter = nextWaiter()
    const deadlineMs = deadlineOf(known.confirmationLevel)
    if (!(await attachWaiter(db, { ...known, waiter, deadlineMs }, options.locksNames))) return null
    const waited = waiters.wait(known.id, deadlineMs, { waiter, ...waiting })
    // It may have landed before we began to wait: then nothing else would wake us.
    const early = await deliver(db, known.id, waiter, waiting.name)
    if (!early) return conclude(known.id, waiter, waiting, { waited, until: performance.now() + deadlineMs })
    waiters.wake(known.id)
    return settledOf(known.id, early)
  }

  function waitForOutcome(id: string, waiter: string, waiting: Waiting, deadlineMs: number): Promise<Settled | Underfunded> {
    const waited = waiters.wait(id, deadlineMs, { waiter, ...waiting })
    return conclude(id, waiter, waiting, { waited, until: performance.now() + deadlineMs })
  }

  /** Ends a wait. A transfer that landed, and whose answer waits for more finality, is waited for again. */
  async function conclude(
    id: string,
    waiter: string,
    waiting: Waiting,
    { waited, until }: { waited: Promise<WaitEnd>; until: number },
  ): Promise<Settled | Underfunded> {
    const end = await waited
    if (typeof end === 'object') {
      options.failpoint('delivered')
      return settledOf(id, end)
    }
    if (end === 'hung-up') {
      await detachWaiter(db, id, waiter)
      return { settlementId: id, end: 'hung-up' }
    }
    const outcome = await deliver(db, id, waiter, waiting.name)
    options.failpoint('delivered')
    if (outcome) return settledOf(id, outcome)
    if (end !== 'woken' || !(await awaitsFinality(db, id))) return free(id, waiter, end)
    const again = waiters.wait(id, until - performance.now(), { waiter, ...waiting })
    // It may have become so before we began to wait.
    const early = await deliver(db, id, waiter, waiting.name)
    if (!early) return conclude(id, waiter, waiting, { waited: again, until })
    waiters.wakeHere(id)
    return settledOf(id, early)
  }

  async function free(id: string, waiter: string, end: Ending): Promise<Settled | Underfunded> {
    if (await rejectClaim(db, id, waiter, end === 'underfunded' ? 'underfunded' : 'not sent')) {
      if (end === 'underfunded') return { end: 'underfunded' }
      throw released(id)
    }
    const status = await detachWaiter(db, id, waiter)
    // Only the ledger proves that nothing was signed.
    if (!status || status.state === 'REJECTED') throw released(id)
    return { settlementId: id, end: 'pending', transaction: status.txHash ?? '' }
  }

  return {
    nextWaiter,
    deadlineOf,
    waitForOutcome,
    join,
    async recall(settlementId, name) {
      const outcome = await findOutcome(db, settlementId, name)
      return outcome && settledOf(settlementId, outcome)
    },
  }
}

function settledOf(
  settlementId: string,
  { state, txHash, reason, detail, block, logIndex, finality, version }: Outcome,
): Settled {
  const transaction = txHash ?? ''
  if (isIn(landedStates, state)) {
    return { settlementId, end: 'landed', transaction, place: { block, logIndex, finality: finality ?? 'included', version } }
  }
  if (state === 'UNCHARGED') return { settlementId, end: 'uncharged' }
  return { settlementId, end: 'failed', transaction, reason: reason ?? 'unknown', detail }
}

function released(settlementId: string): ServiceError {
  return unavailable('the payment could not be sent in time; nothing was signed, send it again', settlementId)
}

/** The refusal while nothing is signed. */
export function unavailable(message: string, settlementId?: string): ServiceError {
  const facts = settlementId === undefined ? {} : { settlementId }
  return new ServiceError('unavailable', message, { reason: 'facilitator_unavailable', retryAfterSeconds: 2, ...facts })
}

/**
 * Why a wait ended: the settlement may be answerable; it will not be signed because it would fail; the deadline passed; or the caller
 * hung up.
 */
type Ending = 'woken' | 'underfunded' | 'deadline' | 'hung-up'

/** How a wait ended: so, or with the outcome that its landing delivered to it. */
type WaitEnd = Ending | Outcome

/** A waiting request: its name in the ledger's waiter column, the name that it shares with its retries, and its hang-up signal. */
type Waiter = { waiter: string } & Waiting

/** The waiting requests of this process: at most one per settlement, as the ledger's waiter column says. */
export type Waiters = {
  wait(settlementId: string, deadlineMs: number, by: Waiter): Promise<WaitEnd>
  /** Wakes the request that waits for a settlement here; without one, notifies the other processes. */
  wake(settlementId: string, how?: 'woken' | 'underfunded'): void
  /** Wakes the request that waits for a settlement here after a notice from another process. */
  wakeHere(settlementId: string, how?: 'woken' | 'underfunded'): void
  /**
   * Delivers outcomes of settlements in the statement of `act`, which gets the requests that wait for them here. What it returns for one is
   * its answer; the others are woken. Until then nothing else ends these waits: a delivered outcome must be answered.
   */
  deliver(
    settlementIds: readonly string[],
    act: (waiting: readonly Delivery[]) => Promise<ReadonlyMap<string, Outcome>>,
  ): Promise<void>
  /** The settlements with a waiting request here. */
  waitedFor(): string[]
}

/** `end` waits while the wait is held; `answer` does not. */
type Wait = { by: Waiter; end: (how: Ending) => void; hold: () => void; release: () => void; answer: (how: WaitEnd) => void }

/** A registry of waiting requests, bounded by the open requests. `announce` notifies other processes. */
export function createWaiters(announce: (settlementId: string, how: 'woken' | 'underfunded') => void): Waiters {
  const waiting = new Map<string, Wait>()

  function wake(settlementId: string, how: 'woken' | 'underfunded' = 'woken'): void {
    const wait = waiting.get(settlementId)
    if (wait) wait.end(how)
    else announce(settlementId, how)
  }

  return {
    wait(settlementId, deadlineMs, by) {
      return new Promise((resolve) => {
        let held = false
        let heldBack: Ending | null = null
        const answer = (how: WaitEnd) => {
          clearTimeout(timer)
          by.hangUp.removeEventListener('abort', hungUp)
          // A later request may wait instead by now.
          if (waiting.get(settlementId) === wait) waiting.delete(settlementId)
          resolve(how)
        }
        const end = (how: Ending) => {
          if (held) heldBack ??= how
          else answer(how)
        }
        const hold = () => {
          held = true
        }
        const release = () => {
          held = false
          if (heldBack) answer(heldBack)
        }
        const wait: Wait = { by, end, hold, release, answer }
        const hungUp = () => end('hung-up')
        const timer = setTimeout(() => end('deadline'), deadlineMs)
        waiting.set(settlementId, wait)
        if (by.hangUp.aborted) hungUp()
        else by.hangUp.addEventListener('abort', hungUp)
      })
    },
    wake,
    wakeHere: (settlementId, how = 'woken') => waiting.get(settlementId)?.end(how),
    async deliver(settlementIds, act) {
      const waits = new Map(settlementIds.flatMap((id) => [[id, waiting.get(id)] as const]).filter(isWaited))
      for (const wait of waits.values()) wait.hold()
      try {
        const outcomes = await act([...waits].map(([id, { by }]) => ({ id, waiter: by.waiter, name: by.name })))
        for (const [id, outcome] of outcomes) waits.get(id)?.answer(outcome)
        for (const wait of waits.values()) wait.release()
        for (const id of settlementIds) if (!outcomes.has(id)) wake(id)
      } finally {
        for (const wait of waits.values()) wait.release()
      }
    },
    waitedFor: () => [...waiting.keys()],
  }
}

const isWaited = (pair: readonly [string, Wait | undefined]): pair is readonly [string, Wait] => pair[1] !== undefined
