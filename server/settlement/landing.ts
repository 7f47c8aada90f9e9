import type { Receipt } from '../chains/evm/receipt'
import type { Landing } from '../store/landings'

/** What the ledger keeps of a receipt. */
export function landingOf({ hash, block, blockHash, succeeded, gasUsed, gasPrice, l1Fee }: Receipt): Landing {
  return { hash, block, blockHash, succeeded, gasUsed, gasPrice, l1Fee }
}
