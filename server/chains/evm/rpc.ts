import { fallback, type Hex, http } from 'viem'
import { ServiceError } from '../../errors'

/** One JSON-RPC call. Calls made in the same turn of the event loop leave as one HTTP request. */
export type Rpc = (method: string, params: unknown[]) => Promise<unknown>

const TIMEOUT_MS = 4_000
const BATCH_MAX = 100

/**
 * A JSON-RPC client over one or more endpoints of a network, the first that answers: a call that one does not answer goes to
 * the next, a send too, whose bytes are the same. Nothing else is repeated but a read that met
 * a node in the moment between two blocks: callers know what else may be.
 */
export function createRpc(urls: string[]): Rpc {
  const options = { batch: { batchSize: BATCH_MAX, wait: 0 }, retryCount: 0, timeout: TIMEOUT_MS, fetchFn: fetchExactly }
  const { request } = fallback(
    urls.map((url) => http(url, options)),
    { retryCount: 0 },
  )({ retryCount: 0 })
  return async (method, params) => {
    try {
      return await request({ method, params })
    } catch (error) {
      if (!READS.has(method) || !betweenBlocks(error)) throw error
      return request({ method, params })
    }
  }
}

const READS: ReadonlySet<string> = new Set(['eth_call', 'eth_getCode', 'eth_getBalance', 'eth_getTransactionCount'])

// "Latest" named a block that the replica behind a balancer does not have yet, or a pruning node has no more.
function betweenBlocks(error: unknown): boolean {
  return /header not found|unknown block|block ?not ?found|out ?of ?range/i.test(rejectionOf(error)?.message ?? '')
}

// viem pairs a batch with its answers by order alone: one that is missing or foreign would hand the others round.
async function fetchExactly(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  const text = await response.text()
  if (response.ok && idsOf(text) !== idsOf(String(init?.body))) throw new Error('node did not answer exactly what it was asked')
  return new Response(text, response)
}

function idsOf(batch: string): string {
  const entries: unknown = JSON.parse(batch)
  if (!Array.isArray(entries)) return 'not a batch'
  return entries
    .map((entry: unknown) => JSON.stringify(asRecord(entry, 'a batch').id))
    .sort()
    .join()
}

/** What a node said when it answered with a JSON-RPC error, or null when it did not answer at all. */
export function rejectionOf(error: unknown): { code: number; message: string; data: Hex | null } | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at.name !== 'RpcRequestError' || !('code' in at) || typeof at.code !== 'number') continue
    const details = 'details' in at && typeof at.details === 'string' ? at.details : at.message
    return { code: at.code, message: details, data: revertData('data' in at ? at.data : undefined) }
  }
  return null
}

// Nodes number these differently, and say "too many requests" under the same numbers: their words decide, and doubt is no answer.
const EXECUTION =
  /revert|out of gas|gas required|intrinsic gas|opcode|invalid jump|stack (under|over)flow|evm ?error|write protection/i

/** Whether a call failed because the contract's code did, and not because the node could not run it. */
export function isExecutionFailure(error: unknown): boolean {
  const rejection = rejectionOf(error)
  return rejection !== null && (rejection.code === 3 || EXECUTION.test(rejection.message))
}

function revertData(data: unknown): Hex | null {
  if (typeof data === 'string' && data.startsWith('0x')) return `0x${data.slice(2)}`
  if (typeof data === 'object' && data !== null && 'data' in data) return revertData(data.data)
  return null
}

/** The refusal for a node that failed us before anything was sent. */
export function unreachable(network: string, cause: unknown): ServiceError {
  return new ServiceError('upstream', `the ${network} node did not answer; nothing was sent, try again`, {
    reason: 'upstream_unreachable',
    cause,
  })
}

/** A hex quantity or byte string from a node. Throws when the node sent something else. */
export function asHex(value: unknown, what: string): Hex {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value)) return `0x${value.slice(2)}`
  throw new Error(`node answered ${what} with something that is not hex`)
}

/** An object from a node. Throws when the node sent something else. */
export function asRecord(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.fromEntries(Object.entries(value))
  throw new Error(`node answered ${what} with something that is not an object`)
}
