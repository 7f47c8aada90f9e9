import type { Hex } from 'viem'
import type { Rpc } from '../rpc'
import { EIP1271_MAGIC } from './abi'
import { asHex, isExecutionFailure } from './answers'
import { walletCall } from './calldata'

/** What a wallet's code may burn for an answer; a payer's code decides no more than that. */
const WALLET_GAS = 250_000n

/** What the code at an address is asked about: a 32-byte hash and a signature of any form. */
export type WalletQuestion = { wallet: Hex; hash: Hex; signature: Hex }

/**
 * Whether the code at an address takes a signature for its own (EIP-1271), under a gas cap. A revert, a burnt cap, no code or a wrong
 * word is a no; throws only for a node that is silent.
 */
export async function codeApproves(rpc: Rpc, { wallet, hash, signature }: WalletQuestion): Promise<boolean> {
  const call = { to: wallet, data: walletCall(hash, signature), gas: `0x${WALLET_GAS.toString(16)}` }
  try {
    const answer = asHex(await rpc('eth_call', [call, 'latest']), 'eth_call')
    return answer.length === 66 && answer.startsWith(EIP1271_MAGIC) && BigInt(`0x${answer.slice(10)}`) === 0n
  } catch (error) {
    if (isExecutionFailure(error)) return false
    throw error
  }
}
