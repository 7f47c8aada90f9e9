import { decodeFunctionResult, type Hex } from 'viem'
import type { EvmNetworkId } from '../../x402/networks'
import { multicallAbi } from './abi'
import { asHex } from './answers'
import type { Rpc } from './rpc'
import { carryingCall, type SignedTransfer } from './transactions'

/** What the newest block says of a member of a batch: it would be paid; it would not; or its payer has code and must travel alone. */
export type Fitness = 'fit' | 'unfit' | 'code'

/**
 * Looks at the members of a batch once more right before it is signed, in one round trip: the payers' code, and the whole batch
 * simulated in its order, so that two payments of one payer are judged by the money for both. Throws when the node does not answer.
 */
export async function checkBatch(
  rpc: Rpc,
  network: EvmNetworkId,
  from: Hex,
  transfers: readonly SignedTransfer[],
): Promise<Fitness[]> {
  const { to, data, gas } = carryingCall(network, transfers)
  const payers = [...new Set(transfers.map(({ authorization }) => authorization.from))]
  const [answer, ...codes] = await Promise.all([
    rpc('eth_call', [{ from, to, data, gas: `0x${gas.toString(16)}` }, 'latest']).then((result) => asHex(result, 'eth_call')),
    ...payers.map((payer) => rpc('eth_getCode', [payer, 'latest']).then((code) => asHex(code, 'eth_getCode'))),
  ])
  const withCode = new Set(payers.filter((_, at) => codes[at] !== '0x'))
  const results = decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data: answer })
  return transfers.map(({ authorization }, at) => {
    if (withCode.has(authorization.from)) return 'code'
    return results[at]?.success ? 'fit' : 'unfit'
  })
}
