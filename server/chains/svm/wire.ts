import { base58, base64 } from '@scure/base'
import type { SvmTransaction } from '../../x402/svm-transaction'

const SIGNATURE_BYTES = 64

/** The transaction in base64 with other bytes in the slot of its fee payer; the other signatures as they came. */
export function withFeePayerSignature(transaction: SvmTransaction, signature: Uint8Array): string {
  return wireOf([signature, ...transaction.signatures.slice(1)], transaction)
}

/** The same with nothing in that slot: for simulations, which must never hold a signature of ours. */
export function withoutFeePayerSignature(transaction: SvmTransaction): string {
  return withFeePayerSignature(transaction, new Uint8Array(SIGNATURE_BYTES))
}

/** The first signature of a transaction in base64, in base58: the name of the transaction on the chain. */
export function signatureIn(raw: string): string {
  return base58.encode(base64.decode(raw).subarray(1, 1 + SIGNATURE_BYTES))
}

// A transaction as it travels: the number of its signatures, the signatures, the message.
function wireOf(signatures: readonly Uint8Array[], { message }: SvmTransaction): string {
  // The number is one byte only below 128, and no packet holds more than these.
  if (signatures.length > 19) throw new Error('a transaction cannot hold that many signatures')
  return base64.encode(Buffer.concat([Uint8Array.of(signatures.length), ...signatures, message]))
}
