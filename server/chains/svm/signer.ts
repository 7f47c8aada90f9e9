import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { base58, base64 } from '@scure/base'
import type { SvmTransaction } from '../../x402/schemes/exact/svm/transaction'

/** A key that pays fees on Solana. The key never leaves the closure. */
export type SvmSigner = {
  /** In base58. */
  address: string
  /** The Ed25519 signature of these bytes; the same bytes give the same one. */
  sign(message: Uint8Array): Uint8Array
}

/**
 * A signer over a base58 key of 64 bytes, as wallets export it: secret and address. Throws on an invalid key, without the key in the
 * message.
 */
export function createSvmSigner(secretKey: string): SvmSigner {
  const bytes = bytesOf(secretKey)
  if (bytes?.length === 32)
    throw new Error('is an address, or a seed without its address; write the 64-byte secret key in base58')
  if (bytes?.length !== 64)
    throw new Error('is no secret key of 64 bytes in base58 (a JSON array of numbers has to be converted)')
  const signer = createSeedSigner(bytes.subarray(0, 32))
  if (signer.address !== base58.encode(bytes.subarray(32)))
    throw new Error('is mistyped or cut off: its two halves do not belong together')
  return signer
}

/** A signer over the 32 bytes of an Ed25519 secret. */
export function createSeedSigner(seed: Uint8Array): SvmSigner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const address = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    address: base58.encode(address),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  }
}

/** The base64 transaction with our signature as fee payer, and its base58 signature. Throws when another account pays. */
export function signedTransaction(transaction: SvmTransaction, signer: SvmSigner): { signature: string; raw: string } {
  if (transaction.accounts[0] !== signer.address) throw new Error(`the fee payer of the transaction is not ${signer.address}`)
  const signature = signer.sign(transaction.message)
  return { signature: base58.encode(signature), raw: withFeePayerSignature(transaction, signature) }
}

/** The prefix of a 32-byte Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

function bytesOf(secretKey: string): Uint8Array | null {
  try {
    return base58.decode(secretKey)
  } catch {
    // The library's error quotes the text.
    return null
  }
}

const SIGNATURE_BYTES = 64

/** The base64 transaction with other bytes as fee payer signature; the other signatures stay. */
function withFeePayerSignature(transaction: SvmTransaction, signature: Uint8Array): string {
  return wireOf([signature, ...transaction.signatures.slice(1)], transaction)
}

/** The base64 transaction with an empty fee payer signature: for simulations, which must never hold ours. */
export function withoutFeePayerSignature(transaction: SvmTransaction): string {
  return withFeePayerSignature(transaction, new Uint8Array(SIGNATURE_BYTES))
}

/** The first signature of a base64 transaction, in base58: its id on the chain. */
export function signatureIn(raw: string): string {
  return base58.encode(base64.decode(raw).subarray(1, 1 + SIGNATURE_BYTES))
}

// The wire form of a transaction: signature count, signatures, message.
function wireOf(signatures: readonly Uint8Array[], { message }: SvmTransaction): string {
  // The count is one byte only below 128, and no packet holds more.
  if (signatures.length > 19) throw new Error('a transaction cannot hold that many signatures')
  return base64.encode(Buffer.concat([Uint8Array.of(signatures.length), ...signatures, message]))
}
