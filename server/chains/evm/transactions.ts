import { concatHex, type Hex, hexToBytes, size } from 'viem'
import { type EvmNetworkId, networks } from '../../x402/networks'
import type { Authorization } from '../../x402/payment'
import { aggregateCall, MULTICALL, type Proof, transferCall } from './calldata'
import type { Signer } from './signer'

/** What to sign for one settlement: the authorization as the ledger stores it. */
export type SignedTransfer = { authorization: Authorization; signature: Hex; proof: Proof }

/** A signed transaction, ready to commit and then send. */
export type SignedTransaction = Fees & { kind: 'pay' | 'batch' | 'noop'; raw: Hex; hash: Hex; gas: bigint }

/** A call of a lane with its gas limit; without a recipient it is a program that makes calls. */
type Call = { kind: SignedTransaction['kind']; to: Hex | null; data: Hex; gas: bigint }

/** A transfer costs about 86,000 gas, 103,000 to a new recipient. */
export const GAS_BY_PROOF = { key: 120_000n, code: 250_000n } as const satisfies Record<Proof, bigint>
/** The transfer alone, without its transaction: about 61,000 gas, 78,000 to a new recipient. */
const GAS_IN_BATCH = { key: 100_000n, code: 230_000n } as const satisfies Record<Proof, bigint>
const GAS_OF_TRIAL = 60_000n
const GAS_OF_NOOP = 21_000n

/** From this size on a batch with a gas cap per call is cheaper than Multicall3 (measured). */
const CAPPED_FROM = 16

/**
 * The call for these transfers: one transfer, or a batch in which none can fail the others. A payer can set code at any time (EIP-7702)
 * and the token calls it; a capped batch limits that code to its share. `guarded` caps at any size.
 */
export function transfersCall(network: EvmNetworkId, transfers: readonly SignedTransfer[], guarded: boolean): Call {
  const { asset } = networks[network]
  const calls = transfers.map(({ authorization, signature, proof }) => transferCall(authorization, signature, proof))
  const [only, ...more] = transfers
  const [data] = calls
  if (only && data && more.length === 0) return { kind: 'pay', to: asset, data, gas: GAS_BY_PROOF[only.proof] }
  if (!guarded && transfers.length < CAPPED_FROM) return { kind: 'batch', ...trialCall(network, transfers) }
  const capped = transfers.map(({ proof }, at) => ({ data: calls[at] ?? '0x', gas: GAS_IN_BATCH[proof] }))
  return { kind: 'batch', to: null, ...cappedBatch(asset, capped) }
}

/** One Multicall3 call that simulates these transfers in order and reports each result. */
export function trialCall(network: EvmNetworkId, transfers: readonly SignedTransfer[]): { to: Hex; data: Hex; gas: bigint } {
  const target = networks[network].asset
  const calls = transfers.map(({ authorization, signature, proof }) => transferCall(authorization, signature, proof))
  const gas = transfers.reduce((sum, { proof }) => sum + GAS_IN_BATCH[proof], GAS_OF_TRIAL)
  return { to: MULTICALL, data: aggregateCall(calls.map((callData) => ({ target, callData }))), gas }
}

/** A call to the lane itself that only uses its nonce. */
export function noopCall(signer: Signer): Call {
  return { kind: 'noop', to: signer.address, data: '0x', gas: GAS_OF_NOOP }
}

/** Signs a call of a lane. The same call, nonce and fees give the same bytes. */
export function signCall(network: EvmNetworkId, signer: Signer, nonce: bigint, call: Call, fees: Fees): SignedTransaction {
  const { kind, to, data, gas } = call
  const { maxFeePerGas, tipPerGas } = fees
  const { chainId } = networks[network]
  const transaction = { type: 'eip1559', chainId, to, data, gas, maxFeePerGas, maxPriorityFeePerGas: tipPerGas } as const
  return { kind, gas, maxFeePerGas, tipPerGas, ...signer.sign({ ...transaction, nonce: Number(nonce) }) }
}

/** The fees of a transaction, wei per gas. */
export type Fees = { maxFeePerGas: bigint; tipPerGas: bigint }

/** Base orders by tip but is rarely full: its wallets offer 0.001 gwei. */
const TIP_PER_GAS = 1_000_000n

/** Fees that survive six full blocks in a row: twice the base fee, plus the tip. */
export function feesAt(baseFee: bigint): Fees {
  return { maxFeePerGas: baseFee * 2n + TIP_PER_GAS, tipPerGas: TIP_PER_GAS }
}

/** Fees of a replacement: nodes require both an eighth higher, and the base fee may have risen. */
export function raised(earlier: Fees, baseFee: bigint): Fees {
  const tipPerGas = anEighthMore(earlier.tipPerGas)
  const enough = baseFee * 2n + tipPerGas
  const more = anEighthMore(earlier.maxFeePerGas)
  return { maxFeePerGas: enough > more ? enough : more, tipPerGas }
}

function anEighthMore(fee: bigint): bigint {
  return (fee * 9n) / 8n + 1n
}

/** One call of a batch with its gas limit. */
type CappedCall = { data: Hex; gas: bigint }

/**
 * A transaction without a recipient: its data is a program that runs once, calls one contract in order and leaves no contract. No call
 * can fail the others or exceed its own gas, and the gas covers all. Behind the program each call has a record: gas (3 bytes), data
 * length (2 bytes), data.
 */
export function cappedBatch(target: Hex, calls: readonly CappedCall[]): { data: Hex; gas: bigint } {
  const records = calls.map((call) => concatHex([bytesOf(call.gas, 3), bytesOf(BigInt(size(call.data)), 2), call.data]))
  const data = concatHex([program(target), ...records])
  const granted = calls.reduce((sum, call) => sum + call.gas, 0n)
  const most = calls.reduce((highest, { gas }) => {
    if (gas > highest) return gas
    return highest
  }, 0n)
  // A call gets at most 63/64 of the remaining gas (EIP-150), so the last one needs a little more.
  const gas = intrinsicGas(data) + granted + most / 63n + GAS_OF_PROGRAM + GAS_AROUND_CALL * BigInt(calls.length)
  return { data, gas }
}

/** The first call finds the contract cold (EIP-2929). */
const GAS_OF_PROGRAM = 4_000n
/** The program's overhead per call: about 300 gas for a transfer, and 3 for each word of longer data. */
const GAS_AROUND_CALL = 1_000n

// On the right: the stack before the instruction, top first. `at` is the position of the next record in the code.
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

/** The cost of a creation before its first instruction: EIP-2028 for bytes, EIP-3860 for words. */
function intrinsicGas(data: Hex): bigint {
  const bytes = hexToBytes(data)
  const ofBytes = bytes.reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0)
  return 53_000n + BigInt(ofBytes + 2 * Math.ceil(bytes.length / 32))
}
