import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { type EvmNetworkId, networkRow } from '../../x402/networks/networks'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor, paymentMethodFor } from '../../x402/schemes/evm-methods'
import type { Rpc } from '../rpc'
import { readResults } from './calldata'
import { feesAt, highest } from './gas'
import { asHex, isExecutionFailure } from './rpc'

/** Official clients sign this where they know no fees, and offer it as a tip where a node names none, in wei. */
const USUAL_FEE = 1_000_000_000n

/**
 * The highest maximum fee of an approval that is paid, in wei: twice ours, because its payer keeps what is not used. On testnets, where
 * that is worth nothing, also what official clients sign.
 */
function highestFee(network: EvmNetworkId, baseFee: bigint): bigint {
  const usual = networkRow(network).testnet ? USUAL_FEE + 2n * baseFee : 0n
  return highest([2n * feesAt(network, baseFee).maxFeePerGas, usual])
}

/**
 * Why the approval that a payment needs is not sent: another nonce than the payer's next one, too low or high a fee, or a call that
 * would fail. Null when it can, or none is needed. Throws when the node does not answer.
 */
export async function judgeApproval(
  rpc: Rpc,
  network: EvmNetworkId,
  transfer: SignedTransfer,
  baseFee: bigint,
): Promise<Failure | null> {
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
  const most = highestFee(network, baseFee)
  if (maxFeePerGas > most) return failed(`its maxFeePerGas is ${maxFeePerGas} wei, and now at most ${most} is paid`)
  return passes ? null : failed('its call would fail')
}

const failed = (why: string) => failure('erc20_approval_tx_failed', `The signed approval cannot be sent: ${why}.`)

/** How far an approval is: whether it is no longer needed, the payer's mined transactions, its balance and what its bytes cost on an L1, wei. */
export type ApprovalState = { approved: boolean; count: bigint; balance: bigint; l1Fee: bigint }

/** Reads how far the approval of a transfer is. Throws when the node does not answer. */
export async function readApprovalState(rpc: Rpc, network: EvmNetworkId, transfer: SignedTransfer): Promise<ApprovalState> {
  const method = paymentMethodFor(transfer)
  const { from } = transfer.authorization
  const [results, count, balance, l1Fee] = await Promise.all([
    readResults(rpc, networkRow(network).multicall, method.stateCalls(transfer)),
    countOf(rpc, from),
    rpc('eth_getBalance', [from, 'latest']).then((answer) => BigInt(asHex(answer, 'eth_getBalance'))),
    l1FeeOf(rpc, network, method.approval(transfer)?.raw ?? '0x'),
  ])
  return { approved: method.isApproved(transfer, method.readState(results, transfer)), count, balance, l1Fee }
}

/** OP networks have it here. Base too, whose row names none because our own transactions need none. */
const OP_ORACLE = '0x420000000000000000000000000000000000000f'
const ofBase: ReadonlySet<EvmNetworkId> = new Set(['eip155:8453', 'eip155:84532'])
const oracleAbi = parseAbi(['function getL1Fee(bytes data) view returns (uint256)'])

/** Nodes of an OP network want this of the payer too. Twice the price of now, because it moves; 0 where nothing answers for it. */
async function l1FeeOf(rpc: Rpc, network: EvmNetworkId, raw: Hex): Promise<bigint> {
  const oracle = networkRow(network).l1FeeOracle ?? (ofBase.has(network) ? OP_ORACLE : null)
  if (oracle === null) return 0n
  const data = encodeFunctionData({ abi: oracleAbi, functionName: 'getL1Fee', args: [raw] })
  const answer = await rpc('eth_call', [{ to: oracle, data }, 'latest']).catch(() => null)
  return typeof answer === 'string' && answer.length === 66 ? 2n * BigInt(asHex(answer, 'eth_call')) : 0n
}

const countOf = async (rpc: Rpc, address: Hex): Promise<bigint> =>
  BigInt(asHex(await rpc('eth_getTransactionCount', [address, 'latest']), 'eth_getTransactionCount'))
