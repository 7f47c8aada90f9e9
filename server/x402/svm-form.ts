import { bytes32 } from './base58'
import { isSignedBy } from './ed25519'
import type { Payment, SvmPayment } from './payment'
import { OTHER_SCHEMES } from './schemes'
import type { Rule } from './svm-rule'
import type { SvmTransaction } from './svm-transaction'

/** The fee payer's and the payer's: each costs as much as the whole transfer. */
const MAX_SIGNATURES = 2

/** Rules before the transaction is looked at: scheme, network, fee payer. The order is the official facilitator's. */
export const formRules: Rule<Payment>[] = [
  {
    reason: 'unsupported_payload_type',
    broken: ({ transfer }) => transfer.kind === 'permit2' && 'There is no Permit2 on Solana; send payload.transaction.',
  },
  { reason: 'unsupported_scheme', broken: ({ scheme }) => OTHER_SCHEMES.has(scheme) },
  {
    reason: 'invalid_exact_svm_unsupported_scheme',
    broken: ({ scheme, claimed }) => scheme !== 'exact' || claimed.scheme !== 'exact',
  },
  { reason: 'invalid_exact_svm_network_mismatch', broken: ({ claimed, network }) => claimed.network !== network },
  { reason: 'invalid_exact_svm_payload_missing_fee_payer', broken: (payment) => feePayerOf(payment) === '' },
  {
    reason: 'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
    broken: (payment, { feePayers }) => !feePayers.has(feePayerOf(payment)),
  },
]

/** Rules about who signed, after it could be read. A lookup table could change what was signed after it was judged. */
export const signingRules: Rule<SvmPayment>[] = [
  {
    reason: 'invalid_exact_svm_payload_excessive_signers',
    broken: ({ transfer }) => transfer.transaction.signatures.length > MAX_SIGNATURES,
  },
  {
    reason: 'invalid_exact_svm_fee_payer_mismatch',
    broken: (payment) => payment.transfer.transaction.accounts[0] !== feePayerOf(payment),
  },
  { reason: 'invalid_exact_svm_payload_signature_invalid', broken: ({ transfer }) => !isSigned(transfer.transaction) },
  {
    reason: 'invalid_exact_svm_smart_wallet_alt_resolution_not_available',
    broken: ({ transfer }) =>
      transfer.transaction.lookups > 0 && 'Address lookup tables are not taken; name every account in the transaction itself.',
  },
]

function feePayerOf({ declared }: Payment): string {
  const feePayer = declared.extra?.feePayer
  return typeof feePayer === 'string' ? feePayer : ''
}

// Judged when a request comes and again before its transaction is sent: the curve is the dearest part of both.
const signed = new WeakMap<SvmTransaction, boolean>()

/** Whether everybody has signed who must, besides the fee payer. */
function isSigned(transaction: SvmTransaction): boolean {
  const known = signed.get(transaction)
  if (known !== undefined) return known
  const { signatures, accounts, message } = transaction
  const holds = signatures.every((signature, index) => {
    const key = bytes32(accounts[index] ?? '')
    return index === 0 || (key !== null && isSignedBy(key, signature, message))
  })
  signed.set(transaction, holds)
  return holds
}
