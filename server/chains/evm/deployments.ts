import { concatHex, type Hex, hexToBigInt, numberToHex, size, sliceHex } from 'viem'
import type { Rpc } from '../rpc'
import { EIP1271_MAGIC, walletCall } from './calldata'
import { type BatchedCall, gasOfCreation } from './capped-calls'
import { asHex } from './rpc'

/** A wallet that its factory puts on the chain, and the transfer that it then makes. */
export type Deploying = { wallet: Hex; factory: BatchedCall; transfer: BatchedCall }

/**
 * A transaction without a recipient: its data is a program that calls a factory, ends with a revert if the wallet has no code then, and
 * makes the transfer. The factory's caller is the program's own address: it has no rights, and nothing else ever runs there. A factory
 * that fails is no end, because another transaction may have deployed the wallet. Neither call can exceed its own gas.
 */
export function deployingProgram({ wallet, factory, transfer }: Deploying): Hex {
  const transferAt = PROGRAM_BYTES + size(factory.data)
  return concatHex([
    ...call({ ...factory, at: PROGRAM_BYTES, memory: 0 }),
    '0x50', //    POP                     a failure shows in the missing code
    ...codeSize(wallet),
    '0x61', //    PUSH2                   the JUMPDEST
    numberToHex(PROGRAM_BYTES - CALL_BYTES - 3, { size: 2 }),
    '0x57', //    JUMPI
    '0x5f5ffd', // REVERT(0, 0)
    '0x5b', //    JUMPDEST
    ...call({ ...transfer, at: transferAt, memory: 0 }),
    '0x50', //    POP                     a failure shows in the missing logs
    '0x00', //    STOP                    returns nothing: the new contract has no code
    factory.data,
    transfer.data,
  ])
}

type PlacedCall = BatchedCall & {
  /** Where its data is in the code, and where to put it in memory. */
  at: number
  memory: number
  /** Where its answer goes, and how much of it. */
  answer?: { at: number; keep: number }
}

/** CODECOPY(memory, at, length), then CALL; leaves on the stack whether it succeeded. */
function call({ to, data, gas, at, memory, answer = { at: 0, keep: 0 } }: PlacedCall): Hex[] {
  const copied = [two(size(data)), two(at), two(memory), '0x39'] as const
  return [...copied, two(answer.keep), two(answer.at), two(size(data)), two(memory), '0x5f', '0x73', to, three(gas), '0xf1']
}

const two = (value: number): Hex => concatHex(['0x61', numberToHex(value, { size: 2 })])
const three = (value: bigint): Hex => concatHex(['0x62', numberToHex(value, { size: 3 })])
const codeSize = (account: Hex): Hex[] => ['0x73', account, '0x3b']

const CALL_BYTES = 49
const PROGRAM_BYTES = 2 * CALL_BYTES + 33

/** What came of a deployment and its transfer in a simulation. */
export type Deployed = {
  hasCode: boolean
  transfer: { success: boolean; returnData: Hex }
  /** Whether the wallet approves the payer's hash (EIP-1271). */
  walletAgrees: boolean
}

/** The bytes of the transfer's answer to read: the error text of a token. */
const KEEP = 384
const WORD = 32
/** The wallet's code, transfer and length of its answer, wallet's approval and length of its answer, the approval. */
const WORDS = 6
/** The gas limit of the wallet's approval, which decides nothing but the reason of a failure. */
const WALLET_GAS = 250_000n
const GAS_AROUND = 60_000n
const GAS_OF_BYTE_OUT = 200n

/**
 * Tries a deployment and its transfer on the newest block, within the gas that each has in a transaction, and asks the wallet afterwards
 * whether it approves. One `eth_call` of creation code, whose answer has a fixed length. Throws when the node is silent.
 */
export async function tryDeployment(
  rpc: Rpc,
  { wallet, factory, transfer }: Deploying,
  approval: { hash: Hex; signature: Hex },
): Promise<Deployed> {
  const asked = { to: wallet, data: walletCall(approval.hash, approval.signature), gas: WALLET_GAS }
  const answered = WORDS * WORD + KEEP
  const data = [factory.data, transfer.data, asked.data]
  const at = (index: number) => TRIAL_BYTES + data.slice(0, index).reduce((sum, one) => sum + size(one), 0)
  const program = concatHex([
    ...call({ ...factory, at: at(0), memory: answered }),
    '0x50', //    POP
    ...codeSize(wallet),
    ...stored(0),
    ...call({ ...transfer, at: at(1), memory: answered, answer: { at: WORDS * WORD, keep: KEEP } }),
    ...stored(1),
    '0x3d', //    RETURNDATASIZE
    ...stored(2),
    ...call({ ...asked, at: at(2), memory: answered, answer: { at: 5 * WORD, keep: WORD } }),
    ...stored(3),
    '0x3d', //    RETURNDATASIZE
    ...stored(4),
    two(answered),
    '0x5ff3', //  RETURN(0, answered)     the first byte is 0: code may not begin with 0xef
    ...data,
  ])
  const granted = factory.gas + transfer.gas + asked.gas
  const gas = gasOfCreation(program) + granted + granted / 63n + GAS_AROUND + BigInt(answered) * GAS_OF_BYTE_OUT
  const bytes = asHex(await rpc('eth_call', [{ data: program, gas: numberToHex(gas) }, 'latest'], 'alone'), 'eth_call')
  if (size(bytes) !== answered) throw new Error('node answered the trial of a deployment with another length')
  const word = (index: number) => hexToBigInt(sliceHex(bytes, index * WORD, (index + 1) * WORD))
  const length = Number(word(2) < BigInt(KEEP) ? word(2) : KEEP)
  const approved = sliceHex(bytes, 5 * WORD, WORDS * WORD) === EIP1271_MAGIC.padEnd(2 + 2 * WORD, '0')
  return {
    hasCode: word(0) > 0n,
    transfer: { success: word(1) === 1n, returnData: length === 0 ? '0x' : sliceHex(bytes, WORDS * WORD, WORDS * WORD + length) },
    walletAgrees: approved && word(3) === 1n && word(4) === BigInt(WORD),
  }
}

/** MSTORE of the stack's top into a word of the answer. */
const stored = (index: number): Hex[] => ['0x60', numberToHex(index * WORD, { size: 1 }), '0x52']

const TRIAL_BYTES = 3 * CALL_BYTES + 1 + 22 + 5 * 3 + 2 + 3 + 2
