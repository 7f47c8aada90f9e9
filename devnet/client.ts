import { createTestClient, custom, http, publicActions, walletActions } from 'viem'
import { type ChainId, networks } from './networks'

export type ChainClient = ReturnType<typeof connect>

/** A client that reads, writes and steers a local chain. */
export function connect(chainId: ChainId, url: string) {
  return createTestClient({
    mode: 'anvil',
    chain: networks[chainId].chain,
    transport: steady(url),
    pollingInterval: 50,
    // Two questions about the newest block are two questions.
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}

// A chain that keeps no history answers a read of the newest block with an error when a block is made at that very moment.
function steady(url: string) {
  // A busy machine answers late, and nobody else answers for a local chain.
  const { request } = http(url, { retryCount: 0, timeout: 30_000 })({})
  const again = (call: Parameters<typeof request>[0]): Promise<unknown> =>
    request(call).catch((error: unknown) => {
      if (String(error).includes('BlockOutOfRange')) return request(call)
      throw error
    })
  return custom({ request: again }, { retryCount: 0 })
}
