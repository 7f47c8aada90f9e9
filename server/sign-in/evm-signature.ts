import { bulkhead, isBulkheadRejectedError } from 'cockatiel'
import { type Hex, hashMessage, recoverAddress } from 'viem'
import { ServiceError, unauthorized } from '../base/errors'
import { inTime } from '../base/timing'
import { isErc6492, joinEcdsa, readEcdsa } from '../x402/signatures'

/** Whether the wallet's contract approves a signature of a hash (EIP-1271). Rejects when no node answers. */
type CheckCode = (question: { wallet: Hex; hash: Hex; signature: Hex }) => Promise<boolean>

/**
 * The one chain whose contracts speak for their addresses. An address can have another owner on another chain: one that was removed here
 * may still be the owner where the wallet was never deployed, or take its place there.
 */
export type WalletChain = { chainId: number; checkCode: CheckCode }

/** The wallet (lower case), the signed text, the signature, and the chain. */
type EvmClaim = { wallet: Hex; chainId: number; text: string; signature: string }

const BYTES_MAX = 2_048
// `0x` too: some contracts approved the hash earlier, and need no signature.
const FORM = /^0x(?:[0-9a-fA-F]{2})*$/
const TIMEOUT_MS = 3_000
// Untrusted callers decide how many wallets are checked: beyond this they wait, and beyond the queue they are refused.
const CHECKS_AT_ONCE = 16
const WAITING = 64

/**
 * Proves EVM wallets: first by the key's signature, then by the contract at the address. The proof throws `unauthorized`, and
 * `unavailable` while no node answers.
 */
export function createEvmProof(chain: WalletChain | null, timeoutMs = TIMEOUT_MS): (claim: EvmClaim) => Promise<void> {
  const line = bulkhead(CHECKS_AT_ONCE, WAITING)
  return async ({ wallet, chainId, text, signature: written }) => {
    const signature = hexOf(written)
    const hash = hashMessage(text)
    if (await isSignedByKey(wallet, hash, signature)) return
    if (chain?.chainId !== chainId) throw unauthorized(ofAnotherChain(chainId, chain))
    const approved = await line
      .execute(() => inTime(chain.checkCode({ wallet, hash, signature }), timeoutMs))
      .catch((cause: unknown) => {
        throw isBulkheadRejectedError(cause) ? busy(cause) : unanswered(cause)
      })
    if (!approved) throw unauthorized(notByKey(`the contract at its address on chain ${chainId} does not approve it either`))
  }
}

function ofAnotherChain(chainId: number, chain: WalletChain | null): string {
  if (!chain) return notByKey('this service checks smart wallets on no chain')
  const fix = `sign a message with "Chain ID: ${chain.chainId}" by a wallet on that chain`
  return `${NOT_BY_KEY}, and this service accepts smart wallets of chain ${chain.chainId}, not ${chainId}; ${fix}`
}

const NOT_BY_KEY = "X-SIWE-Signature is not by the key of the message's address"
const notByKey = (besides: string) => `${NOT_BY_KEY}, and ${besides}; sign exactly this message with that wallet`

function hexOf(written: string): Hex {
  if (!FORM.test(written)) throw unauthorized('X-SIWE-Signature must be the signature as 0x and hex digits')
  const signature: Hex = `0x${written.slice(2).toLowerCase()}`
  if (signature.length > 2 + 2 * BYTES_MAX) throw unauthorized(`X-SIWE-Signature must have at most ${BYTES_MAX} bytes`)
  if (isErc6492(signature)) {
    const fix = 'deploy the wallet on the chain of the message, then sign in with its plain EIP-1271 signature'
    throw unauthorized(`X-SIWE-Signature is wrapped for a wallet that is not deployed yet (ERC-6492); ${fix}`)
  }
  return signature
}

async function isSignedByKey(wallet: Hex, hash: Hex, signature: Hex): Promise<boolean> {
  const ecdsa = readEcdsa(signature)
  if (!ecdsa) return false
  // Rejects an r or s that no key could have made.
  const signer = await recoverAddress({ hash, signature: joinEcdsa(ecdsa) }).catch(() => null)
  return signer?.toLowerCase() === wallet
}

function unanswered(cause: unknown): ServiceError {
  const message = 'the node that checks the signature of this wallet does not answer; try again shortly'
  return new ServiceError('unavailable', message, { retryAfterSeconds: 2, cause })
}

function busy(cause: unknown): ServiceError {
  const message = 'too many signatures of smart wallets are being checked; wait a second and try again'
  return new ServiceError('unavailable', message, { retryAfterSeconds: 1, cause })
}
