import type { EvmChain, SignedTransfer } from '../chains/evm/chain'
import type { Head } from '../chains/evm/head'
import { provesTransfer, type Receipt } from '../chains/evm/receipt'
import type { Log } from '../log'
import type { Db } from '../store/database'
import { type Landing, recordFailed, recordIncluded, recordMined } from '../store/landings'
import type { OpenAttempt } from '../store/slots'
import { failedStates, isIn } from '../store/states'
import type { Failpoint } from './failpoints'
import { startLoop } from './loop'
import { readTransfer } from './transfer'

/** Looks at one network's head for all transactions of ours together, instead of once per transaction. */
export type Watcher = {
  /** Watches an attempt until its slot is filled and its settlement decided. Attempts already watched are left alone. */
  track(attempt: OpenAttempt): void
  isOpen(hash: string): boolean
  /** Unmined attempts of a lane. */
  openSlots(laneId: string): number
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
  now: () => number
  failpoint: Failpoint
  log: Log
}

type Tracked = {
  attempt: OpenAttempt
  transfer: SignedTransfer
  /** Terminal already; only its nonce still has to be mined. */
  decided: boolean
  sentAt: number
  mined: boolean
  /** First sight of the chain's clock past the authorization's end, and whether it was used then. */
  expired: { block: bigint; used: boolean } | null
}

const RPC_RETRY_MS = 1_000

/** Starts watching a network. It asks nothing of the node while nothing is under way. */
export function startWatcher(options: WatcherOptions): Watcher {
  const { db, chain, log } = options
  const tracked = new Map<string, Tracked>()
  const listeners: (() => void)[] = []
  let lastHead = ''

  async function look(): Promise<number | null> {
    if (tracked.size === 0) return null
    const head = await chain.head()
    if (head.hash !== lastHead || [...tracked.values()].some((entry) => !entry.mined)) {
      lastHead = head.hash
      await readReceipts(head)
    }
    await sendAgain()
    return tracked.size === 0 ? null : options.pollMs
  }

  async function readReceipts(head: Head): Promise<void> {
    const entries = [...tracked.values()]
    const receipts = await chain.receipts(entries.map(({ attempt }) => asHash(attempt.hash)))
    for (const [at, entry] of entries.entries()) {
      const receipt = receipts[at]
      if (receipt instanceof Error) log.warn({ err: receipt, hash: entry.attempt.hash }, 'unreadable receipt')
      else if (receipt) await judgeReceipt(entry, receipt, head)
      else await judgeAbsence(entry, head)
    }
  }

  async function judgeReceipt(entry: Tracked, receipt: Receipt, head: Head): Promise<void> {
    const { attempt } = entry
    if (!entry.mined) {
      entry.mined = true
      options.failpoint('mined')
      for (const listener of listeners) listener()
    }
    if (provesTransfer(receipt, attempt.asset, entry.transfer.authorization)) return landed(entry, receipt)
    // A shallow block may still vanish, and with it the nonce it used.
    if (head.number - receipt.block < BigInt(options.finalityDepth)) return
    if (!entry.decided) return failed(entry, receipt)
    await recordMined(db, landingOf(receipt))
    tracked.delete(attempt.hash)
  }

  async function landed(entry: Tracked, receipt: Receipt): Promise<void> {
    const { settlementId, hash } = entry.attempt
    const checkInMs = options.finalityDepth * options.recheckMs
    const moved = await recordIncluded(db, entry.attempt, landingOf(receipt), checkInMs)
    options.failpoint('landed')
    if (!moved) await recordMined(db, landingOf(receipt))
    tracked.delete(hash)
    options.wake(settlementId)
    log.info({ settlementId, network: chain.network, hash, block: String(receipt.block) }, 'landed')
  }

  /** A transaction that did not move the money, deep in the chain: it failed, unless the chain itself is still in doubt. */
  async function failed(entry: Tracked, receipt: Receipt): Promise<void> {
    const used = await chain.authorizationUsed(entry.transfer.authorization)
    await recordMined(db, landingOf(receipt))
    await decide(entry, used ? 'USED_ELSEWHERE' : 'REVERTED')
    tracked.delete(entry.attempt.hash)
  }

  /** Not mined. Past the authorization's end, by two agreeing reads some blocks apart, it never will be. */
  async function judgeAbsence(entry: Tracked, head: Head): Promise<void> {
    entry.mined = false
    if (entry.decided || head.timestamp <= entry.attempt.expiresAt) return
    if (entry.expired && head.number - entry.expired.block < BigInt(options.finalityDepth)) return
    const used = await chain.authorizationUsed(entry.transfer.authorization)
    if (entry.expired?.used === used) await decide(entry, used ? 'USED_ELSEWHERE' : 'EXPIRED')
    else entry.expired = { block: head.number, used }
  }

  async function decide(entry: Tracked, to: keyof typeof REASONS): Promise<void> {
    const { settlementId, hash } = entry.attempt
    const reason = REASONS[to]
    const state = await recordFailed(db, entry.attempt, { to, reason, txHash: hash })
    entry.decided = true
    options.wake(settlementId)
    log.warn({ settlementId, network: chain.network, hash, state }, 'failed')
  }

  async function sendAgain(): Promise<void> {
    const due = [...tracked.values()].filter((entry) => !entry.mined && options.now() - entry.sentAt >= options.recheckMs)
    for (const entry of due.sort((a, b) => Number(a.attempt.nonce - b.attempt.nonce))) {
      entry.sentAt = options.now()
      const { answer, detail } = await chain.send(asHash(entry.attempt.raw))
      log.info({ network: chain.network, hash: entry.attempt.hash, answer, detail }, 'sent again')
    }
  }

  const loop = startLoop(
    look,
    (error) => log.warn({ err: error, network: chain.network }, 'the node does not answer the watcher'),
    RPC_RETRY_MS,
  )

  return {
    track(attempt) {
      if (tracked.has(attempt.hash)) return
      tracked.set(attempt.hash, {
        attempt,
        transfer: readTransfer(attempt.transfer),
        decided: isIn(failedStates, attempt.state),
        sentAt: options.now(),
        mined: false,
        expired: null,
      })
    },
    isOpen: (hash) => tracked.get(hash)?.mined === false,
    openSlots: (laneId) => [...tracked.values()].filter(({ attempt, mined }) => attempt.laneId === laneId && !mined).length,
    onFilled(listener) {
      listeners.push(listener)
    },
    kick: loop.kick,
    stop: loop.stop,
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

// Guaranteed by the ledger: hashes and raw bytes were written from hex.
function asHash(text: string): `0x${string}` {
  return `0x${text.slice(2)}`
}
