import { readEvmMessage } from './evm-message'
import { type CodeOf, createEvmProof } from './evm-signature'
import { unauthorized } from './refusal'
import { flawOf } from './sign-in-flaw'
import { requireSound, type SignInPlace } from './sign-in-message'
import { readSolanaMessage } from './solana-message'
import { requireSolanaSignature } from './solana-signature'

/** A message and its signature as the headers carry them, the message decoded. Both are a credential and are written nowhere. */
export type SignedMessage = { text: string; signature: string }

/**
 * The wallet that signed in with a message: EVM addresses in lower case, Solana's as they are. Throws `unauthorized` with the rule that
 * is broken, and `unavailable` while a smart wallet cannot be asked.
 */
export type ProveWallet = (signed: SignedMessage) => Promise<string>

export type WalletsOptions = { place: SignInPlace; codeOf: CodeOf; now: () => Date }

/** The judge of signed messages for one service. */
export function createWallets({ place, codeOf, now }: WalletsOptions): ProveWallet {
  const proveEvm = createEvmProof(codeOf)
  return async ({ text, signature }) => {
    const message = readEvmMessage(text) ?? readSolanaMessage(text)
    if (!message) throw unauthorized(`X-SIWE-Message cannot be read: ${flawOf(text)}`)
    requireSound(message, place, now())
    if (message.family === 'svm') {
      requireSolanaSignature({ wallet: message.address, text, signature })
      return message.address
    }
    const wallet = message.address.toLowerCase()
    await proveEvm({ wallet: `0x${wallet.slice(2)}`, chainId: message.chainId, text, signature })
    return wallet
  }
}
