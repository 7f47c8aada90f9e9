import { LRUCache } from 'lru-cache'
import { getAddress } from 'viem'
import type { ConfiguredNetwork } from '../app'
import type { Log } from '../base/log'
import { isNetworkId, type NetworkId } from '../x402/networks/networks'

/** The health of a network's nodes: they answer, are on another chain, or are silent. */
export type NodeHealth = 'answers' | 'wrong chain' | 'silent'

/** The newest block that we know, or on Solana the newest slot: its number as digits, and its time or that of the response. */
export type NewestBlock = { number: string; at: Date }

type Nodes = { health: NodeHealth; block: NewestBlock | null }

/** Balances of our signers and health of the nodes, for operators: never read on the path of a payment. */
export type SignerBalances = {
  /** The gas balance of an address, in the network's smallest unit; null when no node answers. */
  balance(network: string, address: string): Promise<bigint | null>
  /** The health of a network's nodes, with the newest block if they are on the right chain. */
  nodes(network: NetworkId): Promise<Nodes>
}

const REMEMBERED_MS = 10_000
/** Our signers' balances change with our payments and by the operator: metrics are read more often than they need to be. */
const BALANCE_MS = 60_000
/** A fee payer's balance is read every minute. Metrics use that reading up to this age. */
const RECENT_MS = 90_000
const REMEMBERED_MAX = 1_000

type Balance = { held: bigint | null }

/** The signer balances on these networks. Balances are shared for a minute, failures and the health of nodes for ten seconds. */
export function createSignerBalances(networks: ReadonlyMap<NetworkId, ConfiguredNetwork>, log: Log): SignerBalances {
  const balances = new LRUCache<string, Balance, { network: string; address: string }>({
    max: REMEMBERED_MAX,
    ttl: REMEMBERED_MS,
    // A request that is evicted in flight still returns.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: { network, address }, options }) => {
      const configured = isNetworkId(network) ? networks.get(network) : undefined
      const held = configured ? await orFallback(network, balanceOf(configured, address), null) : null
      if (held !== null) options.ttl = BALANCE_MS
      return { held }
    },
  })
  const health = new LRUCache<NetworkId, Nodes>({
    max: REMEMBERED_MAX,
    ttl: REMEMBERED_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (network) => {
      const configured = networks.get(network)
      return configured ? orFallback(network, healthOf(configured), SILENT) : SILENT
    },
  })

  /** The result, or `fallback` on an error. */
  async function orFallback<T>(network: string, request: Promise<T>, fallback: T): Promise<T> {
    try {
      return await request
    } catch (err) {
      log.warn({ err, network }, 'no node returned the balances of our signers')
      return fallback
    }
  }

  return {
    async balance(network, address) {
      const recent = recentBalance(networks, network, address)
      if (recent !== null) return recent
      return (await balances.fetch(`${network} ${address}`, { context: { network, address } }))?.held ?? null
    },
    async nodes(network) {
      return (await health.fetch(network)) ?? SILENT
    },
  }
}

const SILENT: Nodes = { health: 'silent', block: null }

// In one turn: on EVM networks both calls leave as one HTTP request.
async function healthOf(network: ConfiguredNetwork): Promise<Nodes> {
  const [expected, block] = await Promise.all([network.chain.isExpected(), newestOf(network).catch(() => null)])
  return expected ? { health: 'answers', block } : { health: 'wrong chain', block: null }
}

async function newestOf(network: ConfiguredNetwork): Promise<NewestBlock | null> {
  if (network.family === 'svm') {
    const seen = network.chain.newestSlot()
    return seen && { number: String(seen.slot), at: seen.readAt }
  }
  const { number, timestamp } = await network.chain.head()
  return { number: String(number), at: new Date(Number(timestamp) * 1_000) }
}

/** The balance of a fee payer, if it was read a moment ago. */
function recentBalance(networks: ReadonlyMap<NetworkId, ConfiguredNetwork>, network: string, address: string): bigint | null {
  const configured = isNetworkId(network) ? networks.get(network) : undefined
  const last = configured?.family === 'svm' ? configured.chain.lastBalance(address) : null
  return last && Date.now() - last.readAt.getTime() < RECENT_MS ? last.lamports : null
}

function balanceOf(network: ConfiguredNetwork, address: string): Promise<bigint> {
  return network.family === 'evm' ? network.chain.balance(getAddress(address)) : network.chain.balance(address)
}
