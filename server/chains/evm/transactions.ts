import { encodeFunctionData, type Hex } from 'viem'
import { type EvmNetworkId, networks } from '../../x402/networks'
import type { Authorization } from '../../x402/payment'
import { MULTICALL, multicallAbi } from './abi'
import { type Proof, transferCall } from './calldata'
import type { Fees } from './fees'
import type { Signer } from './signer'

/** What to sign for one settlement: the authorization as the ledger keeps it. */
export type SignedTransfer = { authorization: Authorization; signature: Hex; proof: Proof }

/** A transaction ready to be committed and then sent. */
export type SignedTransaction = Fees & { kind: 'pay' | 'batch' | 'noop'; raw: Hex; hash: Hex; gas: bigint }

/** A call of a lane, and the gas it may burn. */
export type Call = { kind: SignedTransaction['kind']; to: Hex; data: Hex; gas: bigint }

/** A transfer costs about 86,000 gas, 103,000 to a new recipient. */
export const GAS_BY_PROOF = { key: 120_000n, code: 250_000n } as const satisfies Record<Proof, bigint>
/** Inside a batch a transfer shares the transaction's own 21,000. */
const GAS_IN_BATCH = 100_000n
const GAS_OF_BATCH = 60_000n
const GAS_OF_NOOP = 21_000n

/** The call that carries these transfers: the transfer itself, or several in one Multicall3 call in which none can fail the others. */
export function carryingCall(network: EvmNetworkId, transfers: readonly SignedTransfer[]): Call {
  const [only, ...more] = transfers
  if (only === undefined || more.length > 0) return batchCall(network, transfers)
  const { authorization, signature, proof } = only
  return {
    kind: 'pay',
    to: networks[network].asset,
    data: transferCall(authorization, signature, proof),
    gas: GAS_BY_PROOF[proof],
  }
}

/** One Multicall3 call with these transfers in their order. */
export function batchCall(network: EvmNetworkId, transfers: readonly SignedTransfer[]): Call {
  const to = networks[network].asset
  const calls = transfers.map(({ authorization, signature, proof }) => transferCall(authorization, signature, proof))
  const gas = transfers.reduce((sum, { proof }) => sum + (proof === 'key' ? GAS_IN_BATCH : GAS_BY_PROOF[proof]), GAS_OF_BATCH)
  const data = encodeFunctionData({
    abi: multicallAbi,
    functionName: 'aggregate3',
    args: [calls.map((callData) => ({ target: to, allowFailure: true, callData }))],
  })
  return { kind: 'batch', to: MULTICALL, data, gas }
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
