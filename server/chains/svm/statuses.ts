import { z } from 'zod'
import type { Rpc } from '../rpc'
import { count, readValue, transactionError } from './answers'
import type { SvmStatus } from './chain'

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
      failed: err !== null,
      commitment: confirmationStatus ?? 'finalized',
    }),
  )

/**
 * Where a node sees these transactions, in the order of the signatures; null where it does not know one. `deep`: looked for in its
 * whole history, not among the newest alone. Throws when the node does not answer or sends something else.
 */
export async function readStatuses(rpc: Rpc, signatures: readonly string[], deep: boolean): Promise<(SvmStatus | null)[]> {
  const starts = Array.from({ length: Math.ceil(signatures.length / SIGNATURES_MAX) }, (_, at) => at * SIGNATURES_MAX)
  const chunks = starts.map((start) => signatures.slice(start, start + SIGNATURES_MAX))
  return (await Promise.all(chunks.map((chunk) => readChunk(rpc, chunk, deep)))).flat()
}

async function readChunk(rpc: Rpc, signatures: readonly string[], deep: boolean): Promise<(SvmStatus | null)[]> {
  const method = 'getSignatureStatuses'
  const answer = await rpc(method, [signatures, { searchTransactionHistory: deep }])
  return readValue(z.array(status.nullable()).length(signatures.length), answer, method)
}
