import { LRUCache } from 'lru-cache'
import { atMost } from '../../base/at-most'
import type { Failpoint } from '../../base/failpoints'
import type { Log } from '../../base/log'
import { startLoop } from '../../base/loop'
import type { EvmChain } from '../../chains/evm/chain'
import { type Receipt, transferLogIndex } from '../../chains/evm/receipts'
import type { Head } from '../../chains/evm/rpc'
import type { Db } from '../../db/database'
import { safeDepth } from '../../x402/networks/finality'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { landingOf } from '../evm/payloads'
import { createSecondLook } from '../evm/second-endpoint'
import { confirms, hasExpired, isOverdue, type SuspectedFailure } from '../evm/verdict'
import { observeRemote, type RemoteObservation, readReceipts, type Sought, search, seeking } from './search'
import { keepRemote, postponeRemote, type RemoteRow, recordRemoteFailed, recordRemoteIncluded } from './statements'

/** Finds the transfers that other facilitators make for us, by their responses and by the chain. */
export type RemoteWatcher = {
  /** Starts searching for a settlement. */
  track(row: RemoteRow): void
  /** The facilitator answered, perhaps with a transaction. */
  answered(settlementId: string, hash: string | null): void
  /** Stops the search: it was not handed over. */
  forget(settlementId: string): void
  stop(): Promise<void>
}

export type RemoteWatcherOptions = {
  db: Db
  chain: EvmChain
  /** The sender addresses of a tier's facilitator; null until known. */
  sendersOf: (tier: string) => readonly string[] | null
  pollMs: number
  recheckMs: number
  finalityDepth: number
  /** How long after its claim a payment is searched for without pauses, milliseconds. */
  horizonMs: number
  /** Unix seconds. */
  now: () => bigint
  /** Whether a transfer lands only when two endpoints show it. */
  isLarge: (transfer: SignedTransfer) => boolean
  wake: (settlementId: string) => void
  failpoint: Failpoint
  log: Log
}

const RPC_RETRY_MS = 1_000
/** So many settlements that cannot be read are logged once. */
const UNREAD_MAX = 10_000
const clock = () => performance.now()

const REASONS = {
  USED_ELSEWHERE: 'authorization_used_elsewhere',
  EXPIRED: 'invalid_exact_evm_payload_authorization_valid_before',
} as const

/** Starts searching on a network. The node gets no calls while nothing is in flight. */
export function startRemoteWatcher(options: RemoteWatcherOptions): RemoteWatcher {
  const { db, chain, log, recheckMs } = options
  const depth = BigInt(safeDepth(chain.network, options.finalityDepth))
  const sought = new Map<string, Sought>()
  const unread = new LRUCache<string, true>(atMost(UNREAD_MAX))
  const secondLook = createSecondLook(chain, { pauseMs: recheckMs, log })
  let last: { hash: string | null; readAt: number; keptAt: number } = { hash: null, readAt: 0, keptAt: 0 }

  async function check(): Promise<number | null> {
    if (sought.size === 0) return null
    await keep()
    const entries = [...sought.values()]
    const head = await chain.head()
    // Between two blocks nothing changes.
    if (head.hash !== last.hash || entries.some(({ fresh }) => fresh) || clock() - last.readAt >= recheckMs) {
      last = { ...last, hash: head.hash, readAt: clock() }
      await judgeAll(entries, head)
    }
    return sought.size === 0 ? null : options.pollMs
  }

  /** Keeps other instances off the settlements watched here, and drops those that another one ended. */
  async function keep(): Promise<void> {
    if (clock() - last.keptAt < recheckMs / 2) return
    const left = await keepRemote(db, [...sought.keys()], recheckMs)
    last = { ...last, keptAt: clock() }
    for (const [id, { trackedAt }] of sought) if (!left.has(id) && clock() - trackedAt > recheckMs) sought.delete(id)
  }

  async function judgeAll(entries: Sought[], head: Head): Promise<void> {
    for (const entry of entries) entry.fresh = false
    const complete = await search(chain, entries, head, log)
    const receipts = await readReceipts(chain, entries)
    for (const entry of entries) {
      try {
        await judge(entry, receipts.get(entry) ?? [], head, complete.has(entry))
      } catch (error) {
        // One settlement's error must not hide the others.
        log.warn({ err: error, settlementId: entry.row.settlementId }, 'a remote settlement cannot be judged now')
      }
    }
    await postpone(head)
  }

  /** Another facilitator may hold an authorization for any time: after the horizon it is checked only now and then. */
  async function postpone(head: Head): Promise<void> {
    const over = [...sought.values()].filter(
      ({ row, suspected, trackedAt }) =>
        isOverdue(row, options.now(), options.horizonMs) &&
        !hasExpired(row, head) &&
        !suspected &&
        clock() - trackedAt > recheckMs,
    )
    if (over.length === 0) return
    const ids = over.map(({ row }) => row.settlementId)
    await postponeRemote(db, ids)
    for (const id of ids) sought.delete(id)
  }

  async function judge(entry: Sought, receipts: (Receipt | Error | null)[], head: Head, complete: boolean): Promise<void> {
    const attribution = { reported: entry.row.txHash, senders: sendersFor(entry.row) }
    const observed = observeRemote(entry.row, entry.transfer, receipts, attribution, { head, depth })
    if (observed.see === 'landed') {
      if (options.isLarge(entry.transfer) && !isSeenTwice(entry, 'landed', false)) return
      return land(entry, observed.receipt)
    }
    if (observed.see === 'displaced') {
      const seen: SuspectedFailure = { kind: 'displaced', block: head.number, at: clock(), used: true }
      return suspect(entry, seen, 'USED_ELSEWHERE', observed.receipt.hash)
    }
    if (observed.see === 'absent' && complete) return absent(entry, head)
    entry.suspected = null
  }

  function sendersFor({ tier, senders }: RemoteRow): readonly string[] | null {
    const now = options.sendersOf(tier)
    return now === null && senders.length === 0 ? null : [...senders, ...(now ?? [])]
  }

  async function absent(entry: Sought, head: Head): Promise<void> {
    const earlier = entry.suspected
    if (earlier?.kind === 'absent' && head.number - earlier.block < depth) return
    const used = await chain.authorizationUsed(entry.transfer, head)
    const seen: SuspectedFailure = { kind: 'absent', block: head.number, at: clock(), used }
    if (!used) return suspect(entry, seen, 'EXPIRED', '')
    log.error(lineOf(entry), 'the chain contradicts itself; the settlement stays open')
    entry.suspected = seen
    entry.next = entry.row.sinceBlock
  }

  async function suspect(entry: Sought, seen: SuspectedFailure, to: keyof typeof REASONS, txHash: string): Promise<void> {
    const { settlementId } = entry.row
    if (entry.suspected?.kind !== seen.kind || entry.suspected.used !== seen.used) entry.suspected = seen
    if (!confirms(entry.suspected, seen, depth, recheckMs)) return
    if (!isSeenTwice(entry, seen.kind === 'absent' ? 'absent' : 'displaced', seen.used)) return
    const state = await recordRemoteFailed(db, settlementId, { to, reason: REASONS[to], txHash })
    sought.delete(settlementId)
    if (!state) return
    options.wake(settlementId)
    log.warn({ ...lineOf(entry), hash: txHash, state }, 'failed')
  }

  /** Whether two endpoints show the same of a settlement. */
  function isSeenTwice(entry: Sought, see: RemoteObservation['see'], used: boolean): boolean {
    const { row, transfer } = entry
    const attribution = { reported: row.txHash, senders: sendersFor(row) }
    const shows = async (one: EvmChain) => {
      const head = await one.head()
      const receipts = (await readReceipts(one, [entry])).get(entry) ?? []
      if (observeRemote(row, transfer, receipts, attribution, { head, depth }).see !== see) return false
      return see !== 'absent' || (await one.authorizationUsed(transfer, head)) === used
    }
    return secondLook(entry, `${row.settlementId} ${see} ${used}`, shows, () => {
      entry.fresh = true
    })
  }

  async function land(entry: Sought, receipt: Receipt): Promise<void> {
    const { settlementId } = entry.row
    const logIndex = transferLogIndex(receipt, entry.transfer)
    options.failpoint('mined')
    const moved = await recordRemoteIncluded(db, { settlementId, logIndex }, landingOf(receipt), recheckMs)
    options.failpoint('landed')
    sought.delete(settlementId)
    if (moved) log.info({ ...lineOf(entry, receipt), block: String(receipt.block) }, 'landed')
    options.wake(settlementId)
  }

  function noteUnread(settlementId: string): void {
    if (unread.has(settlementId)) return
    unread.set(settlementId, true)
    log.warn(
      { settlementId, network: chain.network },
      'this version cannot read a remote settlement: a newer one searches for it',
    )
  }

  const lineOf = ({ row: { settlementId, tier } }: Sought, receipt?: Receipt) => ({
    settlementId,
    tier,
    network: chain.network,
    ...(receipt ? { hash: receipt.hash } : {}),
  })

  const checking = startLoop(
    check,
    (error) => log.warn({ err: error, network: chain.network }, 'remote settlements cannot be looked for now'),
    RPC_RETRY_MS,
  )

  return {
    track(row) {
      const { settlementId } = row
      const entry = sought.get(settlementId) ?? seeking(row, clock())
      // What a newer build handed over is left to it.
      if (!entry) noteUnread(settlementId)
      else sought.set(settlementId, entry)
      checking.kick()
    },
    answered(settlementId, hash) {
      const entry = sought.get(settlementId)
      if (!entry) return
      entry.row = { ...entry.row, txHash: entry.row.txHash ?? hash }
      entry.fresh = true
      checking.kick()
    },
    forget: (settlementId) => void sought.delete(settlementId),
    stop: checking.stop,
  }
}
