import { bytesToHex, decodeFunctionData, encodeFunctionResult, type Hex } from 'viem'
import { multicallAbi } from '../../../server/chains/evm/calldata'
import { callsInTrial } from './capped-batch'
import { cappedParts } from './capped-parts'
import type { Call, Fate } from './faulty-node'

/** Answers an `eth_call` as if every call succeeded and every balance were large. */
export function agreeing({ params }: Call): Fate {
  const [call] = params as [{ to?: Hex; data: Hex }]
  if (call.to) return { result: agreed(call.data) }
  const tried = callsInTrial(call.data)
  if (tried) return { result: bytesToHex(Uint8Array.from(tried, ({ gas }) => (gas > 0 ? 1 : 0))) }
  const { data, answer } = cappedParts(call.data)
  return { result: answer(agreed(data)) }
}

function agreed(asked: Hex): Hex {
  if (!asked.startsWith('0x82ad56cb')) return `0x${'00'.repeat(32)}`
  const { args } = decodeFunctionData({ abi: multicallAbi, data: asked })
  const result = args[0].map((_, at) => ({ success: true, returnData: `0x${(at === 1 ? 'ff' : '00').repeat(32)}` as const }))
  return encodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', result })
}
