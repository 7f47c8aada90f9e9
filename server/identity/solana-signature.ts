import { base58 } from '@scure/base'
import { bytes32 } from '../x402/base58'
import { isSignedBy } from '../x402/ed25519'
import { unauthorized } from './refusal'

/** Who shall have signed what: an address in base58. */
export type SolanaClaim = { wallet: string; text: string; signature: string }

const HEX = /^0x[0-9a-fA-F]{128}$/
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** Throws `unauthorized` unless the wallet's key made this signature (Ed25519) of the text. */
export function requireSolanaSignature({ wallet, text, signature: written }: SolanaClaim): void {
  const signature = bytesOf(written)
  if (!signature) throw unauthorized('X-SIWE-Signature of a Solana wallet must be 64 bytes, as 0x and hex digits or in base58')
  const key = bytes32(wallet)
  if (key && isSignedBy(key, signature, new TextEncoder().encode(text))) return
  throw unauthorized("X-SIWE-Signature is not of the key of the message's address; sign exactly this message with that wallet")
}

function bytesOf(written: string): Uint8Array | null {
  if (HEX.test(written)) return Buffer.from(written.slice(2), 'hex')
  if (!BASE58.test(written)) return null
  const bytes = base58.decode(written)
  return bytes.length === 64 ? bytes : null
}
