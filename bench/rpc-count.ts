/** HTTP requests to the node, and how many of them only wait for a block: its header and receipts. */
export type RpcCount = { requests: number; waiting: number }

const WAITING: ReadonlySet<string> = new Set([
  'eth_getBlockByNumber',
  'eth_blockNumber',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
])

/** Counts this process's requests to a node from now on. */
export function countRpc(nodeUrl: string): () => RpcCount {
  const plain = globalThis.fetch
  let requests = 0
  let waiting = 0
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.startsWith(nodeUrl)) {
      requests++
      if (onlyWaits(init?.body)) waiting++
    }
    return plain(input, init)
  }
  return () => ({ requests, waiting })
}

function onlyWaits(body: unknown): boolean {
  if (typeof body !== 'string') return false
  const calls: { method: string }[] = [JSON.parse(body)].flat()
  return calls.every(({ method }) => WAITING.has(method))
}
