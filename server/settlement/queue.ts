import type { SignedTransfer } from '../chains/evm/transactions'
import type { Mark } from '../timing'

/** A claimed settlement that waits to be signed. */
export type Queued = {
  settlementId: string
  /** Whose it is: callers take turns, so that nobody's flood is everybody's wait. */
  caller: string
  tier: string
  asset: string
  transfer: SignedTransfer
  expiresAt: bigint
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

/** Claims in the order in which they are to be signed: one of each caller in turn. */
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
  const byCaller = new Map<string, Queued[]>()
  const ids = new Set<string>()

  const next = (): Queued | undefined => front[0] ?? byCaller.values().next().value?.[0]

  function remove({ settlementId }: Queued): void {
    ids.delete(settlementId)
    if (front.shift()) return
    const turn = byCaller.entries().next().value
    if (!turn) return
    const [caller, items] = turn
    items.shift()
    byCaller.delete(caller)
    // The caller's next turn comes after everybody else's.
    if (items.length > 0) byCaller.set(caller, items)
  }

  return {
    size: () => ids.size,
    has: (settlementId) => ids.has(settlementId),
    push(item) {
      ids.add(item.settlementId)
      const items = byCaller.get(item.caller)
      if (items) items.push(item)
      else byCaller.set(item.caller, [item])
    },
    putBack(items) {
      for (const { settlementId } of items) ids.add(settlementId)
      front.unshift(...items)
    },
    holds(payer) {
      const isHis = ({ transfer }: Queued) => transfer.authorization.from === payer
      return front.some(isHis) || [...byCaller.values()].some((items) => items.some(isHis))
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
