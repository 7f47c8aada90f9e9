import { decodeFunctionResult, type Hex } from 'viem'
import type { Authorization } from '../../x402/payment'
import type { Rpc } from '../rpc'
import { MULTICALL, multicallAbi } from './abi'
import { asHex } from './answers'
import { aggregateCall, authorizationStateCall, balanceCall } from './calldata'

/** What the newest block says of an authorization: whether it is used, and its payer's balance in atomic units. */
export type Standing = { used: boolean; balance: bigint }

/** So many authorizations fit in one call of every node. */
const AUTHORIZATIONS_MAX = 100

/** Reads the standing of each authorization, a hundred in a call. Throws when the node does not answer or the asset is no EIP-3009 token. */
export async function readStandings(rpc: Rpc, asset: Hex, authorizations: readonly Authorization[]): Promise<Standing[]> {
  const standings: Standing[] = []
  for (let at = 0; at < authorizations.length; at += AUTHORIZATIONS_MAX) {
    const some = authorizations.slice(at, at + AUTHORIZATIONS_MAX)
    const calls = some.flatMap((one) => [authorizationStateCall(one), balanceCall(one.from)])
    const data = aggregateCall(calls.map((callData) => ({ target: asset, callData })))
    const answer = asHex(await rpc('eth_call', [{ to: MULTICALL, data }, 'latest']), 'eth_call')
    const words = decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data: answer }).map(wordOf)
    for (const [index] of some.entries())
      standings.push({ used: (words[2 * index] ?? 0n) !== 0n, balance: words[2 * index + 1] ?? 0n })
  }
  return standings
}

function wordOf({ success, returnData }: { success: boolean; returnData: Hex }): bigint {
  if (!success || returnData.length !== 66) throw new Error('the asset does not show authorizations and balances')
  return BigInt(returnData)
}
