import { concatHex, type Hex, hexToBytes, size } from 'viem'

/** One call of a batch, and the gas that it may burn at most. */
export type CappedCall = { data: Hex; gas: bigint }

/**
 * A transaction without a recipient: its data is a program that runs once and leaves no contract. It makes calls of one contract in
 * their order. No call can fail the others, and none can burn more gas than its own. The gas is enough for all of them.
 *
 * Behind the program lies a record for each call: its gas (3 bytes), the length of its data (2 bytes), its data.
 */
export function cappedBatch(target: Hex, calls: readonly CappedCall[]): { data: Hex; gas: bigint } {
  const records = calls.map((call) => concatHex([bytesOf(call.gas, 3), bytesOf(BigInt(size(call.data)), 2), call.data]))
  const data = concatHex([program(target), ...records])
  const granted = calls.reduce((sum, call) => sum + call.gas, 0n)
  const most = calls.reduce((highest, { gas }) => {
    if (gas > highest) return gas
    return highest
  }, 0n)
  // A call gets at most 63/64 of what is left (EIP-150), so the last one needs a little more than its own gas.
  const gas = intrinsicGas(data) + granted + most / 63n + GAS_OF_PROGRAM + GAS_AROUND_CALL * BigInt(calls.length)
  return { data, gas }
}

/** The first call finds the contract cold (EIP-2929). */
const GAS_OF_PROGRAM = 4_000n
/** What the program spends on a call besides the call itself: about 300 for a transfer, and 3 for each word of longer data. */
const GAS_AROUND_CALL = 1_000n

// On the right: the stack before the instruction, its top first. `at` is the place of the next record in the code.
const program = (target: Hex): Hex =>
  concatHex([
    '0x610044', //  PUSH2 68     -                        the first record: the program has 68 bytes
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
    '0x38', //      CODESIZE     at at
    '0x11', //      GT           codesize at at
    '0x6003', //    PUSH1 3      more at
    '0x57', //      JUMPI        3 more at
    '0x00', //      STOP         at                       returns nothing: the new contract has no code
  ])

const bytesOf = (value: bigint, length: number): Hex => `0x${value.toString(16).padStart(length * 2, '0')}`

/** What a creation costs before its first instruction: EIP-2028 for its bytes, EIP-3860 for its words. */
function intrinsicGas(data: Hex): bigint {
  const bytes = hexToBytes(data)
  const ofBytes = bytes.reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0)
  return 53_000n + BigInt(ofBytes + 2 * Math.ceil(bytes.length / 32))
}
