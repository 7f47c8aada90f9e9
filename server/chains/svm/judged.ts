import type { Failure } from '../../x402/reasons/reasons'
import type { SvmTransfer } from '../../x402/schemes/exact/svm/instructions'
import type { SvmTransaction } from '../../x402/schemes/exact/svm/transaction'

/**
 * A judged payment. `transfer`: what pays. `height`: the newest block height while its blockhash was valid, at most a second old, so add some blocks. `left`:
 * the remaining blocks of its blockhash, all of its life if unknown. `slot`: the newest slot. `headroom`: the balance of its source
 * account afterwards.
 */
export type SvmJudgement =
  | {
      valid: true
      transfer: SvmTransfer
      height: bigint
      left: bigint
      slot: bigint
      headroom: bigint
      /** What is to be sent, where it is not the payer's transaction. */
      built?: SvmTransaction
    }
  | ({ valid: false; proven: true } & Failure)
