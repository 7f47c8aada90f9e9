import type { SvmTransaction } from '../../x402/svm-transaction'

/** A key that pays fees. The key itself never leaves the closure. */
export type SvmSigner = { address: string; sign(message: Uint8Array): Uint8Array }

/** A transaction with its fee payer's signature: base58, and the whole wire form in base64. */
export type SignedSvmTransaction = { signature: string; raw: string }

/** stub */
export function createSvmSigner(secretKey: string): SvmSigner {
  throw new Error(`not there yet ${secretKey.length}`)
}

/** stub */
export function signedTransaction(transaction: SvmTransaction, signer: SvmSigner): SignedSvmTransaction {
  throw new Error(`not there yet ${signer.address} ${transaction.version}`)
}
