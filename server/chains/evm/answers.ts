import type { Hex } from 'viem'

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
