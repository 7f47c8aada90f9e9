import { decodeFunctionResult, type Hex } from 'viem'
import type { EvmNetworkId } from '../../x402/networks'
import type { Rpc } from '../rpc'
import { multicallAbi } from './abi'
import { asHex, isExecutionFailure } from './answers'
import { batchCall, type SignedTransfer } from './transactions'

/** What the newest block says of a transfer: whether it would be paid, and whether its payer has code. */
export type Fitness = { paid: boolean; hasCode: boolean }

const BURNT = '0x'

// A payer's code that burns all gas fails the simulation of everybody in it: that is an answer, a silent node is none.
function burnt(error: unknown): typeof BURNT {
  if (isExecutionFailure(error)) return BURNT
  throw error
}

/**
 * Looks at transfers once more right before they are signed, in one round trip: the payers' code, and all of them simulated in
 * their order behind those that are on their way already, so that each is judged by the money that the earlier ones leave. Throws
 * when the node does not answer.
 */
export async function checkBatch(
  rpc: Rpc,
  network: EvmNetworkId,
  from: Hex,
  transfers: readonly SignedTransfer[],
  underWay: readonly SignedTransfer[],
): Promise<Fitness[]> {
  const { to, data, gas } = batchCall(network, [...underWay, ...transfers])
  const payers = [...new Set(transfers.map(({ authorization }) => authorization.from))]
  const [answer, ...codes] = await Promise.all([
    rpc('eth_call', [{ from, to, data, gas: `0x${gas.toString(16)}` }, 'latest'])
      .then((result) => asHex(result, 'eth_call'))
      .catch(burnt),
    ...payers.map((payer) => rpc('eth_getCode', [payer, 'latest']).then((code) => asHex(code, 'eth_getCode'))),
  ])
  const withCode = new Set(payers.filter((_, at) => codes[at] !== '0x'))
  // Without anybody's code to blame there is no telling whose fault it was.
  if (answer === BURNT && withCode.size === 0) throw new Error('the simulation of a batch failed as a whole')
  const results =
    answer === BURNT
      ? []
      : decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data: answer }).slice(underWay.length)
  return transfers.map(({ authorization }, at) => ({
    paid: results[at]?.success === true,
    hasCode: withCode.has(authorization.from),
  }))
}
