import type { Hex } from 'viem'
import { type EvmNetworkId, mainAsset, networkRow } from '../../x402/networks'
import type { Authorization } from '../../x402/payment'
import { aggregateCall, MULTICALL, type Proof, transferCall } from './calldata'
import { cappedBatch } from './capped-calls'
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
export const GAS_IN_BATCH = { key: 100_000n, code: 230_000n } as const satisfies Record<Proof, bigint>
const GAS_OF_TRIAL = 60_000n
const GAS_OF_NOOP = 21_000n

/** From this size on a batch with a gas cap per call is cheaper than Multicall3 (measured). */
const CAPPED_FROM = 16

/**
 * The call for these transfers: one transfer, or a batch in which none can fail the others. A payer can set code at any time (EIP-7702)
 * and the token calls it; a capped batch limits that code to its share. `guarded` caps at any size.
 */
export function transfersCall(network: EvmNetworkId, transfers: readonly SignedTransfer[], guarded: boolean): Call {
  const { address: asset } = mainAsset(network)
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
  const target = mainAsset(network).address
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
  const { chainId } = networkRow(network)
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
