import type { Mark } from '../../base/timing'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import type { UnqueuedClaim } from '../statements/returned-claims'

/** A claimed settlement that waits to be signed. */
export type Queued = {
  settlementId: string
  /** Parties take turns, so that one party's flood delays no other. */
  party: string
  tier: string
  asset: string
  transfer: SignedTransfer
  expiresAt: bigint
  /** Unix seconds. */
  claimedAt: bigint
  /** Wei per gas when it was judged. */
  baseFee: bigint
  /** When it was last judged on chain, in monotonic milliseconds. */
  judgedAt: number
  /** Until when a request may wait for it, in monotonic milliseconds; later its intent may be claimed again. */
  until: number
  /**
   * Shares its transaction with no other payment: its payer has code, one account alone may make it, or an earlier transaction
   * was mined without it.
   */
  alone: boolean
  /** The trace of its request, when this process has it. */
  mark?: Mark
}

/** Claims in signing order: one of each party in turn. */
export type Queue = {
  size(): number
  /** How many may share a transaction. */
  sharing(): number
  push(item: Queued): void
  /**
   * Queues an item if there is a place: `most` for items that share, fewer for others. When all are taken, the party with the most items
   * gives up its newest one, so that no flood takes the places of others. Null: there was a place; `full`: it was not queued.
   */
  admit(item: Queued, most: number): Queued | null | 'full'
  /** Returns items to the front, in this order: they were taken and not signed. */
  putBack(items: readonly Queued[]): void
  /** Whether returned items wait at the front. */
  hasReturned(): boolean
  /** Whether this settlement is queued. */
  has(settlementId: string): boolean
  /** Whether a payment of this payer is queued. */
  holds(payer: string): boolean
  /**
   * The members of the next transaction: one that is sent alone, or up to `most` others. The two kinds alternate while both wait, so
   * one that is sent alone never ends a batch. Empty when nothing waits.
   */
  take(most: number): Queued[]
}

/** Items that are sent alone get a fifth of the places: each takes a transaction, so that more of them would wait for long. */
const ALONE_SHARE = 5

/** An empty queue. */
export function createQueue(): Queue {
  const sharing = createTurns()
  const alone = createTurns()
  const ids = new Set<string>()
  const payers = new Map<string, number>()
  let lastWasAlone = true

  function count({ settlementId, transfer }: Queued, change: 1 | -1): void {
    if (change === 1) ids.add(settlementId)
    else ids.delete(settlementId)
    const { from } = transfer.authorization
    const left = (payers.get(from) ?? 0) + change
    if (left > 0) payers.set(from, left)
    else payers.delete(from)
  }

  function push(item: Queued): void {
    count(item, 1)
    const turns = item.alone ? alone : sharing
    turns.push(item)
  }

  return {
    size: () => ids.size,
    sharing: sharing.size,
    hasReturned: sharing.hasReturned,
    has: (settlementId) => ids.has(settlementId),
    holds: (payer) => payers.has(payer),
    push,
    admit(item, most) {
      const [turns, places] = item.alone ? [alone, Math.ceil(most / ALONE_SHARE)] : [sharing, most]
      const displaced = turns.size() < places ? null : turns.giveWay(item.party)
      if (displaced === 'full') return displaced
      if (displaced) count(displaced, -1)
      push(item)
      return displaced
    },
    putBack(items) {
      for (const item of items) count(item, 1)
      sharing.putBack(items.filter((item) => !item.alone))
      // One that became alone queues behind its party's other alone ones.
      for (const item of items) if (item.alone) alone.push(item)
    },
    take(most) {
      lastWasAlone = sharing.isEmpty() || (!lastWasAlone && !alone.isEmpty())
      const taken = lastWasAlone ? alone.take(1) : sharing.take(most)
      for (const item of taken) count(item, -1)
      return taken
    },
  }
}

/** Items of one kind, with the parties in turn. */
function createTurns() {
  /** Items that were put back: never more than one `take`, because they are taken first. */
  const front: Queued[] = []
  const byParty = new Map<string, Queued[]>()
  let size = 0

  function next(): Queued | undefined {
    if (front.length > 0) return front.shift()
    const turn = byParty.entries().next().value
    if (!turn) return undefined
    const [party, items] = turn
    const item = items.shift()
    byParty.delete(party)
    // The next turn of this party comes after those of all others.
    if (items.length > 0) byParty.set(party, items)
    return item
  }

  return {
    hasReturned: () => front.length > 0,
    isEmpty: () => front.length === 0 && byParty.size === 0,
    size: () => size,
    /** Takes out the newest item of the party with the most; `full` if this one would have as many. */
    giveWay(party: string): Queued | 'full' {
      const largest = [...byParty.values()].reduce((most, items) => (items.length > most.length ? items : most), [])
      if (largest.length <= (byParty.get(party)?.length ?? 0) + 1) return 'full'
      size--
      return largest.pop() ?? 'full'
    },
    push(item: Queued): void {
      size++
      const items = byParty.get(item.party)
      if (items) items.push(item)
      else byParty.set(item.party, [item])
    },
    putBack(items: readonly Queued[]): void {
      size += items.length
      front.unshift(...items)
    },
    take(most: number): Queued[] {
      const taken: Queued[] = []
      for (let item = taken.length < most && next(); item; item = taken.length < most && next()) taken.push(item)
      size -= taken.length
      return taken
    },
  }
}

/** Whether a transfer shares no transaction: its payer has code, one account alone may make it, or it is of a kind that shares none. */
export const goesAlone = (transfer: SignedTransfer): boolean =>
  transfer.proof !== 'key' || methodFor(transfer).sender(transfer) !== null || !methodFor(transfer).shares

/** The queue item of a claim in the ledger, with its transfer. */
export function queuedOf(
  { settlementId, party, tier, asset, expiresAt, claimedAt, ...claim }: UnqueuedClaim,
  transfer: SignedTransfer,
  baseFee: bigint,
  until: number,
): Queued {
  return {
    settlementId,
    party,
    tier,
    asset,
    expiresAt,
    claimedAt,
    transfer,
    baseFee,
    judgedAt: Number.NEGATIVE_INFINITY,
    until,
    alone: claim.alone || goesAlone(transfer),
  }
}
