import { type Hex, numberToHex } from 'viem'
import { type EvmNetworkId, networkRow } from '../../x402/networks'
import { type Failure, failure } from '../../x402/reasons'
import { methodFor } from '../../x402/schemes/evm'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import type { Rpc } from '../rpc'
import { readResults } from './calldata'
import { asHex, isExecutionFailure } from './rpc'

/**
 * Why the approval that a payment needs cannot be sent: another nonce than the payer's next one, too low a fee, or a call that would
 * fail. Null when it can, or none is needed. Throws when the node does not answer.
 */
export async function judgeApproval(rpc: Rpc, transfer: SignedTransfer, baseFee: bigint): Promise<Failure | null> {
  const approval = methodFor(transfer).approval(transfer)
  if (!approval) return null
  const { from } = transfer.authorization
  const { to, data, gas, nonce, maxFeePerGas } = approval
  const [count, passes] = await Promise.all([
    countOf(rpc, from),
    rpc('eth_call', [{ from, to, data, gas: numberToHex(gas) }, 'latest']).then(
      () => true,
      (error: unknown) => {
        if (isExecutionFailure(error)) return false
        throw error
      },
    ),
  ])
  if (count !== nonce) return failed(`its nonce is ${nonce}, and the payer's next one is ${count}`)
  if (maxFeePerGas < baseFee) return failed('its fee is lower than the base fee of the newest block')
  return passes ? null : failed('its call would fail')
}

const failed = (why: string) => failure('erc20_approval_tx_failed', `The signed approval cannot be sent: ${why}.`)

/** How far an approval is: whether it is no longer needed, the payer's mined transactions, and its balance in wei. */
export type ApprovalState = { approved: boolean; count: bigint; balance: bigint }

/** Reads how far the approval of a transfer is. Throws when the node does not answer. */
export async function readApprovalState(rpc: Rpc, network: EvmNetworkId, transfer: SignedTransfer): Promise<ApprovalState> {
  const method = methodFor(transfer)
  const { from } = transfer.authorization
  const [results, count, balance] = await Promise.all([
    readResults(rpc, networkRow(network).multicall, method.stateCalls(transfer)),
    countOf(rpc, from),
    rpc('eth_getBalance', [from, 'latest']).then((answer) => BigInt(asHex(answer, 'eth_getBalance'))),
  ])
  return { approved: method.isApproved(transfer, method.readState(results, transfer)), count, balance }
}

const countOf = async (rpc: Rpc, address: Hex): Promise<bigint> =>
  BigInt(asHex(await rpc('eth_getTransactionCount', [address, 'latest']), 'eth_getTransactionCount'))
