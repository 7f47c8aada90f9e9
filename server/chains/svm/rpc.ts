import { base64 } from '@scure/base'
import { z } from 'zod'
import type { Log } from '../../base/log'
import type { SvmNetworkId } from '../../x402/networks/networks'
import { asRecord, rejectionOf } from '../json-rpc'
import { type AroundCall, type Nodes, openNodes } from '../rpc'

const SENDS: ReadonlySet<string> = new Set(['sendTransaction'])

/**
 * A JSON-RPC client over the endpoints of a Solana cluster. Every call is its own HTTP request, because public endpoints refuse
 * batches.
 */
export function createSvmRpc(urls: string[], network: SvmNetworkId, log: Log, around?: AroundCall): Nodes {
  return openNodes(
    urls,
    network,
    {
      proof: { method: 'getGenesisHash', holds: (answer) => isGenesisOf(network, answer) },
      batched: false,
      isFinal: (error) => invalidTransaction(error) !== null,
      isTransient: () => false,
      sends: SENDS,
    },
    log,
    around,
  )
}

const genesisHash = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/)

/** Whether the response to `getGenesisHash` is the network's own. Throws when it is not a hash. */
export function isGenesisOf(network: SvmNetworkId, answer: unknown): boolean {
  const [, reference = ''] = network.split(':')
  return readAnswer(genesisHash, answer, 'getGenesisHash').startsWith(reference)
}

/** Reads a response of the expected shape. Throws on any other, without quoting it. */
export function readAnswer<T>(shape: z.ZodType<T>, answer: unknown, method: string): T {
  const read = shape.safeParse(answer)
  if (read.success) return read.data
  throw new Error(`node answered ${method} with something else`)
}

/** Reads a response that is wrapped with its slot. */
export function readValue<T>(shape: z.ZodType<T>, answer: unknown, method: string): T {
  return readAnswer(shape, asRecord(answer, method).value, method)
}

/** The slot of such a response. */
export function readSlot(answer: unknown, method: string): bigint {
  return readAnswer(z.object({ slot: count }), asRecord(answer, method).context, method).slot
}

/** A whole number that JSON carries exactly: slots, heights, lamports. */
export const count = z.int().nonnegative().transform(BigInt)

/** The error of a transaction as the node names it; null without one. */
export const transactionError = z.union([z.null(), z.string(), z.record(z.string(), z.unknown())])

/** An account as the chain stores it: its owner program and its bytes. */
export const account = z.object({
  owner: z.string(),
  data: z.tuple([z.base64(), z.literal('base64')]).transform(([text]) => base64.decode(text)),
})
export type Account = z.infer<typeof account>

/** The error text of a node that cannot run these bytes, as no node could; null for any other error. */
export function invalidTransaction(error: unknown): string | null {
  const rejection = rejectionOf(error)
  return rejection?.code === -32_602 && INVALID.test(rejection.message) ? rejection.message : null
}

// Every wrong parameter has this number: only these texts are about the transaction.
const INVALID = /^(invalid transaction|failed to deserialize)/i
