import type { Hex } from 'viem'
import { z } from 'zod'
import { AUTHORIZATION_USED, eip3009Transfers, readTransferLog } from '../../x402/schemes/evm-logs'
import type { EventLog, SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import { asRecord } from '../json-rpc'
import type { Rpc } from '../rpc'
import { provesTransfer, type Receipt, readReceiptsInChain } from './receipts'
import { asHex } from './rpc'

/** A transaction that may have used a transfer's authorization, by a transfer or a cancellation. */
export type Use = { transfer: SignedTransfer; hash: Hex }

/** Hex of a node in any letter case, as lower case. */
export const wireHex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
const wireLogs = z.array(
  z.object({
    address: wireHex,
    topics: z.array(wireHex),
    data: wireHex.default('0x'),
    transactionHash: wireHex,
    removed: z.boolean().optional(),
  }),
)

type Topics = ReturnType<ReturnType<typeof methodFor>['useLogs']>['topics']
type Place = { fromBlock: Hex; toBlock: Hex } | { blockHash: Hex }

/** The transaction that used an authorization: whether it made this exact transfer, and whether the payer itself sent it. */
export type FoundUse = { hash: Hex; paid: boolean; byPayer: boolean }

/** The block range that providers allow per query. */
const BLOCKS_MAX = 2_000n
const TRANSFERS_MAX = 100

/** The transactions that used these authorizations in this block range, both ends included. Throws on no response or an invalid one. */
export async function findUses(
  rpc: Rpc,
  transfers: readonly SignedTransfer[],
  { from, to }: { from: bigint; to: bigint },
): Promise<Use[]> {
  const uses: Use[] = []
  for (const group of groupsOf(transfers)) {
    for (let block = from; block <= to; block += BLOCKS_MAX) {
      const last = block + BLOCKS_MAX - 1n < to ? block + BLOCKS_MAX - 1n : to
      uses.push(...(await readUses(rpc, group, { fromBlock: quantity(block), toBlock: quantity(last) })))
    }
  }
  return uses
}

/** The transactions of a block that used an authorization. Throws on no response or an invalid one. */
export async function usesInBlock(rpc: Rpc, transfer: SignedTransfer, blockHash: Hex): Promise<Hex[]> {
  return (await readUses(rpc, [transfer], { blockHash })).map(({ hash }) => hash)
}

/** Transfers whose uses one query can find: of one method and contract. */
function groupsOf(transfers: readonly SignedTransfer[]): SignedTransfer[][] {
  const groups = new Map<string, SignedTransfer[][]>()
  for (const transfer of transfers) {
    const key = `${transfer.method} ${transfer.asset}`
    const parts = groups.get(key) ?? [[]]
    groups.set(key, parts)
    const last = parts.at(-1)
    if (last && last.length < TRANSFERS_MAX) last.push(transfer)
    else parts.push([transfer])
  }
  return [...groups.values()].flat()
}

async function readUses(rpc: Rpc, group: readonly SignedTransfer[], place: Place): Promise<Use[]> {
  const asked = group.map((transfer) => methodFor(transfer).useLogs(transfer))
  const [first] = asked
  if (!first) return []
  const topics = merged(asked.map((one) => one.topics))
  const logs = wireLogs.parse(await rpc('eth_getLogs', [{ address: first.address, topics, ...place }]))
  return logs
    .filter(({ removed }) => !removed)
    .flatMap((log) =>
      group.flatMap((transfer) => (methodFor(transfer).isUse(transfer, log) ? [{ transfer, hash: log.transactionHash }] : [])),
    )
}

/** The topics of any of these filters, place by place. */
function merged(filters: readonly Topics[]): Topics {
  const [first = []] = filters
  return first.map((_, at) => {
    const values = [...new Set(filters.flatMap((topics) => topics[at] ?? []))]
    const [only, ...more] = values
    return only !== undefined && more.length === 0 ? only : values
  })
}

/** The transaction that used an authorization in the newest 2,000 blocks. Throws when the node does not answer. */
export async function findUse(rpc: Rpc, transfer: SignedTransfer, newest: bigint): Promise<FoundUse | null> {
  const from = newest > BLOCKS_MAX ? newest - BLOCKS_MAX + 1n : 0n
  const uses = await findUses(rpc, [transfer], { from, to: newest })
  const mark = methodFor(transfer).mark(transfer)
  for (const { hash } of uses.reverse()) {
    if (mark !== null && !(await inputOf(rpc, hash)).includes(mark.slice(2))) continue
    const [receipt] = await readReceiptsInChain(rpc, [hash])
    if (!receipt || receipt instanceof Error) throw receipt ?? new Error('the node has a log and not its receipt')
    const paid = provesTransfer(receipt, transfer)
    // A log of a marked method is one of this very transfer, so its receipt must prove it.
    if (!usesUp(receipt, transfer) || (mark !== null && !paid)) throw new Error('the node has a log that its receipt contradicts')
    if (lacksLogs(receipt, transfer)) throw new Error('the node has a receipt that lacks logs')
    return { hash, paid, byPayer: receipt.sender === transfer.authorization.from }
  }
  return null
}

async function inputOf(rpc: Rpc, hash: Hex): Promise<string> {
  const transaction = asRecord(await rpc('eth_getTransactionByHash', [hash]), 'eth_getTransactionByHash')
  return asHex(transaction.input, 'input').toLowerCase()
}

/** Whether a transaction used an authorization, for any transfer. */
export function usesUp(receipt: Receipt, transfer: SignedTransfer): boolean {
  const isUse = (log: EventLog) => methodFor(transfer).isUse(transfer, log)
  return receipt.succeeded && receipt.logs.some(isUse)
}

/**
 * Whether a node left logs out of a receipt: it shows a use of the authorization, but not what that moved. By EIP-3009 a Transfer follows
 * each use. A receipt that has this very Transfer, and still does not prove a deposit, lacks the logs behind it.
 */
export function lacksLogs(receipt: Receipt, transfer: SignedTransfer): boolean {
  if (provesTransfer(receipt, transfer)) return false
  const { logs } = receipt
  const { to, value } = transfer.authorization
  const used = logs.findIndex((log) => log.topics[0] === AUTHORIZATION_USED && methodFor(transfer).isUse(transfer, log))
  if (used < 0) return false
  const [shown] = [...eip3009Transfers(logs)].flatMap(([at, use]) => (use === used ? (logs[at] ?? []) : []))
  const moved = shown ? readTransferLog(shown) : null
  return moved === null || (moved.to === to && moved.value === value)
}

const quantity = (value: bigint): Hex => `0x${value.toString(16)}`
