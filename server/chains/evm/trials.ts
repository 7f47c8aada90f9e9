import { concatHex, type Hex, hexToBytes, numberToHex, size } from 'viem'
import { gasOfCreation } from './capped-calls'
import { asHex } from './rpc'

/** Whether the token would take a transfer, and whether its payer has code. */
export type Trial = { paid: boolean; hasCode: boolean }

/** The calldata of a transfer, with its gas limit. */
export type TrialCall = { data: Hex; gas: bigint }

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
  const data = concatHex([trialProgram(target), ...records])
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

/** The number of bytes of the program, which has the contract's address twice. */
export const TRIAL_PROGRAM_BYTES = 114
/** Where the arguments of a call begin in the memory: behind its selector. */
const ARGUMENTS_AT = 96 + 4

// On the right: the stack before the instruction, top first. `n` counts the results, which fill the memory from byte 0; `at` is the
// position of the next record in the code. Word 64 of the memory has gas and length, the data begins at byte 96.
const trialProgram = ({ to: target, payerWord }: TrialTarget): Hex =>
  concatHex([
    '0x5f', //      PUSH0        -
    '0x61', //      PUSH2        n                        the first record
    numberToHex(TRIAL_PROGRAM_BYTES, { size: 2 }),
    '0x5b', //      JUMPDEST     at n                     byte 4, the loop
    '0x6005', //    PUSH1 5      at n
    '0x81', //      DUP2         5 at n
    '0x605b', //    PUSH1 91     at 5 at n
    '0x39', //      CODECOPY     91 at 5 at n             gas and length to the right end of word 64
    '0x6005', //    PUSH1 5      at n
    '0x01', //      ADD          5 at n                   from here on `at` is the place of the data
    '0x6040', //    PUSH1 64     at n
    '0x51', //      MLOAD        64 at n
    '0x80', //      DUP1         head at n
    '0x61ffff', //  PUSH2 65535  head head at n
    '0x16', //      AND          65535 head head at n
    '0x80', //      DUP1         len head at n
    '0x83', //      DUP4         len len head at n
    '0x6060', //    PUSH1 96     at len len head at n
    '0x39', //      CODECOPY     96 at len len head at n
    '0x5f', //      PUSH0        len head at n            no output is copied
    '0x5f', //      PUSH0        0 len head at n
    '0x82', //      DUP3         0 0 len head at n
    '0x6060', //    PUSH1 96     len 0 0 len head at n
    '0x5f', //      PUSH0        96 len 0 0 len head at n no ether
    '0x73', //      PUSH20       0 96 len 0 0 len head at n
    target,
    '0x87', //      DUP8         token 0 96 len 0 0 len head at n
    '0x6010', //    PUSH1 16     head token 0 96 len 0 0 len head at n
    '0x1c', //      SHR          16 head token 0 96 len 0 0 len head at n
    '0xf1', //      CALL         gas token 0 96 len 0 0 len head at n
    '0x73', //      PUSH20       ok len head at n
    target,
    '0x3b', //      EXTCODESIZE  target ok len head at n  a call of an account without code succeeds
    '0x1515', //    ISZERO twice size ok len head at n
    '0x16', //      AND          1 ok len head at n
    '0x61', //      PUSH2        paid len head at n       the payer among the arguments
    numberToHex(ARGUMENTS_AT + 32 * payerWord, { size: 2 }),
    '0x51', //      MLOAD        place paid len head at n
    '0x3b', //      EXTCODESIZE  payer paid len head at n
    '0x1515', //    ISZERO twice size paid len head at n
    '0x6001', //    PUSH1 1      coded paid len head at n
    '0x1b', //      SHL          1 coded paid len head at n
    '0x17', //      OR           2coded paid len head at n
    '0x84', //      DUP5         bits len head at n
    '0x53', //      MSTORE8      n bits len head at n
    '0x90', //      SWAP1        len head at n
    '0x50', //      POP          head len at n
    '0x01', //      ADD          len at n
    '0x90', //      SWAP1        at n
    '0x6001', //    PUSH1 1      n at
    '0x01', //      ADD          1 n at
    '0x90', //      SWAP1        n at
    '0x80', //      DUP1         at n
    '0x38', //      CODESIZE     at at n
    '0x11', //      GT           codesize at at n
    '0x6004', //    PUSH1 4      more at n
    '0x57', //      JUMPI        4 more at n
    '0x50', //      POP          at n
    '0x5f', //      PUSH0        n
    '0xf3', //      RETURN       0 n                      a byte per transfer: code may not begin with 0xef, and does not
  ])
