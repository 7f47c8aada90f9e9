import { decodeFunctionData, encodeFunctionResult, type Hex } from 'viem'
import { multicallAbi } from '../server/chains/evm/abi'
import type { Call, Fate } from './rpc-proxy'

/** An `eth_call` as a node answers it to which everything goes well and everybody is rich. */
export function agreeing({ params }: Call): Fate {
  const [call] = params as [{ data: Hex }]
  if (!call.data.startsWith('0x82ad56cb')) return { result: `0x${'00'.repeat(32)}` }
  const { args } = decodeFunctionData({ abi: multicallAbi, data: call.data })
  const result = args[0].map((_, at) => ({ success: true, returnData: `0x${(at === 1 ? 'ff' : '00').repeat(32)}` as const }))
  return { result: encodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', result }) }
}
