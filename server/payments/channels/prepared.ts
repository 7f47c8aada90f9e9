import type { Hex } from 'viem'
import type { Failure } from '../../x402/reasons/reasons'
import type { SignedAct } from '../../x402/schemes/batch-settlement/transfers'

/** A row that is not claimed, or not to its total, and the error of the contract. `claimed`: what is claimed of it nevertheless. */
export type LeftOut = { channelId: Hex; error: string; claimed?: bigint }

/** A row of an act as the ledger keeps it. */
export type ClaimedRow = { channelId: Hex; total: bigint; signed: bigint }

/** An act that the chain would take now, signed, and what makes two of them the same. */
export type Act = {
  kind: 'claim' | 'refund' | 'sweep'
  transfer: SignedAct
  intentKey: Hex
  /** What it moves or claims as far as the newest block says, atomic units. */
  amount: bigint
  rows: readonly ClaimedRow[]
  leftOut: readonly LeftOut[]
}

/** What came of judging an act: it can be sent, it fails, perhaps by its rows, or a transaction of ours did all of it before. */
export type Prepared =
  | { act: Act }
  | { failed: Failure; leftOut?: readonly LeftOut[] }
  | { done: string; leftOut: readonly LeftOut[] }
