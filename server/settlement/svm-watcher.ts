import type { SvmChain, SvmStatus } from '../chains/svm/chain'
import type { Log } from '../log'
import type { Db } from '../store/database'
import { keepSvm, markSvmSent, recordSvmFailed, recordSvmIncluded, type SvmLanding, type SvmRow } from '../store/svm'
import type { Failpoint } from './failpoints'
import { startLoop } from './loop'
import { isGoneForGood, sightSvm } from './svm-verdict'

/** Watches the transactions of a cluster together: one request for the states of all, and the same bytes again until each has its end. */
export type SvmWatcher = {
  /** Watches a settlement from now on and sends its bytes at once. `ended` is called when it is not under way any more. */
  track(row: SvmRow, blockhash: string, ended?: () => void): void
  stop(): Promise<void>
}

export type SvmWatcherOptions = {
  db: Db
  chain: SvmChain
  pollMs: number
  recheckMs: number
  wake: (settlementId: string) => void
  failpoint: Failpoint
  log: Log
}

/** A settlement under watch. Milliseconds are of a clock that never jumps. */
type Travelling = {
  row: SvmRow
  blockhash: string
  trackedAt: number
  sentAt: number
  /** A first look at which it was gone for good; a second one has to agree. */
  goneAt: number | null
  ended: () => void
}

const RPC_RETRY_MS = 1_000
/** Leaders forget what they could not take: the same bytes go out again. */
const SEND_AGAIN_MS = 2_000
const SENDS_AT_ONCE = 32
const clock = () => performance.now()

/** Starts watching a cluster. It asks nothing of the node while nothing is under way. */
export function startSvmWatcher(options: SvmWatcherOptions): SvmWatcher {
  const { db, chain, log, recheckMs } = options
  const { network } = chain
  const travelling = new Map<string, Travelling>()
  const firstSends = new Set<Promise<void>>()
  const againMs = Math.min(recheckMs, SEND_AGAIN_MS)
  let keptAt = Number.NEGATIVE_INFINITY
  let soughtAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<number | null> {
    if (travelling.size === 0) return null
    await keep()
    const entries = [...travelling.values()]
    const missing = await judge(entries, await statusesOf(entries, false))
    if (missing.length > 0 && clock() - soughtAt >= recheckMs) {
      soughtAt = clock()
      await seek(missing)
    }
    return travelling.size === 0 ? null : options.pollMs
  }

  /** Other instances leave alone what is watched here; what they ended is not watched any more. */
  async function keep(): Promise<void> {
    if (clock() - keptAt < recheckMs / 2) return
    const left = await keepSvm(db, [...travelling.keys()], recheckMs)
    keptAt = clock()
    for (const [id, { trackedAt }] of travelling) if (!left.has(id) && clock() - trackedAt > recheckMs) end(id)
  }

  async function statusesOf(entries: readonly Travelling[], deep: boolean): Promise<Map<Travelling, SvmStatus | null>> {
    const statuses = await chain.statuses(
      entries.map(({ row }) => row.signature),
      deep,
    )
    return new Map(entries.map((entry, at) => [entry, statuses[at] ?? null]))
  }

  /** Records what ended, and returns what is not to be seen. */
  async function judge(entries: readonly Travelling[], statuses: Map<Travelling, SvmStatus | null>): Promise<Travelling[]> {
    const landings: SvmLanding[] = []
    const failed: { entry: Travelling; slot: bigint }[] = []
    const missing: Travelling[] = []
    for (const entry of entries) {
      const status = statuses.get(entry) ?? null
      const sighting = sightSvm(status)
      if (sighting === 'missing') missing.push(entry)
      else entry.goneAt = null
      if (status && sighting === 'landed') landings.push({ settlementId: entry.row.settlementId, slot: status.slot })
      if (status && sighting === 'failed') failed.push({ entry, slot: status.slot })
    }
    if (landings.length > 0) await land(landings)
    for (const { entry, slot } of failed)
      await fail(entry, { to: 'REVERTED', reason: 'invalid_exact_svm_transaction_failed', slot })
    return missing
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

  async function fail({ row }: Travelling, failed: Parameters<typeof recordSvmFailed>[2]): Promise<void> {
    const { settlementId } = row
    const line = lineOf(settlementId)
    const state = await recordSvmFailed(db, settlementId, failed)
    end(settlementId)
    options.wake(settlementId)
    log.warn({ ...line, state }, 'failed')
  }

  /** Whether what is not to be seen can still come: its end is told only when two looks agree that it cannot, and that it never did. */
  async function seek(missing: readonly Travelling[]): Promise<void> {
    const finalized = await chain.height('finalized')
    const late = missing.filter(({ row }) => row.lastHeight < finalized)
    if (late.length === 0) return
    const firstSlot = await chain.firstSlot()
    // Also what a node's short memory has dropped: a payment that landed while nobody looked is found here.
    const gone = await judge(late, await statusesOf(late, true))
    for (const entry of gone) {
      const { row, blockhash } = entry
      const blockhashValid = await chain.isBlockhashValid(blockhash)
      const { lastHeight, sinceSlot } = row
      if (!isGoneForGood({ finalized, lastHeight, firstSlot, sinceSlot, blockhashValid })) {
        log.error({ ...lineOf(row.settlementId), firstSlot: String(firstSlot), blockhashValid }, NOT_KNOWN)
        entry.goneAt = null
      } else if (entry.goneAt === null) entry.goneAt = clock()
      else if (clock() - entry.goneAt >= recheckMs)
        await fail(entry, { to: 'EXPIRED', reason: 'settle_exact_svm_block_height_exceeded', slot: null })
    }
  }

  /** The same bytes again, for whatever was not seen yet. In a loop of its own: a node that takes long must not hide what has landed. */
  async function send(): Promise<number | null> {
    const due = [...travelling.values()].filter(({ sentAt, goneAt }) => goneAt === null && clock() - sentAt >= againMs)
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

  return {
    track(row, blockhash, ended = () => {}) {
      if (travelling.has(row.settlementId)) return ended()
      const entry = { row, blockhash, trackedAt: clock(), sentAt: clock(), goneAt: null, ended }
      travelling.set(row.settlementId, entry)
      // Beside the loop: a payment does not wait for those that go out again.
      const first = sendOne(entry)
        .catch(onTrouble)
        .finally(() => firstSends.delete(first))
      firstSends.add(first)
      sending.kick()
      looking.kick()
    },
    async stop() {
      await Promise.all([looking.stop(), sending.stop(), ...firstSends])
    },
  }
}

const NOT_KNOWN = 'the node cannot tell what became of a payment past its time; the settlement stays open'
