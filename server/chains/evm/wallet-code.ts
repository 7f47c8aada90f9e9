import type { Hex } from 'viem'
import type { Rpc } from '../rpc'
import { EIP1271_MAGIC } from './abi'
import { walletCall } from './calldata'
import { cappedCall, readCapped } from './capped-call'

/** What a wallet's code may burn for an answer; a payer's code decides no more than that. */
const WALLET_GAS = 250_000n
const WORD = 32

/** What the code at an address is asked about: a 32-byte hash and a signature of any form. */
export type WalletQuestion = { wallet: Hex; hash: Hex; signature: Hex }

/**
 * Whether the code at an address takes a signature for its own (EIP-1271), under a gas cap. A revert, a burnt cap, no code or a wrong
 * word is a no; throws only for a node that is silent. Whatever the code answers, one word of it is read.
 */
export async function codeApproves(rpc: Rpc, { wallet, hash, signature }: WalletQuestion): Promise<boolean> {
  const call = { to: wallet, data: walletCall(hash, signature), gas: WALLET_GAS, keep: WORD }
  const answer = readCapped(await rpc('eth_call', [cappedCall(call), 'latest'], 'alone'), call)
  return answer.success && answer.length === BigInt(WORD) && answer.head === EIP1271_MAGIC.padEnd(2 + 2 * WORD, '0')
}
