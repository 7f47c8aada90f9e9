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

/** The most bytes of creation code (EIP-3860). */
export const CREATION_BYTES_MAX = 49_152

/** One call of a batch with its gas limit. */
export type BatchedCall = { to: Hex; data: Hex; gas: bigint }

/** The calls of a batch that follow each other and go to one contract. */
type Run = { to: Hex; records: Hex }

/**
 * A transaction without a recipient: its data is a program that runs once, makes calls in order and leaves no contract. No call can fail
 * the others or exceed its own gas, and the gas covers all. There is a program for each run of calls of one contract; behind the programs
 * each call has a record: gas (3 bytes), data length (2 bytes), data.
 */
export function cappedBatch(calls: readonly BatchedCall[]): { data: Hex; gas: bigint } {
  const runs = runsOf(calls)
  const [only, ...more] = runs
  const data = only && more.length === 0 ? concatHex([program(only.to), only.records]) : programs(runs)
  const granted = calls.reduce((sum, call) => sum + call.gas, 0n)
  const most = calls.reduce((highest, { gas }) => {
    if (gas > highest) return gas
    return highest
  }, 0n)
  // A call gets at most 63/64 of the remaining gas (EIP-150), so the last one needs a little more.
  const around = GAS_OF_PROGRAM * BigInt(runs.length) + GAS_AROUND_CALL * BigInt(calls.length)
  return { data, gas: gasOfCreation(data) + granted + most / 63n + around }
}

function runsOf(calls: readonly BatchedCall[]): Run[] {
  const runs: Run[] = []
  for (const { to, data, gas } of calls) {
    const record = concatHex([numberToHex(gas, { size: 3 }), numberToHex(size(data), { size: 2 }), data])
    const last = runs.at(-1)
    if (last?.to === to) last.records = concatHex([last.records, record])
    else runs.push({ to, records: record })
  }
  return runs
}

const STOP = '0x00'

/** Programs that run one after the other, each over its own records. */
function programs(runs: readonly Run[]): Hex {
  let start = runs.length * RUN_BYTES + size(STOP)
  const codes = runs.map(({ to, records }, at) => {
    const end = start + size(records)
    const code = runProgram(to, { place: at * RUN_BYTES, start, end })
    start = end
    return code
  })
  return concatHex([...codes, STOP, ...runs.map(({ records }) => records)])
}

/** The first call finds the contract cold (EIP-2929). */
const GAS_OF_PROGRAM = 4_000n
/** The program's overhead per call: about 300 gas for a transfer, and 3 for each word of longer data. */
const GAS_AROUND_CALL = 1_000n

// On the right: the stack before the instruction, top first. `at` is the position of the next record in the code.
const loop = (target: Hex, start: Hex, again: readonly Hex[]): Hex =>
  concatHex([
    '0x61', //      PUSH2        -                        the first record
    start,
    '0x5b', //      JUMPDEST     at                       byte 3, the loop
    '0x6005', //    PUSH1 5      at
    '0x81', //      DUP2         5 at
    '0x601b', //    PUSH1 27     at 5 at
    '0x39', //      CODECOPY     27 at 5 at               gas and length to the right end of memory word 0
    '0x6005', //    PUSH1 5      at
    '0x01', //      ADD          5 at                     from here on `at` is the place of the data
    '0x5f', //      PUSH0        at
    '0x51', //      MLOAD        0 at
    '0x80', //      DUP1         head at
    '0x61ffff', //  PUSH2 65535  head head at
    '0x16', //      AND          65535 head head at
    '0x80', //      DUP1         len head at
    '0x83', //      DUP4         len len head at
    '0x6020', //    PUSH1 32     at len len head at
    '0x39', //      CODECOPY     32 at len len head at    the data to memory from byte 32 on
    '0x5f', //      PUSH0        len head at              no output: what a call returns is never copied
    '0x5f', //      PUSH0        0 len head at
    '0x82', //      DUP3         0 0 len head at
    '0x6020', //    PUSH1 32     len 0 0 len head at
    '0x5f', //      PUSH0        32 len 0 0 len head at   no ether
    '0x73', //      PUSH20       0 32 len 0 0 len head at
    target,
    '0x87', //      DUP8         target 0 32 len 0 0 len head at
    '0x6010', //    PUSH1 16     head target 0 32 len 0 0 len head at
    '0x1c', //      SHR          16 head target 0 32 len 0 0 len head at
    '0xf1', //      CALL         gas target 0 32 len 0 0 len head at
    '0x50', //      POP          ok len head at           a failure is seen by the missing logs
    '0x90', //      SWAP1        len head at
    '0x50', //      POP          head len at
    '0x01', //      ADD          len at
    '0x80', //      DUP1         at
    ...again,
  ])

/** The program of a batch for one contract: its records reach to the end of the code. */
const program = (target: Hex): Hex =>
  loop(target, numberToHex(PROGRAM_BYTES, { size: 2 }), [
    '0x38', //      CODESIZE     at at
    '0x11', //      GT           codesize at at
    '0x6003', //    PUSH1 3      more at
    '0x57', //      JUMPI        3 more at
    '0x00', //      STOP         at                       returns nothing: the new contract has no code
  ])
const PROGRAM_BYTES = 68

/** One program of several: the next one follows it. */
const runProgram = (target: Hex, { place, start, end }: Record<'place' | 'start' | 'end', number>): Hex =>
  loop(target, numberToHex(start, { size: 2 }), [
    '0x61', //      PUSH2        at at                    the end of its records
    numberToHex(end, { size: 2 }),
    '0x11', //      GT           end at at
    '0x61', //      PUSH2        more at
    numberToHex(place + 3, { size: 2 }),
    '0x57', //      JUMPI        loop more at
    '0x50', //      POP          at
  ])
const RUN_BYTES = 71

/** The cost of a creation before its first instruction: EIP-2028 for bytes, EIP-3860 for words. */
export const gasOfCreation = (data: Hex): bigint => CREATION_GAS + gasOfBytes(data) + 2n * BigInt(Math.ceil(size(data) / 32))
