import type { EvmChain } from '../chains/evm/chain'
import type { Head } from '../chains/evm/head'
import type { Receipt } from '../chains/evm/receipt'
import type { Log } from '../log'
import type { Db } from '../store/database'
import { type Landing, recordFailed, recordIncluded, recordMined } from '../store/landings'
import { closeSlot, type OpenAttempt } from '../store/slots'
import { failedStates, isIn } from '../store/states'
import type { Failpoint } from './failpoints'
import { startLoop } from './loop'
import { readTransfer } from './transfer'
import { confirms, type Doubt, type DoubtKind, failureOf, sight, type Tracked } from './verdict'

/** Looks at one network's head for all transactions of ours together, instead of once per transaction. */
export type Watcher = {
  /** Watches an attempt until its slot is filled and its settlement decided. What was not just sent is sent again at once. */
  track(attempt: OpenAttempt, how: 'being sent' | 'to be sent'): void
  isOpen(hash: string): boolean
  /** Unmined attempts of a lane. */
  openSlots(laneId: string): number
  /** The base fee of the newest block seen, wei; 0 when the last look is too long ago to tell. */
  baseFee(): bigint
  onFilled(listener: () => void): void
  kick(): void
  stop(): Promise<void>
}

export type WatcherOptions = {
  db: Db
  chain: EvmChain
  /** How often the head is asked for while something is under way. */
  pollMs: number
  /** Bytes that no block took for this long go out again, unchanged. */
  recheckMs: number
  finalityDepth: number
  /** Tells whoever waits that a settlement became answerable. */
  wake: (settlementId: string) => void
  failpoint: Failpoint
  log: Log
}

const RPC_RETRY_MS = 1_000
const clock = () => performance.now()

/** Starts watching a network. It asks nothing of the node while nothing is under way. */
export function startWatcher(options: WatcherOptions): Watcher {
  const { db, chain, log, recheckMs } = options
  const depth = BigInt(options.finalityDepth)
  const tracked = new Map<string, Tracked>()
  const listeners: (() => void)[] = []
  let last = { hash: '', baseFee: 0n, readAt: 0 }

  async function look(): Promise<number | null> {
    if (tracked.size === 0) return null
    const head = await chain.head()
    const entries = [...tracked.values()]
    // Between two blocks nothing changes, so the receipts are asked for once per block.
    if (head.hash !== last.hash || entries.some(({ fresh }) => fresh) || clock() - last.readAt >= recheckMs) {
      last = { hash: head.hash, baseFee: head.baseFee, readAt: clock() }
      await readReceipts(entries, head)
    }
    return tracked.size === 0 ? null : options.pollMs
  }

  async function readReceipts(entries: Tracked[], head: Head): Promise<void> {
    for (const entry of entries) entry.fresh = false
    const receipts = await chain.receipts(entries.map(({ attempt }) => asHash(attempt.hash)))
    for (const [at, entry] of entries.entries()) {
      const receipt = receipts[at] ?? null
      try {
        if (receipt instanceof Error) throw receipt
        await judge(entry, receipt, head)
      } catch (error) {
        // One entry's trouble must not hide the others.
        log.warn({ err: error, hash: entry.attempt.hash }, 'an attempt cannot be judged now')
      }
    }
  }

  async function judge(entry: Tracked, receipt: Receipt | null, head: Head): Promise<void> {
    notice(entry, receipt)
    const sighting = sight(entry, receipt, head, depth)
    if (sighting === 'landed' && receipt) return landed(entry, receipt)
    if (entry.decided && receipt && sighting !== 'waiting') return used(entry, receipt)
    if (entry.decided || sighting === 'landed' || sighting === 'waiting' || sighting === 'mined') {
      entry.doubt = null
      return
    }
    await doubt(entry, sighting, receipt, head)
  }

  function notice(entry: Tracked, receipt: Receipt | null): void {
    const first = receipt !== null && !entry.mined
    entry.mined = receipt !== null
    if (!first) return
    options.failpoint('mined')
    for (const listener of listeners) listener()
  }

  async function landed(entry: Tracked, receipt: Receipt): Promise<void> {
    const { settlementId, hash } = entry.attempt
    const moved = await recordIncluded(db, entry.attempt, landingOf(receipt), recheckMs)
    options.failpoint('landed')
    if (!moved) await recordMined(db, landingOf(receipt))
    if (entry.decided) log.error({ settlementId, hash }, 'a settlement that was told as failed is on the chain')
    tracked.delete(hash)
    options.wake(settlementId)
    log.info({ settlementId, network: chain.network, hash, block: String(receipt.block) }, 'landed')
  }

  async function used(entry: Tracked, receipt: Receipt): Promise<void> {
    await recordMined(db, landingOf(receipt))
    tracked.delete(entry.attempt.hash)
  }

  async function doubt(entry: Tracked, kind: DoubtKind, receipt: Receipt | null, head: Head): Promise<void> {
    if (entry.doubt?.kind === kind && kind !== 'reverted' && head.number - entry.doubt.block < depth) return
    const authorization = await chain.authorizationUsed(entry.transfer.authorization, head)
    const seen: Doubt = { kind, block: head.number, at: clock(), used: authorization }
    if (entry.doubt && confirms(entry.doubt, seen, depth, recheckMs)) return conclude(entry, seen, receipt, head)
    if (entry.doubt?.kind !== kind || entry.doubt.used !== authorization) entry.doubt = seen
  }

  /** Two looks agree. The transfer is told as failed, unless our own transaction may be what used the authorization. */
  async function conclude(entry: Tracked, seen: Doubt, receipt: Receipt | null, head: Head): Promise<void> {
    const { settlementId, hash, nonce } = entry.attempt
    const mayBeOurs = seen.kind === 'absent' && seen.used && (await chain.transactionCount(entry.from, head)) > nonce
    const to = failureOf(seen, mayBeOurs)
    if (!to) {
      entry.doubt = seen
      log.error(
        { settlementId, hash, ...seen, block: String(seen.block) },
        'the chain contradicts itself; the settlement stays open',
      )
      return
    }
    const landing = receipt ? landingOf(receipt) : null
    const state = await recordFailed(db, entry.attempt, {
      to,
      reason: seen.kind === 'silent' ? 'invalid_exact_evm_transfer_event_mismatch' : REASONS[to],
      txHash: hash,
      landing,
    })
    // Null: another instance knows better. Recovery brings it back if it is still under way.
    if (receipt || !state) tracked.delete(hash)
    entry.decided = true
    options.wake(settlementId)
    log.warn({ settlementId, network: chain.network, hash, state }, 'failed')
  }

  /** Bytes that no block took go out again, unchanged, in nonce order. In a loop of its own: a node that takes long must not hide receipts. */
  async function sendAgain(): Promise<number | null> {
    const due = [...tracked.values()].filter(({ mined, sentAt }) => !mined && clock() - sentAt >= recheckMs)
    for (const entry of due.sort((a, b) => (a.attempt.nonce < b.attempt.nonce ? -1 : 1))) {
      entry.sentAt = clock()
      const { answer, detail } = await chain.send(asHash(entry.attempt.raw))
      log.info({ network: chain.network, hash: entry.attempt.hash, answer, detail }, 'sent again')
      if (answer === 'silent') break
      if (answer === 'refused' && entry.decided && !entry.mined) await giveNonceUp(entry)
    }
    return tracked.size === 0 ? null : Math.min(recheckMs, RPC_RETRY_MS)
  }

  // Its settlement is decided and another transaction has its nonce: nothing of ours can use the slot any more.
  async function giveNonceUp({ attempt, from }: Tracked): Promise<void> {
    if ((await chain.transactionCount(from)) <= attempt.nonce) return
    await closeSlot(db, attempt.slotId)
    tracked.delete(attempt.hash)
  }

  const onTrouble = (error: unknown) => log.warn({ err: error, network: chain.network }, 'the node does not answer the watcher')
  const looking = startLoop(look, onTrouble, RPC_RETRY_MS)
  const sending = startLoop(sendAgain, onTrouble, RPC_RETRY_MS)

  return {
    track(attempt, how) {
      if (tracked.has(attempt.hash)) return
      tracked.set(attempt.hash, {
        attempt,
        from: asHash(attempt.signer),
        transfer: readTransfer(attempt.transfer),
        decided: isIn(failedStates, attempt.state),
        mined: false,
        fresh: true,
        sentAt: how === 'being sent' ? clock() : Number.NEGATIVE_INFINITY,
        doubt: null,
      })
      looking.kick()
      sending.kick()
    },
    isOpen: (hash) => tracked.get(hash)?.mined === false,
    openSlots: (laneId) => [...tracked.values()].filter(({ attempt, mined }) => attempt.laneId === laneId && !mined).length,
    baseFee: () => (clock() - last.readAt < recheckMs ? last.baseFee : 0n),
    onFilled(listener) {
      listeners.push(listener)
    },
    kick: looking.kick,
    async stop() {
      await Promise.all([looking.stop(), sending.stop()])
    },
  }
}

const REASONS = {
  REVERTED: 'invalid_exact_evm_transaction_failed',
  USED_ELSEWHERE: 'authorization_used_elsewhere',
  EXPIRED: 'invalid_exact_evm_payload_authorization_valid_before',
} as const

/** What the ledger keeps of a receipt. */
export function landingOf({ hash, block, blockHash, succeeded, gasUsed, gasPrice, l1Fee }: Receipt): Landing {
  return { hash, block, blockHash, succeeded, gasUsed, gasPrice, l1Fee }
}

// Guaranteed by the ledger: hashes, addresses and raw bytes were written from hex.
function asHash(text: string): `0x${string}` {
  return `0x${text.slice(2)}`
}
