import { z } from 'zod'
import type { Rpc } from '../rpc'
import { count, readAnswer, readSlot, readValue, transactionError } from './rpc'
import { errorText } from './simulation'

/** Nodes refuse more than this in one request. */
const SIGNATURES_MAX = 256

const commitments = ['processed', 'confirmed', 'finalized'] as const

const status = z
  .object({
    slot: count,
    confirmations: count.nullable(),
    err: transactionError,
    confirmationStatus: z.enum(commitments).nullish(),
  })
  // Old roots have no commitment, and no confirmation count because they need none.
  .refine(({ confirmations, confirmationStatus }) => confirmationStatus || confirmations === null)
  .transform(
    ({ slot, err, confirmationStatus }): SvmStatus => ({
      slot,
      failed: err === null ? null : errorText(err),
      commitment: confirmationStatus ?? 'finalized',
    }),
  )

/**
 * The status of these transactions on a node, in the order of the signatures; null for an unknown one. `deep`: searches its whole
 * history. Throws on no response or an invalid one.
 */
export async function readStatuses(rpc: Rpc, signatures: readonly string[], deep: boolean): Promise<(SvmStatus | null)[]> {
  return (await readStatusesAt(rpc, signatures, deep)).statuses
}

/** The statuses of these transactions on a node, with the oldest slot of the responses. */
async function readStatusesAt(
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

/** A transaction to find, with the blockhash that it needs to land; null where that does not matter. */
export type TransactionRef = { signature: string; blockhash: string | null }

/**
 * What one node knows, in request order: heights first, so that the statuses include all that had landed by then. A node proves an
 * absence only between its first slot and the slot of its statuses.
 */
export type SignatureReport = {
  /** Its index in the list of nodes. */
  index: number
  /** The newest finalized block. */
  finalized: { height: bigint; slot: bigint }
  /** The first slot of which it has all transactions. */
  firstSlot: bigint
  /** The oldest slot of its statuses. */
  slot: bigint
  /** By signature, from its whole history. */
  statuses: ReadonlyMap<string, SvmStatus | null>
  /** Blockhashes that it would still accept, by its newest block or its finalized one. */
  validBlockhashes: ReadonlySet<string>
}

const epochInfo = z.object({ absoluteSlot: count, blockHeight: count })

/** Reads all of it from each node. A node that fails any part gives no report. */
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

// The newest block knows new blockhashes earlier, the finalized one keeps old ones longer: expired means that both lack it.
async function isValid(node: Rpc, blockhash: string): Promise<boolean> {
  const method = 'isBlockhashValid'
  const at = async (commitment: string) => readValue(z.boolean(), await node(method, [blockhash, { commitment }]), method)
  const valid = await Promise.all([at('processed'), at('finalized')])
  return valid.includes(true)
}

/** The status of a transaction on a node: slot, commitment, and its error or null. */
export type SvmStatus = { slot: bigint; failed: string | null; commitment: 'processed' | 'confirmed' | 'finalized' }
