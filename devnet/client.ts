import { createTestClient, http, publicActions, walletActions } from 'viem'
import { type ChainId, networks } from './networks'

export type ChainClient = ReturnType<typeof connect>

/** A client that reads, writes and steers a local chain. */
export function connect(chainId: ChainId, url: string) {
  return createTestClient({
    mode: 'anvil',
    chain: networks[chainId].chain,
    transport: http(url, { retryCount: 0 }),
    pollingInterval: 50,
    // Two questions about the newest block are two questions.
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}
