import { concatHex, type Hex, hexToBigInt, hexToBytes, numberToHex, size, sliceHex } from 'viem'
import { asHex } from './rpc'

/** A call whose answer a stranger's code may write, with the gas that it may burn and how many bytes of its answer are kept. */
export type CappedCall = { to: Hex; data: Hex; gas: bigint; keep: number }

/** Whether the call succeeded, how long its answer was, and the first bytes of it: `keep` of them, zeros behind its end. */
export type CappedAnswer = { success: boolean; length: bigint; head: Hex }

/** Where the code ends and the calldata begins. */
const CODE_BYTES = 63
const HEAD_AT = 64

/** What creating a contract costs before its first instruction, what a byte costs on its way in at most, and one that is returned. */
const CREATION_GAS = 53_000n
const GAS_OF_BYTE_IN = 44n
const GAS_OF_BYTE_OUT = 200n
const GAS_OF_CODE = 10_000n

/**
 * The parameters of an `eth_call` that makes another call and returns a bounded answer. It is creation code, which every node runs: nobody's
 * return or revert data come back whole, and a call that fails is an answer and no error of the node.
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
  // A call hands on 63 of 64 parts of what is left.
  return { data: program, gas: numberToHex(gas + gas / 63n + around) }
}

/** What came back of a capped call. Throws when a node sent something else. */
export function readCapped(answer: unknown, { keep }: Pick<CappedCall, 'keep'>): CappedAnswer {
  const bytes = asHex(answer, 'eth_call')
  if (size(bytes) !== HEAD_AT + keep) throw new Error('node answered a capped call with another length')
  const word = (at: number) => hexToBigInt(sliceHex(bytes, at, at + 32))
  return { success: word(0) === 1n, length: word(32), head: sliceHex(bytes, HEAD_AT) }
}

/** What a transaction of its own would pay for these bytes before its first instruction. */
export function gasOfBytes(data: Hex): bigint {
  const bytes = hexToBytes(data)
  const zeros = bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0)
  return BigInt(zeros) * 4n + BigInt(bytes.length - zeros) * 16n
}
