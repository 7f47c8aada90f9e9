import type { EvmChain } from '../chains/evm/chain'
import type { Head } from '../chains/evm/head'
import type { Receipt } from '../chains/evm/receipt'
import type { Tracked } from './tracked'
import type { Passenger } from './verdict'

/** Whether our transaction may be what used an authorization, although no receipt of it shows that. Throws when the node does not answer. */
export async function mayHaveUsed(
  chain: EvmChain,
  { slot, from }: Tracked,
  { transfer }: Passenger,
  receipt: Receipt | null,
  head: Head,
): Promise<boolean> {
  if (!receipt) return (await chain.transactionCount(from, head)) > slot.nonce
  return (await chain.usesIn(transfer.authorization, receipt.blockHash)).includes(receipt.hash)
}
