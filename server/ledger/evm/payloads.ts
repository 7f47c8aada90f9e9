import type { Receipt } from '../../chains/evm/receipts'
import type { Landing } from '../statements/landings'

/** The stored part of a receipt. */
export function landingOf({ hash, block, blockHash, succeeded, gasUsed, gasPrice, l1Fee }: Receipt): Landing {
  return { hash, block, blockHash, succeeded, gasUsed, gasPrice, l1Fee }
}
