import { decodeEventLog, type Hex } from 'viem'
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
  if (!receipt.succeeded) return false
  const events = receipt.logs.map((log) => (log.address === asset ? readEvent(log) : null))
  return events.some((event, at) => {
    const next = events[at + 1]
    return (
      event?.eventName === 'AuthorizationUsed' &&
      same(event.args.authorizer, authorization.from) &&
      same(event.args.nonce, authorization.nonce) &&
      next?.eventName === 'Transfer' &&
      same(next.args.from, authorization.from) &&
      same(next.args.to, authorization.to) &&
      next.args.value === authorization.value
    )
  })
}

function readEvent(log: Receipt['logs'][number]) {
  const [signature, ...rest] = log.topics
  if (!signature) return null
  try {
    return decodeEventLog({ abi: tokenAbi, topics: [signature, ...rest], data: log.data })
  } catch {
    // Another event of the same contract: not one of the two that prove a transfer.
    return null
  }
}

function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
