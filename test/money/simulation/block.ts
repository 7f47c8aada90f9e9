import type { Hex } from 'viem'
import type { ChannelConfig } from '../../../server/x402/schemes/batch-settlement/channel'
import { deposit, makeActs, withdraw } from './channel-contract'
import { approve, invalidate, settle, settleData, takePermit } from './permit2'
import {
  type Authorization,
  type ContractLog,
  cancel,
  copyOf,
  move,
  type Sent,
  spentBy,
  type TokenState,
  type Trial,
  transferByToken,
} from './token'
import { GAS_OF_APPROVAL, type Transaction } from './transaction'

/** A transaction in a block, with its result. */
export type Executed = {
  hash: Hex
  sender: Hex
  succeeded: boolean
  gasUsed: bigint
  gasPrice: bigint
  logs: ContractLog[]
  /** The keys of the authorizations that it used. */
  uses: string[]
  /** Its calldata, where the service may read it. */
  input: Hex
  /** The transaction itself if one of our lanes signed it. */
  ours: Transaction | null
  /** The transaction itself if a payer signed it. */
  payers: Transaction | null
}

/**
 * An action of another account on the token or Permit2. `permit`: it uses only the token's permit of a payment. `isFirst`: it is before all
 * transactions of its block.
 */
export type Deed =
  | { kind: 'use' | 'cancel' | 'permit'; authorization: Authorization; hash: Hex; isFirst?: boolean }
  | { kind: 'move'; from: Hex; to: Hex; value: bigint; hash: Hex }
  | { kind: 'approve'; from: Hex; value: bigint; hash: Hex }
  | { kind: 'withdraw'; channel: ChannelConfig; hash: Hex }

/** A block and the state after it. */
export type Block = {
  number: bigint
  hash: Hex
  timestamp: bigint
  baseFee: bigint
  state: TokenState
  nonces: Map<Hex, bigint>
  executed: Executed[]
  deeds: Deed[]
}

const GAS = 86_000n

/** Whether the sender's ether pays for a transaction at its highest price; our lanes have enough. */
export function isCovered({ sender, gas, maxFeePerGas, value }: Transaction, { ether }: TokenState): boolean {
  const held = ether.get(sender)
  return held === undefined || held >= gas * maxFeePerGas + value
}

/** Executes a transaction with the block's next nonce of its sender. */
export function execute(one: Transaction, block: Block, trialOf: (authorization: Authorization) => Trial): Executed {
  const { hash, sender, call, data } = one
  const { state, timestamp, baseFee } = block
  const logs: ContractLog[] = []
  const uses: string[] = []
  for (const authorization of call.transfers) {
    const said = transfer(state, trialOf(authorization), timestamp, { by: hash, sender: call.kind === 'one' ? sender : BATCH })
    if (typeof said === 'string') continue
    logs.push(...said)
    uses.push(spentBy(authorization))
  }
  if (call.allows !== null && one.gas >= GAS_OF_APPROVAL) logs.push(...approve(state, sender, call.allows))
  const before = call.acts ? copyOf(state) : null
  const acted = call.acts ? makeActs(state, call.acts, sender) : []
  if (typeof acted === 'string') Object.assign(state, before)
  else logs.push(...acted)
  const reverted = ((call.kind === 'one' || call.kind === 'approval') && logs.length === 0) || typeof acted === 'string'
  const succeeded = !reverted
  const result = { hash, sender, succeeded, logs, uses, input: data }
  if (!state.ether.has(sender)) {
    give(state, one.to, one.value)
    return { ...result, gasUsed: gasOf(one), gasPrice: baseFee + one.tipPerGas, ours: one, payers: null }
  }
  let gasPrice = baseFee + one.tipPerGas
  if (gasPrice > one.maxFeePerGas) gasPrice = one.maxFeePerGas
  const gasUsed = gasOf(one)
  give(state, sender, -gasUsed * gasPrice - one.value)
  give(state, one.to, one.value)
  return { ...result, gasUsed, gasPrice, ours: null, payers: one }
}

function gasOf({ call, gas }: Transaction): bigint {
  if (call.kind === 'nothing') return 21_000n
  if (call.kind === 'approval') return gas < GAS_OF_APPROVAL ? gas : GAS_OF_APPROVAL
  return GAS + 60_000n * BigInt(Math.max(0, call.transfers.length - 1))
}

/** Adds to a payer's ether; that of other accounts is not counted. */
function give({ ether }: TokenState, to: Hex | null, value: bigint): void {
  const held = to && ether.get(to)
  if (to && held !== undefined && held !== null) ether.set(to, held + value)
}

/** What an action of another account does in a block. */
export function doneBy(deed: Deed, { state, timestamp, baseFee }: Block): Executed[] {
  const { hash } = deed
  const cost = { succeeded: true, gasUsed: GAS, gasPrice: baseFee }
  const none: Executed = { hash, sender: STRANGER, ...cost, logs: [], uses: [], input: '0x', ours: null, payers: null }
  if (deed.kind === 'move') {
    move(state, deed.from, deed.to, deed.value)
    return [none]
  }
  if (deed.kind === 'withdraw') return [{ ...none, logs: withdraw(state, deed.channel, timestamp) }]
  if (deed.kind === 'approve') return [{ ...none, logs: approve(state, deed.from, deed.value) }]
  const { authorization } = deed
  const { method, from, permit } = authorization
  if (deed.kind === 'permit') return permit ? [{ ...none, logs: takePermit(state, from, permit, timestamp) }] : []
  const uses = [spentBy(authorization)]
  if (deed.kind === 'cancel') {
    if (state.used.has(spentBy(authorization))) return [none]
    const logs = (method === 'eip3009' ? cancel : invalidate)(state, authorization, hash)
    return [{ ...none, logs, uses }]
  }
  const logs = transfer(state, { authorization, signed: true, permitSigned: true }, timestamp, { by: hash, sender: STRANGER })
  const input = method === 'permit2' ? settleData(authorization, '0x') : '0x'
  return typeof logs === 'string' ? [] : [{ ...none, logs, uses, input }]
}

/** Tries a transfer by its method's contract in a block at this time. Returns the logs, or the error. */
export function transfer(state: TokenState, trial: Trial, time: bigint, sent: Sent): ContractLog[] | string {
  if (trial.authorization.deposit) return deposit(state, trial, time, sent)
  return (trial.authorization.method === 'eip3009' ? transferByToken : settle)(state, trial, time, sent)
}

/** What calls the contracts of a batch. */
export const BATCH: Hex = `0x${'ba'.repeat(20)}`
const STRANGER: Hex = `0x${'5'.repeat(40)}`
