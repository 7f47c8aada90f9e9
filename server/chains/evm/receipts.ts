import { encodeEventTopics, type Hex } from 'viem'
import type { Authorization } from '../../x402/payment'
import { asRecord } from '../answers'
import type { Rpc } from '../rpc'
import { tokenAbi } from './abi'
import { asHex } from './answers'
import type { Head } from './head'
import { type Receipt, readReceipt } from './receipt'

/** The receipt of a transaction that may be promised only; an Error where the node sent nonsense or nothing. */
export async function readPromise(rpc: Rpc, hash: Hex): Promise<Receipt | Error | null> {
  try {
    return readReceipt(await rpc('eth_getTransactionReceipt', [hash]), hash)
  } catch (error) {
    return asError(error)
  }
}

/** Receipts whose blocks the chain has, in the order of the hashes: an Error where it has not. */
export async function readReceiptsInChain(rpc: Rpc, hashes: Hex[], newest?: Head): Promise<(Receipt | Error | null)[]> {
  // Settlements of a batch share theirs.
  const asked = new Map([...new Set(hashes)].map((hash) => [hash, readPromise(rpc, hash)]))
  const receipts = await Promise.all(hashes.map((hash) => asked.get(hash) ?? null))
  const blocks = new Map<bigint, Promise<Hex | Error>>(newest ? [[newest.number, Promise.resolve(newest.hash)]] : [])
  return Promise.all(
    receipts.map(async (receipt) => {
      if (receipt === null || receipt instanceof Error) return receipt
      const known = blocks.get(receipt.block) ?? blockHash(rpc, receipt.block)
      blocks.set(receipt.block, known)
      const hash = await known
      if (hash instanceof Error) return hash
      return hash === receipt.blockHash
        ? receipt
        : new Error('node answered with a receipt of a block that the chain does not have')
    }),
  )
}

/** The transactions of a block in which an authorization was used. Throws when the node does not answer or sends something else. */
export async function readUses(rpc: Rpc, asset: Hex, { from, nonce }: Authorization, blockHash: Hex): Promise<Hex[]> {
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: 'AuthorizationUsed', args: { authorizer: from, nonce } })
  const logs = await rpc('eth_getLogs', [{ blockHash, address: asset, topics }])
  if (!Array.isArray(logs)) throw new Error('node answered eth_getLogs with something that is not a list')
  return logs.map((log: unknown) => asHex(asRecord(log, 'eth_getLogs').transactionHash, 'transactionHash'))
}

async function blockHash(rpc: Rpc, number: bigint): Promise<Hex | Error> {
  try {
    const block = asRecord(await rpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]), 'eth_getBlockByNumber')
    return asHex(block.hash, 'hash')
  } catch (error) {
    return asError(error)
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
