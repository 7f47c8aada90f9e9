import type { Hex } from 'viem'
import type { ClaimedRow } from '../../ledger/statements/claim-columns'
import type { Failure } from '../../x402/reasons/reasons'
import type { ClaimRow } from '../../x402/schemes/batch-settlement/channel'
import type { SignedAct } from '../../x402/schemes/batch-settlement/transfers'

/** A row that is not claimed, or not to its total, and the error of the contract. `claimed`: what is claimed of it nevertheless. */
export type LeftOut = { channelId: Hex; error: string; claimed?: bigint }

/** The error of a row that was not looked at: it may hold in a later request, or in one with fewer rows. */
export const NOT_TRIED = 'NotTried'

/** An act that the chain would take now, signed, and what makes two of them the same. */
export type Act = {
  kind: 'claim' | 'refund' | 'sweep'
  transfer: SignedAct
  intentKey: Hex
  /** What it moves or claims as far as the newest block says, atomic units. */
  amount: bigint
  /** What it claims of channels. */
  rows: readonly ClaimedRow[]
  leftOut: readonly LeftOut[]
}

/** What came of judging an act: it can be sent, it fails, perhaps by its rows, or a transaction of ours did all of it before. */
export type Prepared =
  | { act: Act }
  | { failed: Failure; leftOut?: readonly LeftOut[] }
  | { done: string; leftOut: readonly LeftOut[] }

/** The rows as the ledger keeps them: those that claim more of their channel than `before`, of each channel the highest. */
export function gaining(rows: readonly (ClaimRow & { id: Hex })[], before: (id: Hex) => bigint): ClaimedRow[] {
  const highest = new Map<Hex, ClaimedRow>()
  for (const { id, totalClaimed, voucher } of rows) {
    if (totalClaimed <= (highest.get(id)?.total ?? before(id))) continue
    highest.set(id, { channelId: id, total: totalClaimed, signed: voucher.maxClaimable })
  }
  return [...highest.values()]
}
