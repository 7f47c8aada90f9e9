import { LRUCache } from 'lru-cache'
import { getAddress } from 'viem'
import type { ConfiguredNetwork } from '../app'
import type { Log } from '../log'
import { isNetworkId, type NetworkId } from '../x402/networks'

/** What a network's nodes say to a simple question: they answer; they are on another chain; nothing. */
export type NodeHealth = 'answers' | 'wrong chain' | 'silent'

/** What the nodes say of our signers and of themselves, for those who look after them: never asked on the way of a payment. */
export type SignerBalances = {
  /** What an address has to pay gas with, in the network's smallest unit; null while no node says. */
  balance(network: string, address: string): Promise<bigint | null>
  nodes(network: NetworkId): Promise<NodeHealth>
}

const REMEMBERED_MS = 10_000
const REMEMBERED_MAX = 1_000

type Balance = { held: bigint | null }

/** The signerBalances on these networks. Each answer, also that there was none, is good for ten seconds, whoever asks. */
export function createSignerBalances(networks: ReadonlyMap<NetworkId, ConfiguredNetwork>, log: Log): SignerBalances {
  const balances = new LRUCache<string, Balance, { network: string; address: string }>({
    max: REMEMBERED_MAX,
    ttl: REMEMBERED_MS,
    // What is pushed out while it is asked for is still answered.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: { network, address } }) => {
      const configured = isNetworkId(network) ? networks.get(network) : undefined
      return { held: configured ? await orFallback(network, balanceOf(configured, address), null) : null }
    },
  })
  const health = new LRUCache<NetworkId, NodeHealth>({
    max: REMEMBERED_MAX,
    ttl: REMEMBERED_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (network) => {
      const configured = networks.get(network)
      if (!configured) return 'silent'
      return orFallback<NodeHealth>(network, healthOf(configured), 'silent')
    },
  })

  /** The answer, or `otherwise` where there is none: that is what is shown then, and not an error. */
  async function orFallback<T>(network: string, request: Promise<T>, fallback: T): Promise<T> {
    try {
      return await request
    } catch (err) {
      log.warn({ err, network }, 'no node says what our signers hold')
      return fallback
    }
  }

  return {
    async balance(network, address) {
      return (await balances.fetch(`${network} ${address}`, { context: { network, address } }))?.held ?? null
    },
    async nodes(network) {
      return (await health.fetch(network)) ?? 'silent'
    },
  }
}

async function healthOf({ chain }: ConfiguredNetwork): Promise<NodeHealth> {
  return (await chain.isExpected()) ? 'answers' : 'wrong chain'
}

function balanceOf(network: ConfiguredNetwork, address: string): Promise<bigint> {
  return network.family === 'evm' ? network.chain.balance(getAddress(address)) : network.chain.balance(address)
}
