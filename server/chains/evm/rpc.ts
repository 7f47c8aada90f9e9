import type { Log } from '../../log'
import { type EvmNetworkId, networks } from '../../x402/networks'
import { rejectionOf } from '../answers'
import { type AroundCall, type Nodes, openNodes, type Rpc } from '../rpc'
import { asHex, isExecutionFailure } from './answers'

/**
 * A JSON-RPC client over one or more endpoints of an EVM network. Calls made in the same turn of the event loop leave as one HTTP
 * request; a read that met a node in the moment between two blocks is repeated once.
 */
export function createRpc(urls: string[], network: EvmNetworkId, log: Log, around?: AroundCall): Rpc {
  return createNodes(urls, network, log, around).rpc
}

/** The same, with a way to ask each endpoint by itself. */
export function createNodes(urls: string[], network: EvmNetworkId, log: Log, around?: AroundCall): Nodes {
  const chainId = BigInt(networks[network].chainId)
  const proof = {
    method: 'eth_chainId',
    holds: (answer: unknown) => BigInt(asHex(answer, 'eth_chainId')) === chainId,
  }
  const isPassing = (method: string, error: unknown) => READS.has(method) && betweenBlocks(error)
  return openNodes(urls, network, { proof, batched: true, isFinal: isExecutionFailure, isPassing, sends: SENDS }, log, around)
}

const SENDS: ReadonlySet<string> = new Set(['eth_sendRawTransaction'])
const READS: ReadonlySet<string> = new Set(['eth_call', 'eth_getCode', 'eth_getBalance', 'eth_getTransactionCount'])

// "Latest" named a block that the replica behind a balancer does not have yet, or a pruning node has no more.
function betweenBlocks(error: unknown): boolean {
  return /header not found|unknown block|block ?not ?found|out ?of ?range/i.test(rejectionOf(error)?.message ?? '')
}
