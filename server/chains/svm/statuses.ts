import { z } from 'zod'
import type { Rpc } from '../rpc'
import { count, readAnswer, readSlot, readValue, transactionError } from './rpc'
import { wordsOf } from './simulation'

/** More than this in one request is refused by nodes. */
const SIGNATURES_MAX = 256

const commitments = ['processed', 'confirmed', 'finalized'] as const

const status = z
  .object({
    slot: count,
    confirmations: count.nullable(),
    err: transactionError,
    confirmationStatus: z.enum(commitments).nullish(),
  })
  // Old roots are told without a commitment, and without a number of confirmations because they need no more.
  .refine(({ confirmations, confirmationStatus }) => confirmationStatus || confirmations === null)
  .transform(
    ({ slot, err, confirmationStatus }): SvmStatus => ({
      slot,
      failed: err === null ? null : wordsOf(err),
      commitment: confirmationStatus ?? 'finalized',
    }),
  )

/**
 * Where a node sees these transactions, in the order of the signatures; null where it does not know one. `deep`: looked for in its
 * whole history, not among the newest alone. Throws when the node does not answer or sends something else.
 */
export async function readStatuses(rpc: Rpc, signatures: readonly string[], deep: boolean): Promise<(SvmStatus | null)[]> {
  return (await readStatusesAt(rpc, signatures, deep)).statuses
}

/** The same, with the oldest slot that any of the answers is of. */
export async function readStatusesAt(
  rpc: Rpc,
  signatures: readonly string[],
  deep: boolean,
): Promise<{ statuses: (SvmStatus | null)[]; slot: bigint }> {
  const starts = Array.from({ length: Math.ceil(signatures.length / SIGNATURES_MAX) }, (_, at) => at * SIGNATURES_MAX)
  const chunks = starts.map((start) => signatures.slice(start, start + SIGNATURES_MAX))
  const read = await Promise.all(chunks.map((chunk) => readChunk(rpc, chunk, deep)))
  const slot = read.reduce<bigint | null>((least, one) => (least === null || one.slot < least ? one.slot : least), null)
  return { statuses: read.flatMap(({ statuses }) => statuses), slot: slot ?? 0n }
}

async function readChunk(rpc: Rpc, signatures: readonly string[], deep: boolean) {
  const method = 'getSignatureStatuses'
  const answer = await rpc(method, [signatures, { searchTransactionHistory: deep }])
  const statuses = readValue(z.array(status.nullable()).length(signatures.length), answer, method)
  return { statuses, slot: readSlot(answer, method) }
}

/** A transaction that is looked for, and the blockhash with which it could land; null where that does not matter. */
export type TransactionRef = { signature: string; blockhash: string | null }

/**
 * What one node knows, in the order in which it was asked: heights first, so that whatever had landed by then is in the statuses.
 * A node proves an absence only between its first slot and the slot that its statuses are of.
 */
export type SignatureReport = {
  /** Its place in the list of nodes. */
  index: number
  /** The newest block that will never change. */
  finalized: { height: bigint; slot: bigint }
  /** The first slot of which it still knows all transactions. */
  firstSlot: bigint
  /** The slot that its statuses are of at least. */
  slot: bigint
  /** By signature, from its whole history. */
  statuses: ReadonlyMap<string, SvmStatus | null>
  /** Blockhashes that it would still take, by its newest block or its finalized one. */
  validBlockhashes: ReadonlySet<string>
}

const epochInfo = z.object({ absoluteSlot: count, blockHeight: count })

/** Asks each node for all of it. One that does not answer everything has said nothing. */
export async function readSignatureReports(
  nodes: readonly Rpc[],
  transactions: readonly TransactionRef[],
): Promise<SignatureReport[]> {
  const results = await Promise.allSettled(nodes.map((node, index) => readReport(node, index, transactions)))
  return results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

async function readReport(node: Rpc, index: number, transactions: readonly TransactionRef[]): Promise<SignatureReport> {
  const { absoluteSlot, blockHeight } = readAnswer(
    epochInfo,
    await node('getEpochInfo', [{ commitment: 'finalized' }]),
    'getEpochInfo',
  )
  const firstSlot = readAnswer(count, await node('getFirstAvailableBlock', []), 'getFirstAvailableBlock')
  const signatures = transactions.map(({ signature }) => signature)
  const { statuses, slot } = await readStatusesAt(node, signatures, true)
  const blockhashes = [...new Set(transactions.flatMap(({ blockhash }) => blockhash ?? []))]
  const valid = await Promise.all(blockhashes.map((blockhash) => isValid(node, blockhash)))
  return {
    index,
    finalized: { height: blockHeight, slot: absoluteSlot },
    firstSlot,
    slot,
    statuses: new Map(signatures.map((signature, at) => [signature, statuses[at] ?? null])),
    validBlockhashes: new Set(blockhashes.filter((_, at) => valid[at])),
  }
}

// The newest block knows young ones that the finalized one does not, and forgets old ones earlier: gone is what neither knows.
async function isValid(node: Rpc, blockhash: string): Promise<boolean> {
  const method = 'isBlockhashValid'
  const at = async (commitment: string) => readValue(z.boolean(), await node(method, [blockhash, { commitment }]), method)
  const valid = await Promise.all([at('processed'), at('finalized')])
  return valid.includes(true)
}

/** Where a node sees a transaction: in a slot, at a commitment, and what it failed with there, or null. */
export type SvmStatus = { slot: bigint; failed: string | null; commitment: 'processed' | 'confirmed' | 'finalized' }
