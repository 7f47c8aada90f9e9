import { encodeFunctionData, type Hex, prepareEncodeFunctionData } from 'viem'
import type { Call, CallResult } from '../evm-method'
import type { ChannelState } from './channel'
import { BATCH_SETTLEMENT_CONTRACT, batchSettlementAbi } from './contracts'

const channels = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'channels' })
const pendingWithdrawals = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'pendingWithdrawals' })
const refundNonce = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'refundNonce' })

/** The calls that read the state of a channel, for `readChannelState`. */
export function channelCalls(channelId: Hex): Call[] {
  const args = [channelId] as const
  const data = [
    encodeFunctionData({ ...channels, args }),
    encodeFunctionData({ ...pendingWithdrawals, args }),
    encodeFunctionData({ ...refundNonce, args }),
  ]
  return data.map((one) => ({ to: BATCH_SETTLEMENT_CONTRACT, data: one }))
}

/** The state of a channel in the results of `channelCalls`. Null when the contract did not answer. */
export function readChannelState([channel, withdrawal, nonce]: readonly CallResult[]): ChannelState | null {
  const [balance, totalClaimed] = wordsOf(channel, 2)
  const [withdrawAmount, withdrawRequestedAt] = wordsOf(withdrawal, 2)
  const [refunds] = wordsOf(nonce, 1)
  if (balance === undefined || totalClaimed === undefined || withdrawAmount === undefined) return null
  if (withdrawRequestedAt === undefined || refunds === undefined) return null
  return { balance, totalClaimed, withdrawAmount, withdrawRequestedAt, refundNonce: refunds }
}

/** The words that a call returned; none when it failed or returned another number of them. */
export function wordsOf(result: CallResult | undefined, count: number): bigint[] {
  if (!result?.success || result.returnData.length !== 2 + 64 * count) return []
  return Array.from({ length: count }, (_, at) => BigInt(`0x${result.returnData.slice(2 + 64 * at, 66 + 64 * at)}`))
}
