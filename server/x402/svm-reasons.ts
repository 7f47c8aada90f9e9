import type { Payment } from './payment'
import { type Failure, failure, type Reason } from './reasons'

// The official facilitator kept the short words of its first version, and has no words for lookup tables there.
const VERSION_1: Partial<Record<Reason, Reason>> = {
  invalid_exact_svm_unsupported_scheme: 'unsupported_scheme',
  invalid_exact_svm_network_mismatch: 'network_mismatch',
  invalid_exact_svm_fee_payer_not_managed_by_facilitator: 'fee_payer_not_managed_by_facilitator',
  invalid_exact_svm_smart_wallet_alt_resolution_not_available: 'invalid_exact_svm_payload_transaction_could_not_be_decoded',
  invalid_exact_svm_transaction_simulation_failed: 'transaction_simulation_failed',
  invalid_exact_svm_transaction_failed: 'transaction_failed',
}

/** The failure for a reason of Solana, in the words of the payment's x402 version; the text is the reason's own unless a better one is known. */
export function svmFailure({ x402Version }: Pick<Payment, 'x402Version'>, reason: Reason, message?: string): Failure {
  const word = x402Version === 1 ? VERSION_1[reason] : undefined
  return failure(word ?? reason, message ?? failure(reason).message)
}
