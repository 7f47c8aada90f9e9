import type { Mark } from '../base/timing'
import type { SignedTransfer } from '../x402/schemes/evm-method'
import { writeTransfer } from '../x402/schemes/evm-methods'
import { goesAlone, type Queued } from './evm/queue'
import type { RemoteOrder } from './remote/remotes'
import type { Claim } from './statements/claim-statement'
import type { LaneClass, Submitter } from './statements/lanes'
import { writeSvmPayload } from './svm/payload'
import type { SvmPayload } from './svm/submitter'
import type { ConfirmationLevel } from './waiting'

/** A judged payment on its way into the ledger. */
export type Order = EvmOrder | SvmOrder

type CommonOrder = Omit<Claim, 'waiter' | 'deadlineMs' | 'transfer' | 'queuedBy' | 'signedNext' | 'laneClass'> & {
  confirmationLevel: ConfirmationLevel
}

export type EvmOrder = CommonOrder &
  Pick<RemoteOrder, 'network' | 'declared' | 'judgedBlock'> & {
    family: 'evm'
    laneClass: Submitter
    transfer: SignedTransfer
    baseFee: bigint
    /** Milliseconds of a clock that never jumps. */
    judgedAt: number
  }

export type SvmOrder = CommonOrder & { family: 'svm'; laneClass: LaneClass; payload: SvmPayload }

/** What the ledger claims for an order. */
export function claimOf(order: Order): Omit<Claim, 'waiter' | 'deadlineMs' | 'queuedBy' | 'signedNext'> {
  if (order.family === 'svm') return { ...order, transfer: writeSvmPayload(order.payload) }
  return { ...order, transfer: writeTransfer(order.transfer) }
}

/** The queue item of an order that was claimed. */
export function queuedFrom(order: EvmOrder, claim: Pick<Queued, 'until' | 'alone' | 'claimedAt'>, mark: Mark): Queued {
  const { id, party, tier, asset, transfer, expiresAt, baseFee, judgedAt } = order
  const alone = claim.alone || goesAlone(transfer)
  return { ...claim, settlementId: id, party, tier, asset, transfer, expiresAt, baseFee, judgedAt, alone, mark }
}
