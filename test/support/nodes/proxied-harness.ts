import { afterEach } from 'vitest'
import { fixture, readThrough } from '../fixture'
import { type Harness, type HarnessOptions, startHarness } from '../service/harness'
import { type RpcProxy, startRpcProxy } from './faulty-node'

/** A service and its proxied nodes, in the order in which it uses them. */
export type ProxiedHarness = {
  harness: Harness
  /** The first of the nodes. */
  node: RpcProxy
  nodes: RpcProxy[]
  close: () => Promise<void>
}

/** Starts the service behind working nodes. */
export async function startProxiedHarness({
  nodes: count = 1,
  ...options
}: Omit<HarnessOptions, 'rpcUrl'> & { nodes?: number } = {}): Promise<ProxiedHarness> {
  const nodes: RpcProxy[] = []
  const harness = await startHarness({
    ...options,
    async rpcUrl(chain) {
      for (let at = 0; at < count; at++) nodes.push(await startRpcProxy(chain.url))
      return nodes.map(({ url }) => url).join(',')
    },
  })
  const [node] = nodes
  if (!node) throw new Error('a service needs a node')
  return {
    harness,
    node,
    nodes,
    async close() {
      await harness.close()
      await Promise.all(nodes.map((one) => one.close()))
    },
  }
}

/** The service behind a working node for the tests of a file. After each test the node works again. */
export function proxiedHarness(options: Omit<HarnessOptions, 'rpcUrl'> = {}): Pick<ProxiedHarness, 'harness' | 'node'> {
  const proxied = fixture(() => startProxiedHarness(options))
  afterEach(() => proxied.node.calm())
  return { harness: readThrough(() => proxied.harness), node: readThrough(() => proxied.node) }
}
