import { getAbiItem, type Hex, toEventSelector } from 'viem'
import { z } from 'zod'
import type { Authorization } from '../../x402/payment'
import { tokenAbi } from './abi'

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
// What the ledger's columns hold: a node that says more is not to be believed.
const INT64_MAX = 2n ** 63n - 1n
const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,16}$/)
  .transform(BigInt)
  .refine((value) => value <= INT64_MAX)

const wireReceipt = z.object({
  transactionHash: hex,
  from: hex.nullish(),
  blockHash: hex,
  blockNumber: quantity,
  status: quantity,
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  l1Fee: quantity.nullish(),
  logs: z.array(z.object({ address: hex, topics: z.array(hex), data: hex, transactionHash: hex })),
})

/** A mined transaction, as the node tells it. */
export type Receipt = {
  hash: Hex
  /** Who sent it; null where the node does not say. */
  sender: Hex | null
  block: bigint
  blockHash: Hex
  succeeded: boolean
  gasUsed: bigint
  gasPrice: bigint
  /** Wei paid for data on the parent chain; 0 where the chain has no such fee. */
  l1Fee: bigint
  logs: { address: Hex; topics: Hex[]; data: Hex }[]
}

/** Reads a receipt. Null while there is none. Throws when the node sent anything else or a receipt of another transaction. */
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

/**
 * Whether a receipt proves this transfer: status 1, and from the asset itself AuthorizationUsed(from, nonce) followed by
 * Transfer(from, to, value). A token that silently does nothing proves nothing.
 */
export function provesTransfer(receipt: Receipt, asset: string, authorization: Authorization): boolean {
  const { from, to, value, nonce } = authorization
  return receipt.succeeded && proofsIn(receipt).has(proof(asset, from, nonce, to, value))
}

// A batch's receipt is asked about each of its members: its logs are read once.
const read = new WeakMap<Receipt, ReadonlySet<string>>()

function proofsIn(receipt: Receipt): ReadonlySet<string> {
  const known = read.get(receipt)
  if (known) return known
  const proofs = new Set(receipt.logs.flatMap((log, at) => proofOf(log, receipt.logs[at + 1])))
  read.set(receipt, proofs)
  return proofs
}

type Log = Receipt['logs'][number]

const AUTHORIZATION_USED = topicOf('AuthorizationUsed')
const TRANSFER = topicOf('Transfer')

function proofOf(used: Log, moved: Log | undefined): string[] {
  if (used.address !== moved?.address || used.topics[0] !== AUTHORIZATION_USED || moved.topics[0] !== TRANSFER) return []
  const [, authorizer, nonce] = used.topics
  const [, from, to] = moved.topics
  if (!authorizer || !nonce || !from || !to || authorizer !== from || moved.data.length !== 66) return []
  return [proof(used.address, addressIn(from), nonce, addressIn(to), BigInt(moved.data))]
}

function proof(asset: string, from: string, nonce: string, to: string, value: bigint): string {
  return [asset, from, nonce, to].join().toLowerCase().concat(`,${value}`)
}

function topicOf(eventName: 'AuthorizationUsed' | 'Transfer'): Hex {
  return toEventSelector(getAbiItem({ abi: tokenAbi, name: eventName }))
}

function addressIn(topic: Hex): string {
  return `0x${topic.slice(26)}`
}
