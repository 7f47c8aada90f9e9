import type { Hex } from 'viem'
import { z } from 'zod'
import type { EventLog, SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor, proofsIn } from '../../x402/schemes/evm-methods'
import { asRecord } from '../json-rpc'
import type { Rpc } from '../rpc'
import { asHex, type Head } from './rpc'

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
// The limits of the ledger's columns: a node that reports more is wrong.
const INT64_MAX = 2n ** 63n - 1n
const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,16}$/)
  .transform(BigInt)
  .refine((value) => value <= INT64_MAX)

const place = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,7}$/)
  .transform((text) => Number.parseInt(text, 16))

const wireReceipt = z.object({
  transactionHash: hex,
  from: hex.nullish(),
  blockHash: hex,
  blockNumber: quantity,
  status: quantity,
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  l1Fee: quantity.nullish(),
  logs: z.array(
    z.object({ address: hex, topics: z.array(hex), data: hex, transactionHash: hex, logIndex: place.nullish().catch(null) }),
  ),
})

/** A mined transaction as the node reports it. */
export type Receipt = {
  hash: Hex
  /** The sender; null where the node does not report it. */
  sender: Hex | null
  block: bigint
  blockHash: Hex
  succeeded: boolean
  gasUsed: bigint
  gasPrice: bigint
  /** Wei paid for data on the parent chain; 0 on chains without such a fee. */
  l1Fee: bigint
  logs: EventLog[]
}

/** Reads a receipt. Null while there is none. Throws on anything else or a receipt of another transaction. */
export function readReceipt(value: unknown, hash: Hex): Receipt | null {
  if (value === null) return null
  const wire = wireReceipt.parse(value)
  if (wire.transactionHash !== hash || wire.logs.some((log) => log.transactionHash !== hash)) {
    throw new Error('node answered with the receipt of another transaction')
  }
  return {
    hash,
    sender: wire.from ?? null,
    block: wire.blockNumber,
    blockHash: wire.blockHash,
    succeeded: wire.status === 1n,
    gasUsed: wire.gasUsed,
    gasPrice: wire.effectiveGasPrice,
    l1Fee: wire.l1Fee ?? 0n,
    logs: wire.logs,
  }
}

/** Whether a receipt proves this transfer: status 1, and the logs that its method demands. A token that does nothing proves nothing. */
export function provesTransfer(receipt: Receipt, transfer: SignedTransfer): boolean {
  return receipt.succeeded && namesOf(transfer).some((name) => proofsOf(receipt).has(name))
}

/** The index of the Transfer log that proves this transfer, in its block; null without it, or where the node reports none. */
export function transferLogIndex(receipt: Receipt, transfer: SignedTransfer): number | null {
  const proofs = proofsOf(receipt)
  return namesOf(transfer).flatMap((name) => proofs.get(name) ?? [])[0] ?? null
}

/** The names of which any one proves a transfer. */
function namesOf(transfer: SignedTransfer): readonly string[] {
  const method = methodFor(transfer)
  return method.proofs?.(transfer) ?? [method.proof(transfer)]
}

// A batch receipt is checked for each member, so its logs are read once.
const read = new WeakMap<Receipt, ReadonlyMap<string, number | null>>()

function proofsOf(receipt: Receipt): ReadonlyMap<string, number | null> {
  const known = read.get(receipt)
  if (known) return known
  const proofs = proofsIn(receipt.logs)
  read.set(receipt, proofs)
  return proofs
}

/** The receipt of a transaction that may be preconfirmed only; an Error on a missing or invalid one. */
export async function readPreconfirmation(rpc: Rpc, hash: Hex): Promise<Receipt | Error | null> {
  try {
    return readReceipt(await rpc('eth_getTransactionReceipt', [hash]), hash)
  } catch (error) {
    return asError(error)
  }
}

/** Receipts whose blocks are in the chain, in the order of the hashes; an Error for each other one. */
export async function readReceiptsInChain(rpc: Rpc, hashes: Hex[], newest?: Head): Promise<(Receipt | Error | null)[]> {
  // Settlements of a batch share their receipt.
  const requested = new Map([...new Set(hashes)].map((hash) => [hash, readPreconfirmation(rpc, hash)]))
  const receipts = await Promise.all(hashes.map((hash) => requested.get(hash) ?? null))
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
