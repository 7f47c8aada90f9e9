import http from 'node:http'

/** HTTP requests to the node, how many of them only wait for a block (its header and receipts), and the JSON-RPC calls in all of them. */
export type RpcCount = { requests: number; waiting: number; calls: number }

const WAITING: ReadonlySet<string> = new Set([
  'eth_getBlockByNumber',
  'eth_blockNumber',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
])

/** Counts this process's requests to a node from now on, through `fetch` and through `node:http`. */
export function countRpc(nodeUrl: string): () => RpcCount {
  const { origin } = new URL(nodeUrl)
  const plain = { fetch: globalThis.fetch, request: http.request }
  let requests = 0
  let waiting = 0
  let calls = 0
  const count = (body: unknown) => {
    const methods = methodsIn(body)
    requests++
    calls += methods.length
    if (methods.every((method) => WAITING.has(method))) waiting++
  }
  globalThis.fetch = (input, init) => {
    if (new URL(input instanceof Request ? input.url : String(input)).origin === origin) count(init?.body)
    return plain.fetch(input, init)
  }
  const counting = (...args: Parameters<typeof http.request>) => {
    const request = plain.request(...args)
    if (args[0] instanceof URL && args[0].origin === origin) {
      const end = request.end.bind(request)
      Object.assign(request, {
        end(body: string) {
          count(body)
          return end(body)
        },
      })
    }
    return request
  }
  Object.assign(http, { request: counting })
  return () => ({ requests, waiting, calls })
}

function methodsIn(body: unknown): string[] {
  if (typeof body !== 'string') return []
  const calls: { method: string }[] = [JSON.parse(body)].flat()
  return calls.map(({ method }) => method)
}
