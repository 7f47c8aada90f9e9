import type { Reason } from '../../../server/x402/reasons/reasons'

/** The reasons that only settle answers, because only it sends. At the same block, verify and settle agree on every other reason. */
export const settleOnly: Partial<Record<Reason, string>> = {
  invalid_exact_evm_transaction_failed: 'It was sent and reverted: the state changed between judgement and block.',
  invalid_exact_evm_transfer_event_mismatch: 'It was mined, but its logs do not show the transfer.',
  landed_without_proof: 'It was mined and used the authorization, and no log proves the transfer.',
  invalid_exact_svm_transaction_failed: 'It was sent and failed on the chain: the state changed between judgement and slot.',
  transaction_failed: 'The same in version 1.',
  authorization_used_elsewhere: 'Another transaction used the authorization before ours was mined.',
  settle_exact_svm_block_height_exceeded: 'It was sent and did not land while its blockhash was valid.',
  settlement_pending: 'It was sent and its outcome is unknown: send the identical request again.',
  settlement_reversed: 'It landed, and a reorganisation undid it.',
}
