import { z } from 'zod'
import type { Rpc } from '../rpc'
import { count, readSlot, readValue, transactionError } from './answers'
import type { SvmStatus } from './chain'
import { wordsOf } from './flaws'

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
