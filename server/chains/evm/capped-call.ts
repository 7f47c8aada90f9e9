import { concatHex, type Hex, hexToBigInt, hexToBytes, numberToHex, size, sliceHex } from 'viem'
import { asHex } from './rpc'

/** A call whose response untrusted code may write, with its gas limit and the number of response bytes to keep. */
type CappedCall = { to: Hex; data: Hex; gas: bigint; keep: number }

/** Whether the call succeeded, the length of its response, and the first `keep` bytes, padded with zeros. */
export type CappedAnswer = { success: boolean; length: bigint; head: Hex }

/** Where the code ends and the calldata begins. */
const CODE_BYTES = 63
const HEAD_AT = 64

/** Gas: a creation before its first instruction, an input byte at most, a returned byte. */
const CREATION_GAS = 53_000n
const GAS_OF_BYTE_IN = 44n
const GAS_OF_BYTE_OUT = 200n
const GAS_OF_CODE = 10_000n

/**
 * Parameters of an `eth_call` that makes another call and returns a bounded response. It is creation code, which every node runs: no
 * return data comes back whole, and a failed call is a response and not a node error.
 */
export function cappedCall({ to, data, gas, keep }: CappedCall): { data: Hex; gas: Hex } {
  const [length, returned] = [size(data), HEAD_AT + keep]
  const two = (value: number) => numberToHex(value, { size: 2 })
  const code: Hex[] = [
    // CODECOPY(behind the answer, behind this code, length)
    ...(['0x61', two(length), '0x61', two(CODE_BYTES), '0x61', two(returned), '0x39'] as const),
    // CALL(gas, to, 0, behind the answer, length, HEAD_AT, keep): no more than `keep` bytes of the answer are copied.
    ...(['0x61', two(keep), '0x6040', '0x61', two(length), '0x61', two(returned), '0x6000'] as const),
    ...(['0x73', to, '0x63', numberToHex(gas, { size: 4 }), '0xf1'] as const),
    // MSTORE(0, success), MSTORE(32, RETURNDATASIZE), RETURN(0, HEAD_AT + keep). The first byte is 0: code may not begin with 0xef.
    ...(['0x600052', '0x3d602052', '0x61', two(returned), '0x6000f3'] as const),
  ]
  const program = concatHex([...code, data])
  const around = CREATION_GAS + BigInt(size(program)) * GAS_OF_BYTE_IN + BigInt(returned) * GAS_OF_BYTE_OUT + GAS_OF_CODE
  // A call passes on 63 of 64 parts of the remaining gas.
  return { data: program, gas: numberToHex(gas + gas / 63n + around) }
}

/** Reads the result of a capped call. Throws on an invalid response. */
export function readCapped(answer: unknown, { keep }: Pick<CappedCall, 'keep'>): CappedAnswer {
  const bytes = asHex(answer, 'eth_call')
  if (size(bytes) !== HEAD_AT + keep) throw new Error('node answered a capped call with another length')
  const word = (at: number) => hexToBigInt(sliceHex(bytes, at, at + 32))
  return { success: word(0) === 1n, length: word(32), head: sliceHex(bytes, HEAD_AT) }
}

/** What a separate transaction would pay for these bytes before its first instruction. */
export function gasOfBytes(data: Hex): bigint {
  const bytes = hexToBytes(data)
  const zeros = bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0)
  return BigInt(zeros) * 4n + BigInt(bytes.length - zeros) * 16n
}
