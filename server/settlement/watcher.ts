import type { EvmChain } from '../chains/evm/chain'
import type { Head } from '../chains/evm/head'
import type { Receipt } from '../chains/evm/receipt'
import type { Log } from '../log'
import type { Db } from '../store/database'
import { recordFailed, recordIncluded, recordMined, recordReturned, recordUnpreconfirmed } from '../store/landings'
import { closeSlot, type Member, type NewAttempt, type OpenSlot } from '../store/slots'
import { failedStates, isIn } from '../store/states'
import type { Failpoint } from './failpoints'
import { landingOf } from './landing'
import { startLoop } from './loop'
import { mayHaveUsed } from './our-use'
import { awaitsPreconfirmation, preconfirm } from './preconfirming'
import { asHash, byNonce, minedOf, type Tracked, tracking } from './tracked'
import { conclusion, confirms, type Doubt, type DoubtKind, hasExpired, type Mined, type Passenger, sight } from './verdict'

/** Looks at one network's head for all transactions of ours together, instead of once per transaction. */
export type Watcher = {
  /** Watches a slot until its nonce is used and its members are decided. What was not just sent is sent again at once. */
  track(slot: OpenSlot, how: 'being sent' | 'to be sent'): void
  isOpen(slotId: string): boolean
  /** A lane's unmined slots in nonce order. */
  unmined(laneId: string): Tracked[]
  /** Another transaction was committed for the nonce of a slot. */
  replaced(slotId: string, attempt: NewAttempt): void
  /** The newest block seen; null when the last look is too long ago to tell. */
  head(): Head | null
  onFilled(listener: () => void): void
  kick(): void
  stop(): Promise<void>
}

export type WatcherOptions = {
  db: Db
  chain: EvmChain
  /** The same chain through an endpoint that preconfirms, where there is one. */
  flash: EvmChain | null
  /** How often the head is asked for while something is under way. */
  pollMs: number
  /** Bytes that no block took for this long go out again, unchanged. */
  recheckMs: number
  finalityDepth: number
  /** Tells whoever waits that a settlement became answerable. */
  wake: (settlementId: string) => void
  /** Told when settlements are claims again. */
  returned: () => void
  failpoint: Failpoint
  log: Log
}

const RPC_RETRY_MS = 1_000
/** Sub-blocks come five times a second. */
const GLANCE_MS = 40
const clock = () => performance.now()

/** Starts watching a network. It asks nothing of the node while nothing is under way. */
export function startWatcher(options: WatcherOptions): Watcher {
  const { db, chain, log, recheckMs } = options
  const depth = BigInt(options.finalityDepth)
  const tracked = new Map<string, Tracked>()
  const listeners: (() => void)[] = []
  let last: { head: Head | null; readAt: number } = { head: null, readAt: 0 }

  async function look(): Promise<number | null> {
    if (tracked.size === 0) return null
    const head = await chain.head()
    const entries = [...tracked.values()]
    // Between two blocks nothing changes, so the receipts are asked for once per block.
    if (head.hash !== last.head?.hash || entries.some(({ fresh }) => fresh) || clock() - last.readAt >= recheckMs) {
      last = { head, readAt: clock() }
      await readReceipts(entries, head)
    }
    return tracked.size === 0 ? null : options.pollMs
  }

  async function readReceipts(entries: Tracked[], head: Head): Promise<void> {
    for (const entry of entries) entry.fresh = false
    const asked = entries.flatMap(({ slot }) => slot.attempts.map(({ hash }) => asHash(hash)))
    const receipts = await chain.receipts(asked, head)
    const byHash = new Map(asked.map((hash, at) => [hash, receipts[at] ?? null]))
    for (const entry of entries) {
      try {
        await judge(entry, minedOf(entry, byHash), head)
      } catch (error) {
        // One slot's trouble must not hide the others.
        log.warn({ err: error, network: chain.network, nonce: String(entry.slot.nonce) }, 'a slot cannot be judged now')
      }
    }
  }

  async function judge(entry: Tracked, mined: Mined | null, head: Head): Promise<void> {
    notice(entry, mined)
    const shared = entry.passengers.length > 1
    const landed = mined ? entry.passengers.filter((one) => sight(one, shared, mined, head, depth) === 'landed') : []
    if (mined && landed.length > 0) await land(entry, landed, mined.receipt)
    for (const passenger of entry.passengers) {
      if (landed.includes(passenger) || passenger.decided) continue
      const sighting = sight(passenger, shared, mined, head, depth)
      if (sighting === 'landed' || sighting === 'waiting' || sighting === 'mined') passenger.doubt = null
      else await doubt(entry, passenger, sighting, mined?.receipt ?? null, head)
    }
    if (mined && isOver(entry, landed, mined.receipt, head)) {
      if (landed.length === 0) await recordMined(db, landingOf(mined.receipt))
      tracked.delete(entry.slot.slotId)
    }
  }

  // Deep, or proven by the logs of all: before that the block may vanish and the nonce with it.
  function isOver({ passengers }: Tracked, landed: Passenger[], receipt: Receipt, head: Head): boolean {
    if (!passengers.every(({ decided }) => decided)) return false
    return (passengers.length > 0 && landed.length === passengers.length) || head.number - receipt.block >= depth
  }

  function notice(entry: Tracked, mined: Mined | null): void {
    const first = mined !== null && !entry.mined
    entry.mined = mined !== null
    if (!first) return
    options.failpoint('mined')
    for (const listener of listeners) listener()
  }

  async function land({ slot }: Tracked, landed: Passenger[], receipt: Receipt): Promise<void> {
    const ids = landed.map(({ member }) => member.settlementId)
    const moved = new Set(await recordIncluded(db, slot.slotId, ids, landingOf(receipt), recheckMs))
    options.failpoint('landed')
    for (const { member, decided } of landed) {
      const { settlementId } = member
      const line = { settlementId, network: chain.network, hash: receipt.hash, block: String(receipt.block) }
      if (decided && !moved.has(settlementId) && isIn(failedStates, member.state))
        log.error(line, 'a settlement that was told as failed is on the chain')
      else if (moved.has(settlementId)) log.info(line, 'landed')
      options.wake(settlementId)
    }
    for (const passenger of landed) passenger.decided = true
  }

  async function doubt(
    entry: Tracked,
    passenger: Passenger,
    kind: DoubtKind,
    receipt: Receipt | null,
    head: Head,
  ): Promise<void> {
    const earlier = passenger.doubt
    if (earlier?.kind === kind && kind === 'absent' && head.number - earlier.block < depth) return
    const used = await chain.authorizationUsed(passenger.transfer.authorization, head)
    const seen: Doubt = { kind, block: head.number, at: clock(), used }
    if (earlier && confirms(earlier, seen, depth, recheckMs)) return conclude(entry, passenger, seen, receipt, head)
    if (earlier?.kind !== kind || earlier.used !== used) passenger.doubt = seen
  }

  /** Two looks agree. The transfer is told as failed, or gets another slot, unless our own transaction may be what used the authorization. */
  async function conclude(entry: Tracked, passenger: Passenger, seen: Doubt, receipt: Receipt | null, head: Head): Promise<void> {
    const { slot } = entry
    const { settlementId, asset } = passenger.member
    const hash = receipt?.hash ?? slot.attempts.at(-1)?.hash ?? ''
    const mayBeOurs = seen.used && (await mayHaveUsed(chain, entry, passenger, receipt, head))
    const to = conclusion(seen, { shared: entry.passengers.length > 1, expired: hasExpired(passenger.member, head), mayBeOurs })
    const line = { settlementId, network: chain.network, hash }
    if (!to) {
      passenger.doubt = seen
      log.error({ ...line, asset, ...seen, block: String(seen.block) }, 'the chain contradicts itself; the settlement stays open')
      return
    }
    if (to === 'CLAIMED') {
      if (passenger.member.state === 'PRECONFIRMED') await breakPromise(slot.slotId, passenger.member)
      if (receipt) await recordReturned(db, slot.slotId, [settlementId], landingOf(receipt))
      passenger.decided = true
      log.warn({ ...line, kind: seen.kind }, 'a transfer did not happen and still can; it gets a slot of its own')
      return options.returned()
    }
    const reason = seen.kind === 'silent' && to === 'REVERTED' ? 'invalid_exact_evm_transfer_event_mismatch' : REASONS[to]
    const landing = receipt ? landingOf(receipt) : null
    const state = await recordFailed(db, { settlementId, slotId: slot.slotId }, { to, reason, txHash: hash, landing })
    passenger.decided = true
    // Null: another instance knows better. Recovery brings it back if it is still under way.
    if (state) passenger.member.state = state
    options.wake(settlementId)
    log.warn({ ...line, state }, 'failed')
  }

  async function breakPromise(slotId: string, member: Member): Promise<void> {
    const { settlementId } = member
    log.error({ settlementId, network: chain.network }, 'a preconfirmed transfer did not reach the chain; it is under way again')
    await recordUnpreconfirmed(db, { settlementId, slotId })
    member.state = 'BROADCAST'
  }

  /** Bytes that no block took go out again, unchanged, in nonce order. In a loop of its own: a node that takes long must not hide receipts. */
  async function sendAgain(): Promise<number | null> {
    const due = [...tracked.values()].filter(({ mined, sentAt }) => !mined && clock() - sentAt >= recheckMs)
    for (const entry of due.sort(byNonce)) {
      const newest = entry.slot.attempts.at(-1)
      if (!newest) continue
      entry.sentAt = clock()
      const { answer, detail } = await chain.send(asHash(newest.raw))
      log.info({ network: chain.network, hash: newest.hash, answer, detail }, 'sent again')
      if (answer === 'silent') break
      if (answer === 'refused' && !entry.mined && entry.passengers.every(({ decided }) => decided)) await giveNonceUp(entry)
    }
    return tracked.size === 0 ? null : Math.min(recheckMs, RPC_RETRY_MS)
  }

  // Its settlements are decided and another transaction has its nonce: nothing of ours can use the slot any more.
  async function giveNonceUp({ slot, from }: Tracked): Promise<void> {
    if ((await chain.transactionCount(from)) <= slot.nonce) return
    await closeSlot(db, slot.slotId)
    tracked.delete(slot.slotId)
  }

  async function glance(): Promise<number | null> {
    const awaiting = [...tracked.values()].filter(awaitsPreconfirmation)
    if (!options.flash || awaiting.length === 0) return null
    await preconfirm({ db, flash: options.flash, wake: options.wake, log }, awaiting)
    return GLANCE_MS
  }

  const onTrouble = (error: unknown) => log.warn({ err: error, network: chain.network }, 'the node does not answer the watcher')
  const looking = startLoop(look, onTrouble, RPC_RETRY_MS)
  const sending = startLoop(sendAgain, onTrouble, RPC_RETRY_MS)
  const glancing = startLoop(glance, onTrouble, GLANCE_MS)

  return {
    track(slot, how) {
      if (tracked.has(slot.slotId)) return
      tracked.set(
        slot.slotId,
        tracking(slot, { signedAt: clock(), sentAt: how === 'being sent' ? clock() : Number.NEGATIVE_INFINITY }),
      )
      looking.kick()
      sending.kick()
      glancing.kick()
    },
    isOpen: (slotId) => tracked.get(slotId)?.mined === false,
    unmined: (laneId) => [...tracked.values()].filter(({ slot, mined }) => slot.laneId === laneId && !mined).sort(byNonce),
    replaced(slotId, attempt) {
      const entry = tracked.get(slotId)
      if (!entry) return
      entry.slot.attempts.push(attempt)
      entry.signedAt = clock()
      entry.sentAt = clock()
      entry.fresh = true
    },
    head: () => (clock() - last.readAt < recheckMs ? last.head : null),
    onFilled(listener) {
      listeners.push(listener)
    },
    kick: looking.kick,
    async stop() {
      await Promise.all([looking.stop(), sending.stop(), glancing.stop()])
    },
  }
}

const REASONS = {
  REVERTED: 'invalid_exact_evm_transaction_failed',
  USED_ELSEWHERE: 'authorization_used_elsewhere',
  EXPIRED: 'invalid_exact_evm_payload_authorization_valid_before',
  REVERSED: 'settlement_reversed',
} as const
