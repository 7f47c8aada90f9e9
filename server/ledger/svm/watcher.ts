import type { SvmStatus } from '@/server/chains/svm/statuses'
import type { Failpoint } from '../../base/failpoints'
import type { Log } from '../../base/log'
import { startLoop } from '../../base/loop'
import type { Timing } from '../../base/timing'
import type { SvmChain } from '../../chains/svm/chain'
import type { SignatureReport } from '../../chains/svm/statuses'
import type { Db } from '../../db/database'
import { provesItself } from '../../x402/schemes/exact/svm/rules'
import type { SvmTransaction } from '../../x402/schemes/exact/svm/transaction'
import { callsChannels, opensChannel } from '../../x402/schemes/upto/svm/open'
import { recordMissed } from '../statements/payer-failures'
import { createConfirming } from './confirming'
import {
  keepSvm,
  markSvmSent,
  recordSvmFailed,
  recordSvmIncluded,
  type SvmFailure,
  type SvmLanding,
  type SvmSettlement,
} from './statements'
import { failureText, judgeAbsence, observeSvm } from './verdict'

/** Watches the transactions of a cluster together: one request for all statuses, and the same bytes again until each has ended. */
type SvmWatcher = {
  /** Watches a settlement and sends its bytes at once. Calls `ended` when it is no longer in flight. */
  track(row: SvmSettlement, transaction: SvmTransaction, ended: () => void): void
  has(settlementId: string): boolean
  stop(): Promise<void>
}

export type SvmWatcherOptions = {
  db: Db
  chain: SvmChain
  pollMs: number
  recheckMs: number
  wake: (settlementId: string) => void
  failpoint: Failpoint
  timing: Timing
  log: Log
}

/** A watched settlement. Times are monotonic milliseconds. */
type Unfinished = {
  row: SvmSettlement
  blockhash: string
  /** A smart wallet's transaction: its success does not prove its transfer. */
  wallet: SvmTransaction | null
  /** It is ours, not its payer's: when it cannot land any more, another one may be signed. */
  own: boolean
  /** It is of a channel. */
  channel: boolean
  trackedAt: number
  sentAt: number
  /** The last check did not find it; a block has it with an error. */
  missing: boolean
  missed: boolean
  /** Its last height is final and no node accepts its blockhash: its bytes are useless. */
  over: boolean
  /** When a first check found it gone for good; a second one must agree. */
  goneAt: number | null
  /** The log has the warning that its outcome is unknown. */
  warned: boolean
  ended: () => void
}

const RPC_RETRY_MS = 1_000
/** Leaders drop what they cannot include: the same bytes are sent again. */
const SEND_AGAIN_MS = 2_000
const SENDS_AT_ONCE = 32
/** A node whose finalized height does not move for this many rechecks has stopped following the chain. */
const STUCK_RECHECKS = 15
/** The number searched in one round; the others follow in the next. */
const SOUGHT_AT_ONCE = 64
const EXPIRED: SvmFailure = { to: 'EXPIRED', reason: 'settle_exact_svm_block_height_exceeded', counts: 'everywhere' }
const REVERTED = { to: 'REVERTED', reason: 'invalid_exact_svm_transaction_failed', counts: 'everywhere' } as const
const OPEN_FAILED = { to: 'REVERTED', reason: 'transaction_failed', counts: 'everywhere' } as const
// Their payers sign no transaction of ours: nothing about it is their failure.
const OWN_FAILED = { to: 'UNPAID', reason: 'transaction_failed', counts: 'nowhere' } as const
const OWN_EXPIRED: SvmFailure = { to: 'UNPAID', reason: 'settle_exact_svm_block_height_exceeded', counts: 'nowhere' }
const clock = () => performance.now()

/** Starts watching a cluster. The node gets no calls while nothing is in flight. */
export function startSvmWatcher(options: SvmWatcherOptions): SvmWatcher {
  const { db, chain, log, recheckMs } = options
  const { network } = chain
  const unfinished = new Map<string, Unfinished>()
  const firstSends = new Set<Promise<void>>()
  const againMs = Math.min(recheckMs, SEND_AGAIN_MS)
  const heights = new Map<number, { height: bigint; since: number }>()
  let keptAt = Number.NEGATIVE_INFINITY

  async function check(): Promise<number | null> {
    if (unfinished.size === 0) return null
    await keep()
    const entries = [...unfinished.values()]
    const statuses = await chain.statuses(
      entries.map(({ row }) => row.signature),
      false,
    )
    await judge(entries.map((entry, at) => [entry, statuses[at] ?? null]))
    return unfinished.size === 0 ? null : options.pollMs
  }

  /** Keeps other instances off the settlements watched here, and drops those that another one ended. */
  async function keep(): Promise<void> {
    if (clock() - keptAt < recheckMs / 2) return
    const left = await keepSvm(db, [...unfinished.keys()], recheckMs)
    keptAt = clock()
    for (const [id, { trackedAt }] of unfinished) if (!left.has(id) && clock() - trackedAt > recheckMs) end(id)
  }

  /** Records ended transactions and marks missing ones. */
  async function judge(checked: readonly (readonly [Unfinished, SvmStatus | null])[]): Promise<void> {
    const landings: SvmLanding[] = []
    const failed = new Map<string, { failure: SvmFailure; landings: SvmLanding[] }>()
    for (const [entry, status] of checked) {
      const { settlementId } = entry.row
      const observed = observeSvm(status)
      entry.missing = observed === 'missing'
      if (!entry.missing) entry.goneAt = null
      if (status?.failed && !entry.missed) await recordMissed(db, [settlementId])
      entry.missed ||= Boolean(status?.failed)
      if (status && observed === 'landed') {
        if (entry.wallet) confirming.confirm(entry.row, entry.wallet, status)
        else landings.push({ settlementId, slot: status.slot })
      }
      if (status && status.failed !== null && observed === 'failed') {
        const failure = {
          ...(entry.own ? OWN_FAILED : entry.channel ? OPEN_FAILED : REVERTED),
          detail: failureText(status.failed),
        }
        const alike = failed.get(`${failure.to} ${failure.reason} ${failure.detail}`)?.landings ?? []
        failed.set(`${failure.to} ${failure.reason} ${failure.detail}`, {
          failure,
          landings: [...alike, { settlementId, slot: status.slot }],
        })
      }
    }
    if (landings.length > 0) await land(landings)
    for (const { failure, landings: those } of failed.values()) await fail(failure, those)
  }

  async function land(landings: SvmLanding[]): Promise<void> {
    options.failpoint('mined')
    const moved = new Set(await recordSvmIncluded(db, landings, recheckMs))
    options.failpoint('landed')
    for (const { settlementId, slot } of landings) {
      if (moved.has(settlementId)) log.info({ ...lineOf(settlementId), slot: String(slot) }, 'landed')
      end(settlementId)
      options.wake(settlementId)
    }
  }

  async function fail(failure: SvmFailure, failed: readonly { settlementId: string; slot: bigint | null }[]): Promise<void> {
    const states = await recordSvmFailed(db, failure, failed)
    for (const { settlementId } of failed) {
      log.warn({ ...lineOf(settlementId), state: states.get(settlementId) ?? null }, 'failed')
      end(settlementId)
      options.wake(settlementId)
    }
  }

  /**
   * Searches for missing transactions. One is ended only when two checks agree that it did not land and no longer can. A separate loop, so
   * that these calls to each node do not delay landings.
   */
  async function seek(): Promise<number | null> {
    const missing = [...unfinished.values()].filter((entry) => entry.missing && clock() - entry.trackedAt >= recheckMs)
    if (missing.length === 0) return unfinished.size === 0 ? null : recheckMs
    const finalized = await chain.finalizedHeight()
    const late = missing.filter(({ row }) => row.lastHeight < finalized)
    // The one searched longest ago comes first.
    const sought = late.slice(0, SOUGHT_AT_ONCE)
    if (sought.length === 0) return recheckMs
    const reports = await chain.signatureReports(sought.map(({ row, blockhash }) => ({ signature: row.signature, blockhash })))
    await conclude(sought, reports)
    for (const { row } of sought) backToTheEnd(row.settlementId)
    return late.length > SOUGHT_AT_ONCE ? 0 : recheckMs
  }

  /** The indexes of nodes whose finalized height has not moved for long. */
  function stuckNodes(reports: readonly SignatureReport[]): Set<number> {
    for (const { index, finalized } of reports)
      if (heights.get(index)?.height !== finalized.height) heights.set(index, { height: finalized.height, since: clock() })
    const standing = [...heights].filter(([, { since }]) => clock() - since > STUCK_RECHECKS * recheckMs)
    return new Set(standing.map(([index]) => index))
  }

  async function conclude(sought: readonly Unfinished[], reports: readonly SignatureReport[]): Promise<void> {
    const stuck = stuckNodes(reports)
    const seen: [Unfinished, SvmStatus][] = []
    const gone: Unfinished[] = []
    for (const entry of sought) {
      const { row, blockhash, goneAt } = entry
      const absence = judgeAbsence({ ...row, blockhash }, reports, stuck)
      // This also finds a payment that landed between two checks and left a node's short memory. The height at its claim may be a stale
      // node's: while any node accepts its blockhash, its bytes are sent.
      entry.over = absence.see === 'gone' || absence.see === 'unknown'
      if (absence.see === 'status') seen.push([entry, absence.status])
      else if (absence.see !== 'gone') entry.goneAt = null
      else if (goneAt === null) entry.goneAt = clock()
      else if (clock() - goneAt >= recheckMs) gone.push(entry)
      if (absence.see === 'unknown' && !entry.warned) log.error(lineOf(row.settlementId), NOT_KNOWN)
      entry.warned ||= absence.see === 'unknown'
    }
    await judge(seen)
    for (const [failure, those] of [
      [EXPIRED, gone.filter(({ own }) => !own)],
      [OWN_EXPIRED, gone.filter(({ own }) => own)],
    ] as const)
      if (those.length > 0) {
        await fail(
          failure,
          those.map(({ row }) => ({ settlementId: row.settlementId, slot: null })),
        )
      }
  }

  function backToTheEnd(settlementId: string): void {
    const entry = unfinished.get(settlementId)
    if (!entry) return
    unfinished.delete(settlementId)
    unfinished.set(settlementId, entry)
  }

  /** Sends the same bytes again for all that were not seen yet. A separate loop, so that a slow node does not delay landings. */
  async function send(): Promise<number | null> {
    const due = [...unfinished.values()].filter(({ sentAt, over }) => !over && clock() - sentAt >= againMs)
    for (let at = 0; at < due.length; at += SENDS_AT_ONCE) await Promise.all(due.slice(at, at + SENDS_AT_ONCE).map(sendOne))
    return unfinished.size === 0 ? null : againMs / 4
  }

  async function sendOne(entry: Unfinished): Promise<void> {
    const { settlementId, raw, state } = entry.row
    entry.sentAt = clock()
    const { answer, detail } = await chain.send(raw)
    if (answer === 'accepted') options.failpoint('sent')
    else log.warn({ ...lineOf(settlementId), answer, detail }, 'the node did not take the bytes; they are sent again')
    if (answer !== 'accepted' || state !== 'PREPARED') return
    await markSvmSent(db, settlementId)
    entry.row = { ...entry.row, state: 'BROADCAST' }
  }

  function end(settlementId: string): void {
    const entry = unfinished.get(settlementId)
    unfinished.delete(settlementId)
    entry?.ended()
  }

  const lineOf = (settlementId: string) => ({ settlementId, network, hash: unfinished.get(settlementId)?.row.signature })
  const onTrouble = (error: unknown) => log.warn({ err: error, network }, 'the node does not answer the watcher')
  const confirming = createConfirming({ chain, land, fail, onTrouble })
  const checking = startLoop(check, onTrouble, RPC_RETRY_MS)
  const sending = startLoop(send, onTrouble, RPC_RETRY_MS)
  const seeking = startLoop(seek, onTrouble, RPC_RETRY_MS)

  return {
    has: (settlementId) => unfinished.has(settlementId),
    track(row, transaction, ended) {
      if (unfinished.has(row.settlementId)) return ended()
      const { blockhash } = transaction
      const flags = { missing: false, missed: false, over: false, goneAt: null, warned: false }
      const wallet = provesItself(transaction) ? null : transaction
      const channel = callsChannels(transaction)
      const own = channel && !opensChannel(transaction)
      const entry: Unfinished = { row, blockhash, wallet, channel, own, trackedAt: clock(), sentAt: clock(), ...flags, ended }
      unfinished.set(row.settlementId, entry)
      // Beside the loop, so that a new payment does not wait for repeated ones.
      const first = options.timing
        .time({ name: 'send', facts: { network } }, () => sendOne(entry))
        .catch(onTrouble)
        .finally(() => firstSends.delete(first))
      firstSends.add(first)
      sending.kick()
      checking.kick()
      seeking.kick()
    },
    async stop() {
      await Promise.all([checking.stop(), sending.stop(), seeking.stop(), ...firstSends])
      await confirming.stop()
    },
  }
}

const NOT_KNOWN = 'the node cannot tell what became of a payment past its time; the settlement stays open'
