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

/** Long enough for a busy machine to sign a payment and send it. */
const PENDING_AFTER_MS = 3_000

/** A service behind a working node, and how its settles become pending. */
type ProxiedParts = Pick<ProxiedHarness, 'harness' | 'node'> & {
  /** The node has no receipts, and settles are soon pending, until `release`. */
  withholdReceipts: () => void
  /** The node works, and settles wait as usual. */
  release: () => void
}

/** The service behind a working node for the tests of a file. After each test the node works again. */
export function proxiedHarness(options: Omit<HarnessOptions, 'rpcUrl'> = {}): ProxiedParts {
  const proxied = fixture(() => startProxiedHarness(options))
  const release = () => {
    proxied.node.calm()
    proxied.harness.waitAtMost()
  }
  afterEach(release)
  return {
    harness: readThrough(() => proxied.harness),
    node: readThrough(() => proxied.node),
    withholdReceipts() {
      proxied.node.disturb(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined))
      proxied.harness.waitAtMost(PENDING_AFTER_MS)
    },
    release,
  }
}
