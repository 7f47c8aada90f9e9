import { base58 } from '@scure/base'
import { unauthorized } from '../base/errors'
import { bytes32 } from '../x402/encodings'
import { isSignedBy } from '../x402/signatures'
import { ENVELOPED, signedInEnvelope } from './envelope'
import { createEvmProof, type WalletChain } from './evm-signature'
import { faultOf, readEvmMessage, readSolanaMessage, requireAcceptable, requireOfBrowser, type SignInOrigin } from './messages'

/**
 * A message and its signature from the headers, the message decoded. Both are a credential and are never logged. With `browserNonce`, the
 * message must be for the browser with that nonce.
 */
export type SignedMessage = { text: string; signature: string; browserNonce?: string }

/**
 * The wallet that signed a message: EVM addresses in lower case, Solana's unchanged. Throws `unauthorized` with the broken rule, and
 * `unavailable` while a smart wallet cannot be checked.
 */
export type ProveWallet = (signed: SignedMessage) => Promise<string>

type WalletsOptions = { origin: SignInOrigin; chain: WalletChain | null; now: () => Date }

/** Creates the check of signed messages for one service. */
export function createWallets({ origin, chain, now }: WalletsOptions): ProveWallet {
  const proveEvm = createEvmProof(chain)
  return async ({ text, signature, browserNonce }) => {
    const message = readSolanaMessage(text) ?? (await readEvmMessage(text))
    if (!message) throw unauthorized(`X-SIWE-Message cannot be read: ${faultOf(text)}`)
    requireAcceptable(message, origin, now())
    if (browserNonce !== undefined) requireOfBrowser(message, browserNonce)
    if (message.family === 'svm') {
      requireSolanaSignature({ wallet: message.address, text, signature, host: message.domain })
      return message.address
    }
    const wallet = message.address.toLowerCase()
    await proveEvm({ wallet: `0x${wallet.slice(2)}`, chainId: message.chainId, text, signature })
    return wallet
  }
}

/** The address in base58, the signed text, the signature, and the host that the text names. */
type SolanaClaim = { wallet: string; text: string; signature: string; host: string }

const HEX = /^0x[0-9a-fA-F]{128}$/
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** Throws `unauthorized` unless the wallet's key made this signature (Ed25519) of the text. */
function requireSolanaSignature({ wallet, text, signature: written, host }: SolanaClaim): void {
  const signature = bytesOf(written)
  if (!signature) throw unauthorized('X-SIWE-Signature of a Solana wallet must have 64 bytes, as 0x and hex digits or in base58')
  const [key, bytes] = [bytes32(wallet), new TextEncoder().encode(text)]
  if (key && isSignedBy(key, signature, bytes)) return
  if (key && signedInEnvelope(key, signature, bytes, host)) throw unauthorized(`X-SIWE-Signature ${ENVELOPED}`)
  throw unauthorized("X-SIWE-Signature is not by the key of the message's address; sign exactly this message with that wallet")
}

function bytesOf(written: string): Uint8Array | null {
  if (HEX.test(written)) return Buffer.from(written.slice(2), 'hex')
  if (!BASE58.test(written)) return null
  const bytes = base58.decode(written)
  return bytes.length === 64 ? bytes : null
}
