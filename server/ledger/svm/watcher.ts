import type { SvmStatus } from '@/server/chains/svm/statuses'
import type { SvmChain } from '../../chains/svm/chain'
import type { SignatureReport } from '../../chains/svm/statuses'
import type { Db } from '../../db/database'
import type { Log } from '../../log'
import type { Timing } from '../../timing'
import type { Failpoint } from '../failpoints'
import { startLoop } from '../loop'
import {
  keepSvm,
  markSvmSent,
  recordSvmFailed,
  recordSvmIncluded,
  type SvmFailure,
  type SvmLanding,
  type SvmRow,
} from './statements'
import { failureWords, judgeAbsence, sightSvm } from './verdict'

/** Watches the transactions of a cluster together: one request for the states of all, and the same bytes again until each has its end. */
export type SvmWatcher = {
  /** Watches a settlement from now on and sends its bytes at once. `ended` is called when it is not in flight any more. */
  track(row: SvmRow, blockhash: string, ended: () => void): void
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

/** A settlement under watch. Milliseconds are of a clock that never jumps. */
type Travelling = {
  row: SvmRow
  blockhash: string
  trackedAt: number
  sentAt: number
  /** No node saw it at the last look. */
  missing: boolean
  /** Its last height is final and no node would take its blockhash: its bytes are of no use any more. */
  over: boolean
  /** A first look at which it was gone for good; a second one has to agree. */
  goneAt: number | null
  /** The log has the warning that its outcome is unknown. */
  told: boolean
  ended: () => void
}

const RPC_RETRY_MS = 1_000
/** Leaders forget what they could not take: the same bytes go out again. */
const SEND_AGAIN_MS = 2_000
const SENDS_AT_ONCE = 32
/** A node whose finalized height stands still for so many rechecks follows the chain no more. */
const STUCK_RECHECKS = 15
/** So many are looked for in one round; others have their turn in the next. */
const SOUGHT_AT_ONCE = 64
const EXPIRED: SvmFailure = { to: 'EXPIRED', reason: 'settle_exact_svm_block_height_exceeded' }
const REVERTED = { to: 'REVERTED', reason: 'invalid_exact_svm_transaction_failed' } as const
const clock = () => performance.now()

/** Starts watching a cluster. It asks nothing of the node while nothing is in flight. */
export function startSvmWatcher(options: SvmWatcherOptions): SvmWatcher {
  const { db, chain, log, recheckMs } = options
  const { network } = chain
  const travelling = new Map<string, Travelling>()
  const firstSends = new Set<Promise<void>>()
  const againMs = Math.min(recheckMs, SEND_AGAIN_MS)
  const heights = new Map<number, { height: bigint; since: number }>()
  let keptAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<number | null> {
    if (travelling.size === 0) return null
    await keep()
    const entries = [...travelling.values()]
    const statuses = await chain.statuses(
      entries.map(({ row }) => row.signature),
      false,
    )
    await judge(entries.map((entry, at) => [entry, statuses[at] ?? null]))
    return travelling.size === 0 ? null : options.pollMs
  }

  /** Other instances leave alone what is watched here; what they ended is not watched any more. */
  async function keep(): Promise<void> {
    if (clock() - keptAt < recheckMs / 2) return
    const left = await keepSvm(db, [...travelling.keys()], recheckMs)
    keptAt = clock()
    for (const [id, { trackedAt }] of travelling) if (!left.has(id) && clock() - trackedAt > recheckMs) end(id)
  }

  /** Records what has ended, and notes what is not to be seen. */
  async function judge(sightings: readonly (readonly [Travelling, SvmStatus | null])[]): Promise<void> {
    const landings: SvmLanding[] = []
    const failed = new Map<string, SvmLanding[]>()
    for (const [entry, status] of sightings) {
      const { settlementId } = entry.row
      const sighting = sightSvm(status)
      entry.missing = sighting === 'missing'
      if (!entry.missing) entry.goneAt = null
      if (status && sighting === 'landed') landings.push({ settlementId, slot: status.slot })
      if (status && status.failed !== null && sighting === 'failed') {
        const detail = failureWords(status.failed)
        failed.set(detail, [...(failed.get(detail) ?? []), { settlementId, slot: status.slot }])
      }
    }
    if (landings.length > 0) await land(landings)
    for (const [detail, those] of failed) await fail({ ...REVERTED, detail }, those)
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
   * Whether what is not to be seen can still come: its end is told only when two looks agree that it cannot, and that it never did. In a
   * loop of its own: what is asked of each node for that must not hide what has landed.
   */
  async function seek(): Promise<number | null> {
    const missing = [...travelling.values()].filter((entry) => entry.missing && clock() - entry.trackedAt >= recheckMs)
    if (missing.length === 0) return travelling.size === 0 ? null : recheckMs
    const finalized = await chain.finalizedHeight()
    const late = missing.filter(({ row }) => row.lastHeight < finalized)
    // The one searched longest ago comes first.
    const sought = late.slice(0, SOUGHT_AT_ONCE)
    if (sought.length === 0) return recheckMs
    const heard = await chain.signatureReports(sought.map(({ row, blockhash }) => ({ signature: row.signature, blockhash })))
    await conclude(sought, heard)
    for (const { row } of sought) backToTheEnd(row.settlementId)
    return late.length > SOUGHT_AT_ONCE ? 0 : recheckMs
  }

  /** The places of nodes whose finalized height has stood still for long. */
  function stuckOnes(heard: readonly SignatureReport[]): Set<number> {
    for (const { index: place, finalized } of heard)
      if (heights.get(place)?.height !== finalized.height) heights.set(place, { height: finalized.height, since: clock() })
    const standing = [...heights].filter(([, { since }]) => clock() - since > STUCK_RECHECKS * recheckMs)
    return new Set(standing.map(([place]) => place))
  }

  async function conclude(sought: readonly Travelling[], heard: readonly SignatureReport[]): Promise<void> {
    const stuck = stuckOnes(heard)
    const seen: [Travelling, SvmStatus][] = []
    const gone: { settlementId: string; slot: null }[] = []
    for (const entry of sought) {
      const { row, blockhash, goneAt } = entry
      const absence = judgeAbsence({ ...row, blockhash }, heard, stuck)
      // Also what a node's short memory has dropped: a payment that landed between two looks is found here.
      // The height it was claimed at may have been a stale node's: while some node would take its blockhash, its bytes go out.
      entry.over = absence.see === 'gone' || absence.see === 'unknown'
      if (absence.see === 'status') seen.push([entry, absence.status])
      else if (absence.see !== 'gone') entry.goneAt = null
      else if (goneAt === null) entry.goneAt = clock()
      else if (clock() - goneAt >= recheckMs) gone.push({ settlementId: row.settlementId, slot: null })
      if (absence.see === 'unknown' && !entry.told) log.error(lineOf(row.settlementId), NOT_KNOWN)
      entry.told ||= absence.see === 'unknown'
    }
    await judge(seen)
    if (gone.length > 0) await fail(EXPIRED, gone)
  }

  function backToTheEnd(settlementId: string): void {
    const entry = travelling.get(settlementId)
    if (!entry) return
    travelling.delete(settlementId)
    travelling.set(settlementId, entry)
  }

  /** Sends the same bytes again for all that was not seen yet. In a loop of its own: a slow node must not hide what has landed. */
  async function send(): Promise<number | null> {
    const due = [...travelling.values()].filter(({ sentAt, over }) => !over && clock() - sentAt >= againMs)
    for (let at = 0; at < due.length; at += SENDS_AT_ONCE) await Promise.all(due.slice(at, at + SENDS_AT_ONCE).map(sendOne))
    return travelling.size === 0 ? null : againMs / 4
  }

  async function sendOne(entry: Travelling): Promise<void> {
    const { settlementId, raw, state } = entry.row
    entry.sentAt = clock()
    const { answer, detail } = await chain.send(raw)
    if (answer === 'accepted') options.failpoint('sent')
    else log.warn({ ...lineOf(settlementId), answer, detail }, 'the node did not take the bytes; they go out again')
    if (answer !== 'accepted' || state !== 'PREPARED') return
    await markSvmSent(db, settlementId)
    entry.row = { ...entry.row, state: 'BROADCAST' }
  }

  function end(settlementId: string): void {
    const entry = travelling.get(settlementId)
    travelling.delete(settlementId)
    entry?.ended()
  }

  const lineOf = (settlementId: string) => ({ settlementId, network, hash: travelling.get(settlementId)?.row.signature })
  const onTrouble = (error: unknown) => log.warn({ err: error, network }, 'the node does not answer the watcher')
  const looking = startLoop(look, onTrouble, RPC_RETRY_MS)
  const sending = startLoop(send, onTrouble, RPC_RETRY_MS)
  const seeking = startLoop(seek, onTrouble, RPC_RETRY_MS)

  return {
    has: (settlementId) => travelling.has(settlementId),
    track(row, blockhash, ended) {
      if (travelling.has(row.settlementId)) return ended()
      const flags = { missing: false, over: false, goneAt: null, told: false }
      const entry: Travelling = { row, blockhash, trackedAt: clock(), sentAt: clock(), ...flags, ended }
      travelling.set(row.settlementId, entry)
      // Beside the loop: a payment does not wait for those that go out again.
      const first = options.timing
        .time({ name: 'send', facts: { network } }, () => sendOne(entry))
        .catch(onTrouble)
        .finally(() => firstSends.delete(first))
      firstSends.add(first)
      sending.kick()
      looking.kick()
      seeking.kick()
    },
    async stop() {
      await Promise.all([looking.stop(), sending.stop(), seeking.stop(), ...firstSends])
    },
  }
}

const NOT_KNOWN = 'the node cannot tell what became of a payment past its time; the settlement stays open'
