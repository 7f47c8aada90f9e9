import type { Reason } from '../../server/x402/reasons'

/** What only settle can say of a payment, because only it acts; everything else both say of the same payment at the same block. */
export const settleOnly: Partial<Record<Reason, string>> = {
  invalid_exact_evm_transaction_failed: 'It was sent and reverted: what it was judged by changed before its block.',
  invalid_exact_evm_transfer_event_mismatch: 'It was mined, and its logs do not show the transfer.',
  invalid_exact_svm_transaction_failed: 'It was sent and failed on the chain: what it was judged by changed before its slot.',
  transaction_failed: 'The same in version 1.',
  authorization_used_elsewhere: 'Somebody else used the authorization while our transaction was on its way.',
  settle_exact_svm_block_height_exceeded: 'It was sent and did not land while its blockhash was good.',
  settlement_pending: 'It was sent and its outcome is not known yet: repeat the identical request.',
  settlement_reversed: 'It landed, and a reorganisation of the chain undid it.',
}
