import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi, prepareEncodeFunctionData } from 'viem'
import type { Call, CallResult } from '../../x402/schemes/evm-method'
import type { Rpc } from '../rpc'
import { asHex } from './rpc'

/** EIP-1271. */
const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])

/** The parts of Multicall3 that we call. */
export const multicallAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
])

export const EIP1271_MAGIC = '0x1626ba7e'

// Prepared once: a lookup by name hashes all signatures.
const aggregate3 = prepareEncodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3' })
const isValidSignature = prepareEncodeFunctionData({ abi: walletAbi, functionName: 'isValidSignature' })

/** Calldata of isValidSignature (EIP-1271). */
export function walletCall(hash: Hex, signature: Hex): Hex {
  return encodeFunctionData({ ...isValidSignature, args: [hash, signature] })
}

/** Calldata of Multicall3's aggregate3, in which no call can fail the others. */
export function aggregateCall(calls: readonly Call[]): Hex {
  const tried = calls.map(({ to, data }) => ({ target: to, callData: data, allowFailure: true }))
  return encodeFunctionData({ ...aggregate3, args: [tried] })
}

/** The results of these calls in the newest block, in one `eth_call`. Throws when the node does not answer. */
export async function readResults(
  rpc: Rpc,
  multicall: Hex,
  calls: readonly Call[],
  at: 'latest' | { blockHash: Hex } = 'latest',
): Promise<readonly CallResult[]> {
  const answer = await rpc('eth_call', [{ to: multicall, data: aggregateCall(calls) }, at])
  return decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data: asHex(answer, 'eth_call') })
}
