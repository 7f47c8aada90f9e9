import type { Hex } from 'viem'
import { rejectionOf } from '../answers'

// Nodes number these differently, and say "too many requests" under the same numbers: their words decide, and doubt is no answer.
const EXECUTION =
  /revert|out of gas|gas required|intrinsic gas|opcode|invalid jump|stack (under|over)flow|evm ?error|write protection/i

/** Whether a call failed because the contract's code did, and not because the node could not run it. */
export function isExecutionFailure(error: unknown): boolean {
  const rejection = rejectionOf(error)
  return rejection !== null && (rejection.code === 3 || EXECUTION.test(rejection.message))
}

/** A hex quantity or byte string from a node. Throws when the node sent something else. */
export function asHex(value: unknown, what: string): Hex {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value)) return `0x${value.slice(2)}`
  throw new Error(`node answered ${what} with something that is not hex`)
}
