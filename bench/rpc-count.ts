/** HTTP requests to the node, how many of them only wait for a block (its header and receipts), and the JSON-RPC calls in all of them. */
export type RpcCount = { requests: number; waiting: number; calls: number }

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
  let calls = 0
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.startsWith(nodeUrl)) {
      const methods = methodsIn(init?.body)
      requests++
      calls += methods.length
      if (methods.every((method) => WAITING.has(method))) waiting++
    }
    return plain(input, init)
  }
  return () => ({ requests, waiting, calls })
}

function methodsIn(body: unknown): string[] {
  if (typeof body !== 'string') return []
  const calls: { method: string }[] = [JSON.parse(body)].flat()
  return calls.map(({ method }) => method)
}
