import type { EvmChain } from '../chains/evm/chain'

/** Leave rotation while the balance still pays for this many transfers, so that what is signed can be paid. */
const RESERVE_TRANSFERS = 5n

/** Whether an address can pay for a few transfers more at today's fees. Throws when the node does not answer. */
export async function hasReserve(chain: EvmChain, address: `0x${string}`): Promise<boolean> {
  const [balance, head] = await Promise.all([chain.balance(address), chain.head()])
  return balance >= RESERVE_TRANSFERS * chain.costOf(head.baseFee)
}
