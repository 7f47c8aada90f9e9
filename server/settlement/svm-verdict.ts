import type { SvmStatus } from '../chains/svm/chain'

/** What one look at the cluster says of a transaction: in the chain for good or with its error, on its way there, or not to be seen. */
export type SvmSighting = 'landed' | 'failed' | 'waiting' | 'missing'

/**
 * Judges one look. A success is told when two thirds of the stake have voted for its block (`confirmed`), a failure only once that can
 * never change: until then a fork may still make it a success.
 */
export function sightSvm(status: SvmStatus | null): SvmSighting {
  if (!status) return 'missing'
  if (status.failed) return status.commitment === 'finalized' ? 'failed' : 'waiting'
  return status.commitment === 'processed' ? 'waiting' : 'landed'
}

/** What is known of a transaction that is not to be seen. */
export type Absence = {
  /** The newest height that will never change, and the last one at which it could land. */
  finalized: bigint
  lastHeight: bigint
  /** The first slot of which the node knows all transactions, and one at which this had not happened yet. */
  firstSlot: bigint
  sinceSlot: bigint
  /** The node would still take its blockhash. */
  blockhashValid: boolean
}

/** Whether it can be told to have missed its time: nothing that could land it is left, and the node would know if it had (P16). */
export function isGoneForGood({ finalized, lastHeight, firstSlot, sinceSlot, blockhashValid }: Absence): boolean {
  return finalized > lastHeight && firstSlot <= sinceSlot && !blockhashValid
}
