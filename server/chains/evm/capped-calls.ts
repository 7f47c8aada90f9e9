import { concatHex, type Hex, hexToBigInt, hexToBytes, numberToHex, size, sliceHex } from 'viem'
import { assemble, push, type Step } from './assembler'
import { asHex } from './rpc'

/** A call whose response untrusted code may write, with its gas limit and the number of response bytes to keep. */
type CappedCall = { to: Hex; data: Hex; gas: bigint; keep: number }

/** Whether the call succeeded, the length of its response, and the first `keep` bytes, padded with zeros. */
export type CappedAnswer = { success: boolean; length: bigint; head: Hex }

/** Where the kept bytes of the answer begin, behind success and length. */
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
  const [length, returned] = [push(2, size(data)), HEAD_AT + keep]
  const program = assemble([
    // CODECOPY(behind the answer, data, length)
    length,
    push(2, { at: 'data' }),
    push(2, returned),
    'CODECOPY',
    // CALL(gas, to, 0, behind the answer, length, HEAD_AT, keep): no more than `keep` bytes of the answer are copied.
    push(2, keep),
    push(1, HEAD_AT),
    length,
    push(2, returned),
    push(1, 0),
    push(20, to),
    push(4, gas),
    'CALL',
    // MSTORE(0, success), MSTORE(32, RETURNDATASIZE), RETURN(0, HEAD_AT + keep). The first byte is 0: code may not begin with 0xef.
    push(1, 0),
    'MSTORE',
    'RETURNDATASIZE',
    push(1, 32),
    'MSTORE',
    push(2, returned),
    push(1, 0),
    'RETURN',
    { label: 'data' },
    { data },
  ])
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
  const data = programOf(runs)
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

/** A program for each run, one after the other, and behind them the records of each. */
function programOf(runs: readonly Run[]): Hex {
  const isOnly = runs.length === 1
  return assemble([
    ...runs.flatMap(({ to }, run) => loop(to, run, isOnly)),
    'STOP', // It returns nothing: the new contract has no code.
    ...runs.flatMap(({ records }, run): Step[] => [{ label: `records ${run}` }, { data: records }]),
    { label: `records ${runs.length}` },
  ])
}

/** The first call finds the contract cold (EIP-2929). */
const GAS_OF_PROGRAM = 4_000n
/** The program's overhead per call: about 300 gas for a transfer, and 3 for each word of longer data. */
const GAS_AROUND_CALL = 1_000n

// On the right: the stack before the instruction, top first. `at` is the position of the next record in the code.
const loop = (target: Hex, run: number, isOnly: boolean): Step[] => [
  push(2, { at: `records ${run}` }), // -
  { jumpdest: `loop ${run}` }, // at
  push(1, 5), // at
  'DUP2', // 5 at
  push(1, 27), // at 5 at
  'CODECOPY', // 27 at 5 at: gas and length to the right end of memory word 0
  push(1, 5), // at
  'ADD', // 5 at: from here on `at` is the place of the data
  'PUSH0', // at
  'MLOAD', // 0 at
  'DUP1', // head at
  push(2, 0xffff), // head head at
  'AND', // 65535 head head at
  'DUP1', // len head at
  'DUP4', // len len head at
  push(1, 32), // at len len head at
  'CODECOPY', // 32 at len len head at: the data to memory from byte 32 on
  'PUSH0', // len head at: no output, so what a call returns is never copied
  'PUSH0', // 0 len head at
  'DUP3', // 0 0 len head at
  push(1, 32), // len 0 0 len head at
  'PUSH0', // 32 len 0 0 len head at: no ether
  push(20, target), // 0 32 len 0 0 len head at
  'DUP8', // target 0 32 len 0 0 len head at
  push(1, 16), // head target 0 32 len 0 0 len head at
  'SHR', // 16 head target 0 32 len 0 0 len head at
  'CALL', // gas target 0 32 len 0 0 len head at
  'POP', // ok len head at: a failure is seen by the missing logs
  'SWAP1', // len head at
  'POP', // head len at
  'ADD', // len at
  'DUP1', // at
  ...(isOnly ? AGAIN_TO_END : againTo(run)),
]

/** The records of the only run reach to the end of the code. */
const AGAIN_TO_END: readonly Step[] = [
  'CODESIZE', // at at
  'GT', // codesize at at
  push(1, { at: 'loop 0' }), // more at
  'JUMPI', // loop more at
]

const againTo = (run: number): Step[] => [
  push(2, { at: `records ${run + 1}` }), // at at: the end of its records
  'GT', // end at at
  push(2, { at: `loop ${run}` }), // more at
  'JUMPI', // loop more at
  'POP', // at
]

/** The cost of a creation before its first instruction: EIP-2028 for bytes, EIP-3860 for words. */
export const gasOfCreation = (data: Hex): bigint => CREATION_GAS + gasOfBytes(data) + 2n * BigInt(Math.ceil(size(data) / 32))
