import { LRUCache } from 'lru-cache'
import { concatHex, type Hex, hexToBytes, numberToHex, size } from 'viem'
import { assemble, push } from './assembler'
import { gasOfCreation } from './capped-calls'
import { asHex } from './rpc'

/** Whether the token would take a transfer, and whether its payer has code. */
export type Trial = { paid: boolean; hasCode: boolean }

/** The calldata of a transfer, with its gas limit. */
type TrialCall = { data: Hex; gas: bigint }

/** The contract that makes the transfers of a trial, and which argument of the call names the payer. */
export type TrialTarget = { to: Hex; payerWord: number }

/** The number of transfers of one trial. */
export const TRIALS_MAX = 32

const GAS_OF_PROGRAM = 10_000n
/** The account of a payer and its code are cold (EIP-2929). */
const GAS_AROUND_CALL = 5_000n
const GAS_OF_BYTE_OUT = 200n

/**
 * Parameters of an `eth_call` that tries transfers by one contract in order, each behind those before it and within its own gas. It is
 * creation code, which every node runs. Behind the program each transfer has a record: gas (3 bytes), data length (2 bytes), data. Throws
 * for more than `TRIALS_MAX`: their results would lie where the next record is read.
 */
export function trialOf(target: TrialTarget, calls: readonly TrialCall[]): { data: Hex; gas: Hex } {
  if (calls.length > TRIALS_MAX) throw new Error(`a trial has at most ${TRIALS_MAX} transfers`)
  const records = calls.map(({ data, gas }) =>
    concatHex([numberToHex(gas, { size: 3 }), numberToHex(size(data), { size: 2 }), data]),
  )
  const data = concatHex([programFor(target), ...records])
  const granted = calls.reduce((sum, { gas }) => sum + gas, 0n)
  const around = GAS_OF_PROGRAM + BigInt(calls.length) * (GAS_AROUND_CALL + GAS_OF_BYTE_OUT)
  // A call passes on 63 of 64 parts of the remaining gas (EIP-150).
  const gas = gasOfCreation(data) + granted + granted / 63n + around
  return { data, gas: numberToHex(gas) }
}

/** Reads the results of a trial. Throws on an invalid response. */
export function readTrials(answer: unknown, count: number): Trial[] {
  const bytes = hexToBytes(asHex(answer, 'eth_call'))
  if (bytes.length !== count) throw new Error('node answered a trial with another number of results')
  return [...bytes].map((bits) => ({ paid: (bits & 1) === 1, hasCode: (bits & 2) === 2 }))
}

// Every verify needs one, and there are few tokens.
const programs = new LRUCache<string, Hex, TrialTarget>({
  max: 256,
  memoMethod: (_key, _stale, { context }) => trialProgram(context),
})
const programFor = (target: TrialTarget): Hex => programs.memo(`${target.to} ${target.payerWord}`, { context: target })

/** Where the arguments of a call begin in the memory: behind its selector. */
const ARGUMENTS_AT = 96 + 4

// On the right: the stack before the instruction, top first. `n` counts the results, which fill the memory from byte 0; `at` is the
// position of the next record in the code. Word 64 of the memory has gas and length, the data begins at byte 96.
const trialProgram = ({ to: target, payerWord }: TrialTarget): Hex =>
  assemble([
    'PUSH0', // -
    push(2, { at: 'records' }), // n
    { jumpdest: 'loop' }, // at n
    push(1, 5), // at n
    'DUP2', // 5 at n
    push(1, 91), // at 5 at n
    'CODECOPY', // 91 at 5 at n: gas and length to the right end of word 64
    push(1, 5), // at n
    'ADD', // 5 at n: from here on `at` is the place of the data
    push(1, 64), // at n
    'MLOAD', // 64 at n
    'DUP1', // head at n
    push(2, 0xffff), // head head at n
    'AND', // 65535 head head at n
    'DUP1', // len head at n
    'DUP4', // len len head at n
    push(1, 96), // at len len head at n
    'CODECOPY', // 96 at len len head at n
    'PUSH0', // len head at n: no output is copied
    'PUSH0', // 0 len head at n
    'DUP3', // 0 0 len head at n
    push(1, 96), // len 0 0 len head at n
    'PUSH0', // 96 len 0 0 len head at n: no ether
    push(20, target), // 0 96 len 0 0 len head at n
    'DUP8', // token 0 96 len 0 0 len head at n
    push(1, 16), // head token 0 96 len 0 0 len head at n
    'SHR', // 16 head token 0 96 len 0 0 len head at n
    'CALL', // gas token 0 96 len 0 0 len head at n
    push(20, target), // ok len head at n
    'EXTCODESIZE', // target ok len head at n: a call of an account without code succeeds
    'ISZERO', // size ok len head at n
    'ISZERO', // !size ok len head at n
    'AND', // 1 ok len head at n
    push(2, ARGUMENTS_AT + 32 * payerWord), // paid len head at n: the payer among the arguments
    'MLOAD', // place paid len head at n
    'EXTCODESIZE', // payer paid len head at n
    'ISZERO', // size paid len head at n
    'ISZERO', // !size paid len head at n
    push(1, 1), // coded paid len head at n
    'SHL', // 1 coded paid len head at n
    'OR', // 2coded paid len head at n
    'DUP5', // bits len head at n
    'MSTORE8', // n bits len head at n
    'SWAP1', // len head at n
    'POP', // head len at n
    'ADD', // len at n
    'SWAP1', // at n
    push(1, 1), // n at
    'ADD', // 1 n at
    'SWAP1', // n at
    'DUP1', // at n
    'CODESIZE', // at at n
    'GT', // codesize at at n
    push(1, { at: 'loop' }), // more at n
    'JUMPI', // loop more at n
    'POP', // at n
    'PUSH0', // n
    'RETURN', // 0 n: a byte per transfer; code may not begin with 0xef, and does not
    { label: 'records' },
  ])
