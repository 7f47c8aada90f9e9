import { startLoop } from '../../base/loop'
import type { EvmChain } from '../../chains/evm/chain'
import type { Head } from '../../chains/evm/rpc'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { closeSlot, type NewAttempt, type OpenSlot, openSlotsAnd, openSlotsExcept } from '../statements/slots'
import { findRecordedSlots, findSeenBlock } from '../statements/watching'
import { createBlockTimes } from './block-times'
import { awaitsPreconfirmation, preconfirm } from './preconfirming'
import { createSlotJudge, type SlotJudgeOptions } from './slot-judge'
import { byNonce, bytesAsHex, hasInFlight, minedOf, type Tracked, tracking, transfersInFlight, unminedOf } from './tracked'
import { createWatchRole } from './watch-lease'

/** Who sends a slot's bytes: this instance right now, this instance later, or the instance that has its lane. */
type SlotOrigin = 'being sent' | 'to be sent' | 'sent elsewhere'

/** Watches all our transactions of one network together, instead of each separately. */
export type Watcher = {
  /** Watches a slot until its nonce is used and its members are decided. Unsent bytes are sent at once. */
  track(slot: OpenSlot, origin: SlotOrigin): void
  isOpen(slotId: string): boolean
  /** A lane's unmined slots in nonce order. */
  unmined(laneId: string): Tracked[]
  /** Signed and unmined transfers of these payers, in nonce order. */
  inFlight(payers: ReadonlySet<string>): SignedTransfer[]
  /** Whether a lane has a signed and unmined transfer of this payer. */
  hasInFlight(laneId: string, payer: string): boolean
  /** A send of the slot's bytes was answered, or failed: the chain is worth a look. */
  answered(slotId: string): void
  /** Another transaction was committed for the nonce of a slot. */
  replaced(slotId: string, attempt: NewAttempt): void
  /** The newest block seen; null when the last check is too old. */
  head(): Head | null
  onFilled(listener: () => void): void
  /** Another instance signed something: reads the open slots again. */
  findSlots(): void
  stop(): Promise<void>
}

/** Options beside judging: `depth` follows from `finalityDepth`, and bytes that no block took for `recheckMs` are sent again. */
type WatcherOptions = Omit<SlotJudgeOptions, 'depth'> & {
  /** The same chain through an endpoint that preconfirms, if there is one. */
  flash: EvmChain | null
  /** The name of this process. Only one instance polls a network's nodes; `exclusive`: there is no other. */
  holder: string
  exclusive: boolean
  /** How often the head is read while something is in flight and the blocks are not regular. */
  pollMs: number
  finalityDepth: number
  /** Notifies the watching instance that there is more to watch. */
  announce: () => void
}

const RPC_RETRY_MS = 1_000
/** How long the chain is not read for bytes that are being sent and that no node has answered. */
const LEAVING_MS = 100
/** Sub-blocks come five times a second. A slow endpoint gets a pause as long as its response took. */
const PRECONFIRM_MS = 40
/** How often an instance reads what the watching one wrote. */
const FOLLOW_MS = 250
const clock = () => performance.now()

const has = ({ slot }: Tracked, hash: string) => slot.attempts.some((known) => known.hash === hash)

/** Starts watching a network. The node gets no calls while nothing is in flight. */
export function startWatcher(options: WatcherOptions): Watcher {
  const { db, chain, log, recheckMs } = options
  const { network } = chain
  const tracked = new Map<string, Tracked>()
  const listeners: (() => void)[] = []
  const role = createWatchRole({ ...options, network })
  const judge = createSlotJudge({ ...options, depth: BigInt(options.finalityDepth) })
  const times = createBlockTimes(options.pollMs)
  let foundAt = Number.NEGATIVE_INFINITY
  let last: { head: Head | null; readAt: number } = { head: null, readAt: 0 }

  async function check(): Promise<number | null> {
    if (tracked.size === 0) return role.leave().then(() => null)
    const before = role.held()
    if (!(await role.take(last.head))) return follow()
    if (!before) preconfirming.kick()
    // No block has what no node has taken; an answer that takes longer may be lost.
    if ([...tracked.values()].every(({ leaving, sentAt }) => leaving && clock() - sentAt < LEAVING_MS)) return LEAVING_MS
    const head = await chain.head()
    times.saw(head.number, clock())
    const isNew = head.hash !== last.head?.hash
    const isFull = clock() - foundAt >= recheckMs
    // While the receipts of the known ones are read: what is found is read in the next check, which it starts.
    const finding = isNew || isFull ? findMore(isFull) : undefined
    const entries = [...tracked.values()]
    // Between two blocks nothing changes, so receipts are read once per block.
    if (isNew || entries.some(({ fresh }) => fresh) || clock() - last.readAt >= recheckMs) {
      last = { head, readAt: clock() }
      await Promise.all([finding, readReceipts(entries, head)])
    } else await finding
    return tracked.size === 0 ? 0 : pollMs()
  }

  function pollMs(): number {
    const unmined = [...tracked.values()].filter(({ mined }) => !mined)
    return times.pause(
      clock(),
      unmined.map(({ sentAt }) => sentAt),
    )
  }

  /** Finds slots that other instances signed; `full` also finds replacements, those too that another instance saw mined. */
  async function findMore(full: boolean): Promise<void> {
    if (options.exclusive) return
    if (full) foundAt = clock()
    const known = new Set(tracked.keys())
    const slots = await (full ? openSlotsAnd : openSlotsExcept)(db, network, [...known])
    // What ended meanwhile is not watched again.
    for (const slot of slots) if (tracked.has(slot.slotId) || !known.has(slot.slotId)) track(slot, 'sent elsewhere')
  }

  /** Another instance watches: reads what it wrote about our slots. */
  async function follow(): Promise<number> {
    announceNew()
    const recorded = await findRecordedSlots(db, [...tracked.keys()])
    const head = await findSeenBlock(db, network)
    if (head) last = { head, readAt: clock() }
    for (const { slotId, filled, memberIds } of recorded) {
      const entry = tracked.get(slotId)
      if (!entry) continue
      for (const slotMember of entry.members) slotMember.decided = !memberIds.includes(slotMember.member.settlementId)
      // When we take over the watch, the chain is read at once.
      entry.fresh = true
      fill(entry, filled)
      if (filled && memberIds.length === 0) tracked.delete(slotId)
    }
    return FOLLOW_MS
  }

  /** Notifies the watching instance of slots signed here. */
  function announceNew(): void {
    const added = [...tracked.values()].filter(({ announced }) => !announced)
    if (added.length > 0) options.announce()
    for (const entry of added) entry.announced = true
  }

  async function readReceipts(entries: Tracked[], head: Head): Promise<void> {
    for (const entry of entries) entry.fresh = false
    const asked = entries.flatMap(({ slot }) => slot.attempts.map(({ hash }) => bytesAsHex(hash)))
    const receipts = await chain.receipts(asked, head)
    const byHash = new Map(asked.map((hash, at) => [hash, receipts[at] ?? null]))
    for (const entry of entries) {
      try {
        const mined = minedOf(entry, byHash)
        fill(entry, mined !== null)
        if (await judge(entry, mined, head)) tracked.delete(entry.slot.slotId)
      } catch (error) {
        // One slot's error must not hide the others.
        log.warn({ err: error, network, nonce: String(entry.slot.nonce) }, 'a slot cannot be judged now')
      }
    }
  }

  function fill(entry: Tracked, mined: boolean): void {
    const first = mined && !entry.mined
    entry.mined = mined
    if (!first) return
    times.mined(clock() - entry.sentAt)
    options.failpoint('mined')
    for (const listener of listeners) listener()
  }

  /** Sends bytes again that no block took, unchanged, in nonce order. A separate loop, so that a slow node does not delay receipts. */
  async function sendAgain(): Promise<number | null> {
    // Unsent bytes are sent by the instance that found them; unmined ones by the one that watches.
    const due = [...tracked.values()].filter(
      ({ mined, sentAt }) => !mined && (role.held() ? clock() - sentAt >= recheckMs : sentAt === Number.NEGATIVE_INFINITY),
    )
    for (const entry of due.sort(byNonce)) {
      const newest = entry.slot.attempts.at(-1)
      if (!newest) continue
      entry.sentAt = clock()
      const { answer, detail } = await chain.send(bytesAsHex(newest.raw))
      entry.answer = answer
      log.info({ network, hash: newest.hash, answer, detail }, 'sent again')
      if (answer === 'silent') break
      if (answer === 'refused' && !entry.mined && !entry.unread && entry.members.every(({ decided }) => decided))
        await giveNonceUp(entry)
    }
    return tracked.size === 0 ? null : Math.min(recheckMs, RPC_RETRY_MS)
  }

  // All its settlements are decided and another transaction has its nonce: nothing of ours can use the slot.
  async function giveNonceUp(entry: Tracked): Promise<void> {
    const { slot, from } = entry
    if ((await chain.transactionCount(from)) <= slot.nonce) return
    // A node also refuses bytes that it has just mined: with a receipt they are ours, and are recorded as usual.
    const receipts = await chain.receipts(slot.attempts.map(({ hash }) => bytesAsHex(hash)))
    if (receipts.some((receipt) => receipt !== null)) {
      entry.fresh = true
      return checking.kick()
    }
    await closeSlot(db, slot.slotId)
    tracked.delete(slot.slotId)
  }

  /** Takes the transactions that another instance signed for a slot's nonce: one of them may be mined. */
  function learn(entry: Tracked, slot: OpenSlot): void {
    if (slot.attempts.every(({ hash }) => has(entry, hash))) return
    Object.assign(entry, { fresh: true, slot })
    checking.kick()
  }

  async function preconfirmNext(): Promise<number | null> {
    const awaiting = role.held() ? [...tracked.values()].filter(awaitsPreconfirmation) : []
    if (!options.flash || awaiting.length === 0) return null
    const since = clock()
    await preconfirm({ db, flash: options.flash, wake: options.wake, failpoint: options.failpoint, log }, awaiting)
    return Math.max(PRECONFIRM_MS, clock() - since)
  }

  function track(slot: OpenSlot, origin: SlotOrigin): void {
    const known = tracked.get(slot.slotId)
    if (known) {
      learn(known, slot)
      return
    }
    const sentAt = origin === 'to be sent' ? Number.NEGATIVE_INFINITY : clock()
    tracked.set(slot.slotId, tracking(slot, { signedAt: clock(), sentAt, leaving: origin === 'being sent' }))
    checking.kick()
    sending.kick()
    preconfirming.kick()
  }

  const onTrouble = (error: unknown) => log.warn({ err: error, network }, 'the node does not answer the watcher')
  const checking = startLoop(
    check,
    (error) => {
      onTrouble(error)
      // Another instance may have a node that answers.
      void role.leave()
    },
    RPC_RETRY_MS,
  )
  const sending = startLoop(sendAgain, onTrouble, RPC_RETRY_MS)
  const preconfirming = startLoop(preconfirmNext, onTrouble, PRECONFIRM_MS)

  return {
    track,
    isOpen: (slotId) => tracked.get(slotId)?.mined === false,
    unmined: (laneId) => unminedOf(tracked.values(), laneId),
    inFlight: (payers) => transfersInFlight(tracked.values(), payers),
    hasInFlight: (laneId, payer) => hasInFlight(tracked.values(), laneId, payer),
    answered(slotId) {
      const entry = tracked.get(slotId)
      if (entry) entry.leaving = false
      checking.kick()
    },
    replaced(slotId, attempt) {
      const entry = tracked.get(slotId)
      if (!entry) return
      // It may have been read from the ledger while it was sent.
      if (!has(entry, attempt.hash)) entry.slot.attempts.push(attempt)
      entry.signedAt = clock()
      entry.sentAt = clock()
      entry.fresh = true
      entry.announced = false
      entry.answer = null
    },
    head: () => (clock() - last.readAt < recheckMs ? last.head : null),
    onFilled(listener) {
      listeners.push(listener)
    },
    findSlots() {
      if (!role.held()) return
      findMore(true).catch(onTrouble)
    },
    async stop() {
      await Promise.all([checking.stop(), sending.stop(), preconfirming.stop()])
      await role.leave()
    },
  }
}
