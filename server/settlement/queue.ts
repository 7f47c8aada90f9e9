import type { SignedTransfer } from '../chains/evm/transactions'
import type { Mark } from '../timing'

/** A claimed settlement that waits to be signed. */
export type Queued = {
  settlementId: string
  /** Who shares a turn: parties take turns, so that one party's flood delays no other. */
  party: string
  tier: string
  asset: string
  transfer: SignedTransfer
  expiresAt: bigint
  /** Unix seconds. */
  claimedAt: bigint
  /** Wei per gas when it was judged. */
  baseFee: bigint
  /** When the chain was last asked about it, milliseconds of a clock that never jumps. */
  judgedAt: number
  /** Until when somebody may wait for it; later its intent may be claimed anew. Milliseconds of the same clock. */
  until: number
  /** Shares its transaction with nobody: its payer has code, or an earlier transaction was mined without it. */
  alone: boolean
  /** The request that brought it, where this process still has it. */
  mark?: Mark
}

/** Claims in the order in which they are to be signed: one of each party in turn. */
export type Queue = {
  size(): number
  push(item: Queued): void
  /** Back to the front, in this order: they were taken and not signed. */
  putBack(items: readonly Queued[]): void
  /** Whether this settlement waits here. */
  has(settlementId: string): boolean
  /** Whether a payment of this payer waits here. */
  holds(payer: string): boolean
  /** The members of the next transaction: one that travels alone, or up to so many that do not. Empty when nothing waits. */
  take(most: number): Queued[]
}

/** An empty queue. */
export function createQueue(): Queue {
  const front: Queued[] = []
  const byParty = new Map<string, Queued[]>()
  const ids = new Set<string>()

  const next = (): Queued | undefined => front[0] ?? byParty.values().next().value?.[0]

  function remove({ settlementId }: Queued): void {
    ids.delete(settlementId)
    if (front.shift()) return
    const turn = byParty.entries().next().value
    if (!turn) return
    const [party, items] = turn
    items.shift()
    byParty.delete(party)
    // The party's next turn comes after all others.
    if (items.length > 0) byParty.set(party, items)
  }

  return {
    size: () => ids.size,
    has: (settlementId) => ids.has(settlementId),
    push(item) {
      ids.add(item.settlementId)
      const items = byParty.get(item.party)
      if (items) items.push(item)
      else byParty.set(item.party, [item])
    },
    putBack(items) {
      for (const { settlementId } of items) ids.add(settlementId)
      front.unshift(...items)
    },
    holds(payer) {
      const isHis = ({ transfer }: Queued) => transfer.authorization.from === payer
      return front.some(isHis) || [...byParty.values()].some((items) => items.some(isHis))
    },
    take(most) {
      const taken: Queued[] = []
      for (let item = next(); item && taken.length < most; item = next()) {
        if (item.alone && taken.length > 0) break
        remove(item)
        taken.push(item)
        if (item.alone) break
      }
      return taken
    },
  }
}
