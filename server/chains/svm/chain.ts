import type { SvmNetworkId } from '../../x402/networks'
import type { SvmPayment } from '../../x402/payment'
import type { Failure } from '../../x402/reasons'

/**
 * A judged payment. `height` is the newest block height when its blockhash was valid, `slot` the newest slot then, `spare` what its source
 * account holds after it.
 */
export type SvmJudgement =
  | { valid: true; height: bigint; slot: bigint; spare: bigint }
  | ({ valid: false; proven: true } & Failure)

/** Where a node sees a transaction: in a slot, perhaps failed, at a commitment. */
export type SvmStatus = { slot: bigint; failed: boolean; commitment: 'processed' | 'confirmed' | 'finalized' }

/** What a node said to a send. After `refused` and `silent` it may hold the bytes all the same. */
export type SvmSendAnswer = { answer: 'accepted' | 'refused' | 'silent'; detail: string }

/** One Solana cluster as the engine and the judges see it. Methods that read throw when the node does not answer. */
export type SvmChain = {
  network: SvmNetworkId
  title: string
  /** Whether the node is of the cluster we think it is of. */
  isExpected(): Promise<boolean>
  /** The judgement of a payment whose static rules hold, against the newest confirmed block. Throws `upstream` when no node answers. */
  judge(payment: SvmPayment): Promise<SvmJudgement>
  /** Lamports of an address. */
  balance(address: string): Promise<bigint>
  /** What a token account holds now, in atomic units; 0 when there is none. */
  tokens(account: string): Promise<bigint>
  /** Where transactions stand, in the order of the signatures, in as few requests as it takes; `deep`: looked for in the whole history. */
  statuses(signatures: readonly string[], deep: boolean): Promise<(SvmStatus | null)[]>
  /** The height of the newest block of a commitment. */
  height(commitment: 'confirmed' | 'finalized'): Promise<bigint>
  /** The first slot of which the node still knows all transactions. */
  firstSlot(): Promise<bigint>
  /** Whether a transaction with this blockhash could still land, as the node's newest block says. */
  isBlockhashValid(blockhash: string): Promise<boolean>
  /** Sends signed bytes (base64), once, without a preflight. */
  send(raw: string): Promise<SvmSendAnswer>
}

/** stub */
export function createSvmChain(network: SvmNetworkId, rpc: unknown): SvmChain {
  throw new Error(`not there yet ${network} ${typeof rpc}`)
}
