import { type Hex, hexToBigInt, numberToHex, size, sliceHex } from 'viem'
import type { Rpc } from '../rpc'
import { assemble, push, type Step } from './assembler'
import { EIP1271_MAGIC, walletCall } from './calldata'
import { type BatchedCall, gasOfCreation } from './capped-calls'
import { asHex } from './rpc'

/** A wallet that its factory puts on the chain, and the transfer that it then makes. */
type Deploying = { wallet: Hex; factory: BatchedCall; transfer: BatchedCall }

/**
 * A transaction without a recipient: its data is a program that calls a factory, ends with a revert if the wallet has no code then, and
 * makes the transfer. The factory's caller is the program's own address: it has no rights, and nothing else ever runs there. A factory
 * that fails is no end, because another transaction may have deployed the wallet. Neither call can exceed its own gas.
 */
export function deployingProgram({ wallet, factory, transfer }: Deploying): Hex {
  return assemble([
    ...call({ ...factory, from: 'factory', memory: 0 }),
    'POP', // A failure shows in the missing code.
    push(20, wallet),
    'EXTCODESIZE',
    push(2, { at: 'deployed' }),
    'JUMPI',
    'PUSH0',
    'PUSH0',
    'REVERT',
    { jumpdest: 'deployed' },
    ...call({ ...transfer, from: 'transfer', memory: 0 }),
    'POP', // A failure shows in the missing logs.
    'STOP', // It returns nothing: the new contract has no code.
    { label: 'factory' },
    { data: factory.data },
    { label: 'transfer' },
    { data: transfer.data },
  ])
}

type PlacedCall = BatchedCall & {
  /** The label of its data in the code, and where to put it in memory. */
  from: string
  memory: number
  /** Where its answer goes, and how much of it. */
  answer?: { at: number; keep: number }
}

/** CODECOPY(memory, from, length), then CALL; leaves on the stack whether it succeeded. */
function call({ to, data, gas, from, memory, answer = { at: 0, keep: 0 } }: PlacedCall): Step[] {
  const length = push(2, size(data))
  const copy: Step[] = [length, push(2, { at: from }), push(2, memory), 'CODECOPY']
  return [...copy, push(2, answer.keep), push(2, answer.at), length, push(2, memory), 'PUSH0', push(20, to), push(3, gas), 'CALL']
}

/** What came of a deployment and its transfer in a simulation. */
type Deployed = {
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
  const program = assemble([
    ...call({ ...factory, from: 'factory', memory: answered }),
    'POP',
    push(20, wallet),
    'EXTCODESIZE',
    ...stored(0),
    ...call({ ...transfer, from: 'transfer', memory: answered, answer: { at: WORDS * WORD, keep: KEEP } }),
    ...stored(1),
    'RETURNDATASIZE',
    ...stored(2),
    ...call({ ...asked, from: 'approval', memory: answered, answer: { at: 5 * WORD, keep: WORD } }),
    ...stored(3),
    'RETURNDATASIZE',
    ...stored(4),
    push(2, answered),
    'PUSH0',
    'RETURN', // The first byte is 0: code may not begin with 0xef.
    { label: 'factory' },
    { data: factory.data },
    { label: 'transfer' },
    { data: transfer.data },
    { label: 'approval' },
    { data: asked.data },
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
const stored = (index: number): Step[] => [push(1, index * WORD), 'MSTORE']
