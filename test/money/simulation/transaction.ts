import { decodeFunctionData, type Hex, keccak256, parseAbi, parseTransaction, serializeTransaction } from 'viem'
import { recoverAddress } from '../../../server/chains/evm/signer'
import { callsInCappedBatch } from '../../support/nodes/capped-batch'
import { type Act, readActs, readDeposit } from './channel-contract'
import { readApproval, readSettle } from './permit2'
import type { Authorization } from './token'

/** A decoded transaction. */
export type Transaction = {
  hash: Hex
  raw: Hex
  sender: Hex
  nonce: bigint
  maxFeePerGas: bigint
  tipPerGas: bigint
  gas: bigint
  /** Its recipient; null for a program. */
  to: Hex | null
  /** The ether that it sends, in wei. */
  value: bigint
  /** Its calldata. */
  data: Hex
  call: Call
}

/**
 * The transfers of a call: one that must not fail, or several that may. Or how much a payer lets Permit2 take, or acts on channels that fail
 * together.
 */
export type Call = {
  kind: 'one' | 'several' | 'nothing' | 'approval' | 'acts'
  transfers: Authorization[]
  allows: bigint | null
  acts?: Act[]
}

/** What the token's `approve` takes; with less it fails. */
export const GAS_OF_APPROVAL = 46_000n

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
const aggregate = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'function aggregate3(Call3[] calls) payable',
])

const AGGREGATE = '0x82ad56cb'

/** Decodes a signed transaction. Throws for other bytes. */
export function readTransaction(raw: Hex): Transaction {
  const read = parseTransaction(raw)
  if (read.type !== 'eip1559') throw new Error('a transaction of another type')
  const { r, s, yParity, v: _, ...unsigned } = read
  const hash = keccak256(serializeTransaction(unsigned))
  const sender = recoverAddress(hash, { r: r ?? '0x', s: s ?? '0x', v: yParity === 1 ? 28 : 27 })
  if (!sender) throw new Error('an unsigned transaction')
  return {
    hash: keccak256(raw),
    raw,
    sender,
    nonce: BigInt(read.nonce ?? 0),
    maxFeePerGas: read.maxFeePerGas ?? 0n,
    tipPerGas: read.maxPriorityFeePerGas ?? 0n,
    gas: read.gas ?? 0n,
    to: read.to ? lower(read.to) : null,
    value: read.value ?? 0n,
    data: read.data ?? '0x',
    call: readCall(read.data ?? '0x'),
  }
}

/** The transfers in calldata: one call of the token or the proxy, or a batch of calls. */
function readCall(data: Hex): Call {
  if (data === '0x') return { kind: 'nothing', transfers: [], allows: null }
  const allows = readApproval(data)
  if (allows !== null) return { kind: 'approval', transfers: [], allows }
  const acts = readActs(data)
  if (acts) return { kind: 'acts', transfers: [], allows: null, acts }
  const several = data.startsWith(AGGREGATE) ? callsIn(data) : callsInCappedBatch(data)
  if (several) return { kind: 'several', transfers: several.map(readTransfer), allows: null }
  return { kind: 'one', transfers: [readTransfer(data)], allows: null }
}

/** The calls of a multicall. */
export function callsIn(data: Hex): Hex[] {
  const { args } = decodeFunctionData({ abi: aggregate, data })
  return args[0].map(({ callData }) => callData)
}

/** The authorization in a transfer's calldata. */
export function readTransfer(data: Hex): Authorization {
  const other = readSettle(data) ?? readDeposit(data)
  if (other) return other
  const { args } = decodeFunctionData({ abi, data })
  const [from, to, value, validAfter, validBefore, nonce] = args
  return { method: 'eip3009', from: lower(from), to: lower(to), value, validAfter, validBefore, nonce, permit: null }
}

const lower = (address: Hex): Hex => `0x${address.slice(2).toLowerCase()}`
