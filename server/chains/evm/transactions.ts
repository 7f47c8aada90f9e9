import { type Hex, parseTransaction, size } from 'viem'
import { type EvmNetworkId, networkRow } from '../../x402/networks/networks'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import { aggregateCall } from './calldata'
import { type BatchedCall, CREATION_BYTES_MAX, cappedBatch } from './capped-calls'
import { deployingProgram } from './deployments'
import { BYTES_OF_ENVELOPE, type Fees, gasOfData, gasOn } from './gas'
import type { Signer } from './signer'

/** A signed transaction, ready to commit and then send. */
export type SignedTransaction = Fees & { kind: 'pay' | 'batch' | 'noop' | 'fund'; raw: Hex; hash: Hex; gas: bigint }

/** A call of a lane with its gas limit; without a recipient it is a program that makes calls. */
type Call = { kind: SignedTransaction['kind']; to: Hex | null; data: Hex; gas: bigint; value?: bigint }

const GAS_OF_TRIAL = 60_000n
const GAS_OF_NOOP = 21_000n

/** From this size on a batch with a gas cap per call is cheaper than Multicall3 (measured). */
const CAPPED_FROM = 16

/** The most gas that the transfers of one transaction may take: chains limit a transaction to 2^24 (EIP-7825). */
export const BATCH_GAS_MAX = 15_000_000n

/** The most gas of a transfer as one call of many. */
export const gasInBatch = (network: EvmNetworkId, transfer: SignedTransfer): bigint =>
  gasOn(network, methodFor(transfer).gas(transfer).inBatch)

/** Whether a transfer takes more gas than one transaction may: it is never signed. */
export const isTooLarge = (network: EvmNetworkId, transfer: SignedTransfer): boolean =>
  gasOn(network, methodFor(transfer).gas(transfer).alone) > BATCH_GAS_MAX

/** The call of a transfer within a batch. */
export function callInBatch(network: EvmNetworkId, transfer: SignedTransfer): BatchedCall {
  return { ...methodFor(transfer).call(transfer), gas: gasInBatch(network, transfer) }
}

/** The calls of a transfer, the last of which makes it. */
export function callsOf(network: EvmNetworkId, transfer: SignedTransfer): BatchedCall[] {
  const deployment = methodFor(transfer).deployment(transfer)
  const deploying = deployment ? [{ ...deployment, gas: gasOn(network, deployment.gas) }] : []
  return [...deploying, callInBatch(network, transfer)]
}

/**
 * The call for these transfers: one transfer, or a batch in which none can fail the others. A payer can set code at any time (EIP-7702)
 * and the contracts call it; a capped batch limits that code to its share. `guarded` caps at any size.
 */
export function transfersCall(network: EvmNetworkId, transfers: readonly SignedTransfer[], guarded: boolean): Call {
  const [only, ...more] = transfers
  if (only && more.length === 0) {
    const method = methodFor(only)
    const gas = gasOn(network, method.gas(only).alone)
    const factory = method.deployment(only)
    if (!factory) return { kind: 'pay', ...method.call(only), gas }
    const [wallet, transfer] = [only.authorization.from, callInBatch(network, only)]
    const deploying = { ...factory, gas: gasOn(network, factory.gas) }
    return { kind: 'pay', to: null, gas, data: deployingProgram({ wallet, factory: deploying, transfer }) }
  }
  if (!guarded && transfers.length < CAPPED_FROM) return { kind: 'batch', ...trialCall(network, transfers) }
  const capped = cappedBatch(transfers.flatMap((transfer) => callsOf(network, transfer)))
  // Long signatures may not fit into a program.
  return { kind: 'batch', ...(size(capped.data) > CREATION_BYTES_MAX ? trialCall(network, transfers) : { to: null, ...capped }) }
}

/** One Multicall3 call that simulates these transfers in order and reports each result, as `callsOf` counts them. */
export function trialCall(network: EvmNetworkId, transfers: readonly SignedTransfer[]): { to: Hex; data: Hex; gas: bigint } {
  const calls = transfers.flatMap((transfer) => callsOf(network, transfer))
  const gas = calls.reduce((sum, call) => sum + call.gas, gasOn(network, GAS_OF_TRIAL))
  return { to: networkRow(network).multicall, data: aggregateCall(calls), gas }
}

/** A call to the lane itself that only uses its nonce. */
export function noopCall(network: EvmNetworkId, signer: Signer): Call {
  return { kind: 'noop', to: signer.address, data: '0x', gas: gasOn(network, GAS_OF_NOOP) }
}

/** A transfer of ether to a payer, so that it can pay for its approval. */
export function fundingCall(network: EvmNetworkId, to: Hex, value: bigint): Call {
  return { kind: 'fund', to, data: '0x', gas: gasOn(network, GAS_OF_NOOP), value }
}

/** The most that a signed transaction takes from its signer, in wei, without the price of its data on an L1. */
export function mostOf({ raw, gas, maxFeePerGas }: Pick<SignedTransaction, 'raw' | 'gas' | 'maxFeePerGas'>): bigint {
  return gas * maxFeePerGas + (parseTransaction(raw).value ?? 0n)
}

/** The gas limit of a call that only uses a nonce. */
export const gasOfNoop = (network: EvmNetworkId): bigint => gasOn(network, GAS_OF_NOOP) + gasOfData(network, BYTES_OF_ENVELOPE)

/** The gas limit of a transaction that makes a call, with what the network charges for its bytes. */
export const gasLimitOf = (network: EvmNetworkId, { data, gas }: Pick<Call, 'data' | 'gas'>): bigint =>
  gas + gasOfData(network, size(data) + BYTES_OF_ENVELOPE)

/** Signs a call of a lane. The same call, nonce and fees give the same bytes. */
export function signCall(network: EvmNetworkId, signer: Signer, nonce: bigint, call: Call, fees: Fees): SignedTransaction {
  const { kind, to, data, value } = call
  const { maxFeePerGas, tipPerGas } = fees
  const { chainId, fees: model } = networkRow(network)
  const gas = gasLimitOf(network, call)
  const shared = { chainId, to, data, gas, value, nonce: Number(nonce) }
  const transaction =
    model === 'legacy'
      ? ({ ...shared, type: 'legacy', gasPrice: maxFeePerGas } as const)
      : ({ ...shared, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas: tipPerGas } as const)
  return { kind, gas, maxFeePerGas, tipPerGas, ...signer.sign(transaction) }
}
