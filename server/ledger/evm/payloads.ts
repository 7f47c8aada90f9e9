import type { Receipt } from '../../chains/evm/receipts'
import type { Landing } from '../statements/landings'
import type { SvmPayload } from '../svm/submitter'

/** The stored part of an unsigned Solana payment: its source account. The bytes are stored when they are signed. */
export function writeSvmPayload({ source }: SvmPayload): object {
  return { source }
}

/** The stored part of a receipt. */
export function landingOf({ hash, block, blockHash, succeeded, gasUsed, gasPrice, l1Fee }: Receipt): Landing {
  return { hash, block, blockHash, succeeded, gasUsed, gasPrice, l1Fee }
}
