import type { Hex } from 'viem'
import { type EvmNetworkId, networks } from '../../x402/networks'
import type { Authorization } from '../../x402/payment'
import { MULTICALL } from './abi'
import { aggregateCall, type Proof, transferCall } from './calldata'
import { cappedBatch } from './capped-batch'
import type { Fees } from './fees'
import type { Signer } from './signer'

/** What to sign for one settlement: the authorization as the ledger keeps it. */
export type SignedTransfer = { authorization: Authorization; signature: Hex; proof: Proof }

/** A transaction ready to be committed and then sent. */
export type SignedTransaction = Fees & { kind: 'pay' | 'batch' | 'noop'; raw: Hex; hash: Hex; gas: bigint }

/** A call of a lane, and the gas it may burn; to nothing: a program that makes calls. */
export type Call = { kind: SignedTransaction['kind']; to: Hex | null; data: Hex; gas: bigint }

/** A transfer costs about 86,000 gas, 103,000 to a new recipient. */
export const GAS_BY_PROOF = { key: 120_000n, code: 250_000n } as const satisfies Record<Proof, bigint>
/** The transfer itself, without the transaction around it: about 61,000 gas, 78,000 to a new recipient. */
const GAS_IN_BATCH = { key: 100_000n, code: 230_000n } as const satisfies Record<Proof, bigint>
const GAS_OF_TRIAL = 60_000n
const GAS_OF_NOOP = 21_000n

/** From so many members on, a batch that caps the gas of each call is cheaper than Multicall3 (measured). */
const CAPPED_FROM = 16

/**
 * The call that carries these transfers: the transfer itself, or a batch in which none can fail the others. A payer may give its account code
 * at any time (EIP-7702), and the token calls it: in a capped batch that code burns its own share only. `guarded` asks for one at any size.
 */
export function carryingCall(network: EvmNetworkId, transfers: readonly SignedTransfer[], guarded: boolean): Call {
  const { asset } = networks[network]
  const calls = transfers.map(({ authorization, signature, proof }) => transferCall(authorization, signature, proof))
  const [only, ...more] = transfers
  const [data] = calls
  if (only && data && more.length === 0) return { kind: 'pay', to: asset, data, gas: GAS_BY_PROOF[only.proof] }
  if (!guarded && transfers.length < CAPPED_FROM) return { kind: 'batch', ...trialCall(network, transfers) }
  const capped = transfers.map(({ proof }, at) => ({ data: calls[at] ?? '0x', gas: GAS_IN_BATCH[proof] }))
  return { kind: 'batch', to: null, ...cappedBatch(asset, capped) }
}

/** One Multicall3 call with these transfers in their order, which tells of each whether it would be paid. */
export function trialCall(network: EvmNetworkId, transfers: readonly SignedTransfer[]): { to: Hex; data: Hex; gas: bigint } {
  const target = networks[network].asset
  const calls = transfers.map(({ authorization, signature, proof }) => transferCall(authorization, signature, proof))
  const gas = transfers.reduce((sum, { proof }) => sum + GAS_IN_BATCH[proof], GAS_OF_TRIAL)
  return { to: MULTICALL, data: aggregateCall(calls.map((callData) => ({ target, callData }))), gas }
}

/** A call to the lane itself, which only uses its nonce. */
export function noopCall(signer: Signer): Call {
  return { kind: 'noop', to: signer.address, data: '0x', gas: GAS_OF_NOOP }
}

/** Signs a call of a lane. The same call with the same nonce and fees gives the same bytes. */
export function signCall(network: EvmNetworkId, signer: Signer, nonce: bigint, call: Call, fees: Fees): SignedTransaction {
  const { kind, to, data, gas } = call
  const { maxFeePerGas, tipPerGas } = fees
  const { chainId } = networks[network]
  const transaction = { type: 'eip1559', chainId, to, data, gas, maxFeePerGas, maxPriorityFeePerGas: tipPerGas } as const
  return { kind, gas, maxFeePerGas, tipPerGas, ...signer.sign({ ...transaction, nonce: Number(nonce) }) }
}
