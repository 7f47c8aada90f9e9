import type { Hex } from 'viem'
import type { EvmChain } from '../chains/evm/chain'

/** How many transactions of a signer its chain knows: in blocks, and with those that wait for one. */
export type ChainCount = { mined: bigint; pending: bigint }

/** Asks the chain, both in one round trip. Throws when the node does not answer. */
export async function countOn(chain: Pick<EvmChain, 'transactionCount' | 'pendingCount'>, address: Hex): Promise<ChainCount> {
  const [mined, pending] = await Promise.all([chain.transactionCount(address), chain.pendingCount(address)])
  return { mined, pending }
}

/** All that it knows: the part of a node that holds what waits may lag behind the one that has the blocks. */
export function knownOf({ mined, pending }: ChainCount): bigint {
  return pending > mined ? pending : mined
}

/**
 * The nonce at which a quarantined lane may go on: its own while the chain knows nothing beyond the ledger, else the one after all that
 * is mined. Null while something that the ledger does not know waits for a block: it may land, or leave a gap.
 */
export function nonceAfter(ledger: bigint, count: ChainCount): bigint | null {
  if (knownOf(count) <= ledger) return ledger
  return count.pending > count.mined ? null : count.mined
}
