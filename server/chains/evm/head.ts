import type { Hex } from 'viem'
import { asRecord } from '../answers'
import type { Rpc } from '../rpc'
import { asHex } from './answers'

/** The newest block a node knows. Times are Unix seconds, fees wei. */
export type Head = { number: bigint; hash: Hex; timestamp: bigint; baseFee: bigint }

/** Reads the newest block's header. Throws when the node does not answer or sends something else. */
export async function readHead(rpc: Rpc): Promise<Head> {
  const block = asRecord(await rpc('eth_getBlockByNumber', ['latest', false]), 'eth_getBlockByNumber')
  const field = (name: string) => asHex(block[name], name)
  return {
    number: BigInt(field('number')),
    hash: field('hash'),
    timestamp: BigInt(field('timestamp')),
    baseFee: BigInt(field('baseFeePerGas')),
  }
}
