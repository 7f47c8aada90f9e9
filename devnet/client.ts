import { createTestClient, custom, http, publicActions, walletActions } from 'viem'
import { localNetwork } from './networks'

export type ChainClient = ReturnType<typeof connect>

/** A client that reads, writes and controls a local chain. */
export function connect(chainId: number, url: string) {
  return createTestClient({
    mode: 'anvil',
    chain: localNetwork(chainId).chain,
    transport: retryingTransport(url),
    pollingInterval: 50,
    // Each read of the newest block reaches the chain.
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}

// A chain without old states answers a read of the newest block with an error while it makes a block.
function retryingTransport(url: string) {
  // A busy machine answers late, and a local chain has no second node.
  const { request } = http(url, { retryCount: 0, timeout: 30_000 })({})
  const withRetry = (call: Parameters<typeof request>[0]): Promise<unknown> =>
    request(call).catch((error: unknown) => {
      if (String(error).includes('BlockOutOfRange')) return request(call)
      throw error
    })
  return custom({ request: withRetry }, { retryCount: 0 })
}
