import http from 'node:http'

/** HTTP requests to the node, how many only wait for a block (its header and receipts), and the JSON-RPC calls in all of them. */
export type RpcCount = { requests: number; waiting: number; calls: number }

/** Counts the bodies of requests to a node. */
type RpcCounter = { count: (body: string) => void; counts: () => RpcCount }

const WAITING: ReadonlySet<string> = new Set([
  'eth_getBlockByNumber',
  'eth_blockNumber',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
])

/** A counter that starts at zero. */
export function newRpcCounter(): RpcCounter {
  const counts: RpcCount = { requests: 0, waiting: 0, calls: 0 }
  return {
    count(body) {
      const methods = methodsIn(body)
      counts.requests++
      counts.calls += methods.length
      if (methods.every((method) => WAITING.has(method))) counts.waiting++
    },
    counts: () => ({ ...counts }),
  }
}

/** Counts this process's requests to a node from now on, through `fetch` and through `node:http`. */
export function countRpc(nodeUrl: string): () => RpcCount {
  const { origin, host } = new URL(nodeUrl)
  const plain = { fetch: globalThis.fetch }
  const counter = newRpcCounter()
  globalThis.fetch = (input, init) => {
    if (new URL(input instanceof Request ? input.url : String(input)).origin === origin) counter.count(textOf(init?.body))
    return plain.fetch(input, init)
  }
  // On the prototype: a request with an `end` of its own has another shape than others, for which V8 would compile anew.
  const { end } = http.ClientRequest.prototype
  Object.assign(http.ClientRequest.prototype, {
    end(this: http.ClientRequest, ...given: unknown[]) {
      if (this.getHeader('host') === host) counter.count(textOf(given[0]))
      return Reflect.apply(end, this, given)
    },
  })
  return counter.counts
}

const textOf = (body: unknown) => (typeof body === 'string' ? body : '[]')

function methodsIn(body: string): string[] {
  const calls: { method: string }[] = [JSON.parse(body)].flat()
  return calls.map(({ method }) => method)
}
