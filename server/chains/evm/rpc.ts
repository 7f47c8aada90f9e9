import type { Hex } from 'viem'
import type { Log } from '../../base/log'
import { type EvmNetworkId, networkRow } from '../../x402/networks/networks'
import { asRecord, rejectionOf } from '../json-rpc'
import { type AroundCall, type Nodes, openNodes, type Rpc } from '../rpc'

/**
 * A JSON-RPC client over the endpoints of an EVM network. Calls in the same turn of the event loop leave as one HTTP request; a read
 * that hits a node between two blocks is retried once.
 */
export function createRpc(urls: string[], network: EvmNetworkId, log: Log, around?: AroundCall): Rpc {
  return createNodes(urls, network, log, around).rpc
}

/** The JSON-RPC client of an EVM network, with access to each endpoint. */
export function createNodes(urls: string[], network: EvmNetworkId, log: Log, around?: AroundCall): Nodes {
  const chainId = BigInt(networkRow(network).chainId)
  const proof = {
    method: 'eth_chainId',
    holds: (answer: unknown) => BigInt(asHex(answer, 'eth_chainId')) === chainId,
  }
  const isTransient = (method: string, error: unknown) => READS.has(method) && betweenBlocks(error)
  return openNodes(urls, network, { proof, batched: true, isFinal: isExecutionFailure, isTransient, sends: SENDS }, log, around)
}

const SENDS: ReadonlySet<string> = new Set(['eth_sendRawTransaction'])
const READS: ReadonlySet<string> = new Set(['eth_call', 'eth_getCode', 'eth_getBalance', 'eth_getTransactionCount'])

// A replica may lack the block that "latest" named, and a pruning node may have dropped it.
function betweenBlocks(error: unknown): boolean {
  return /header not found|unknown block|block ?not ?found|out ?of ?range/i.test(rejectionOf(error)?.message ?? '')
}

// Nodes use different numbers, and the same ones for "too many requests": the text decides, and an unclear text is not final.
const EXECUTION =
  /revert|out of gas|gas required|intrinsic gas|opcode|invalid jump|stack (under|over)flow|evm ?error|write protection/i

/** Whether the contract's code failed, not the node. */
export function isExecutionFailure(error: unknown): boolean {
  const rejection = rejectionOf(error)
  return rejection !== null && (rejection.code === 3 || EXECUTION.test(rejection.message))
}

/** A hex quantity or byte string from a node. Throws on anything else. */
export function asHex(value: unknown, what: string): Hex {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value)) return `0x${value.slice(2)}`
  throw new Error(`node answered ${what} with something that is not hex`)
}

/** The newest block of a node. Times are Unix seconds, fees wei. */
export type Head = { number: bigint; hash: Hex; timestamp: bigint; baseFee: bigint }

/** Reads a block header by number or tag. Null for one that the node does not have. */
export async function readBlock(rpc: Rpc, block: Hex | 'finalized' | 'latest'): Promise<Record<string, unknown> | null> {
  const header = await rpc('eth_getBlockByNumber', [block, false])
  return header === null ? null : asRecord(header, 'eth_getBlockByNumber')
}

/** Reads the newest block that a node calls finalized; never above its newest block. */
export async function readFinalizedBlock(rpc: Rpc): Promise<bigint> {
  const numberOf = async (tag: 'finalized' | 'latest') => BigInt(asHex((await readBlock(rpc, tag))?.number, 'number'))
  const [number, newest] = await Promise.all([numberOf('finalized'), numberOf('latest')])
  if (number > newest) return newest
  return number
}

/** Reads the newest block header, and on a network with legacy fees the node's gas price as its base fee. Throws on an invalid response. */
export async function readHead(rpc: Rpc, network: EvmNetworkId): Promise<Head> {
  const priced = networkRow(network).fees === 'legacy' ? rpc('eth_gasPrice', []) : null
  const [header, price] = await Promise.all([rpc('eth_getBlockByNumber', ['latest', false]), priced])
  const block = asRecord(header, 'eth_getBlockByNumber')
  const field = (name: string) => asHex(block[name], name)
  return {
    number: BigInt(field('number')),
    hash: field('hash'),
    timestamp: BigInt(field('timestamp')),
    baseFee: BigInt(priced ? asHex(price, 'eth_gasPrice') : field('baseFeePerGas')),
  }
}
