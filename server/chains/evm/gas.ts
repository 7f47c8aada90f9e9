import { encodeFunctionData, parseAbi } from 'viem'
import { type EvmNetworkId, networkRow } from '../../x402/networks/networks'
import type { Rpc } from '../rpc'
import { asHex } from './rpc'

/** The fees of a transaction, wei per gas. On a network with legacy fees both are its gas price. */
export type Fees = { maxFeePerGas: bigint; tipPerGas: bigint }

/** As much gas on a network as `gas` is on Base. */
export function gasOn(network: EvmNetworkId, gas: bigint): bigint {
  return (gas * BigInt(networkRow(network).gasPercent) + 99n) / 100n
}

/** A transaction without its calldata, but with its signature, is shorter. */
export const BYTES_OF_ENVELOPE = 160

/** The gas that a network charges for so many bytes of a transaction, on top of the usual price. */
export function gasOfData(network: EvmNetworkId, bytes: number): bigint {
  return BigInt(networkRow(network).gasPerByte * bytes)
}

/**
 * Fees that survive six full blocks in a row, as far as the row's ceiling allows: twice the base fee, plus the tip. With legacy fees a
 * quarter more than the node's price, all of which is paid.
 */
export function feesAt(network: EvmNetworkId, baseFee: bigint): Fees {
  return upTo(networkRow(network).feeMax, uncapped(network, baseFee))
}

function uncapped(network: EvmNetworkId, baseFee: bigint): Fees {
  const { fees, tip } = networkRow(network)
  if (fees === 'eip1559') return { maxFeePerGas: baseFee * 2n + tip, tipPerGas: tip }
  const gasPrice = (baseFee * 5n) / 4n
  return { maxFeePerGas: gasPrice, tipPerGas: gasPrice }
}

/** These fees, or as much of them as `most` allows. */
const upTo = (most: bigint, { maxFeePerGas, tipPerGas }: Fees): Fees => ({
  maxFeePerGas: lower(maxFeePerGas, most),
  tipPerGas: lower(tipPerGas, most),
})

const lower = (a: bigint, b: bigint) => (a < b ? a : b)

/** Whether no block would take a transaction at the most that the row lets us pay. */
export function isTooDear(network: EvmNetworkId, baseFee: bigint): boolean {
  const { fees, tip, feeMax } = networkRow(network)
  return (fees === 'eip1559' ? baseFee + tip : baseFee) > feeMax
}

/** The highest of some fees; 0 of none. */
export function highest(fees: readonly bigint[]): bigint {
  return fees.reduce((most, fee) => {
    if (fee > most) return fee
    return most
  }, 0n)
}

/** Fees of a replacement: nodes require both an eighth higher, and the base fee may have risen. Null above the most that we pay there. */
export function raised(network: EvmNetworkId, earlier: Fees, baseFee: bigint): Fees | null {
  const { feeMax } = networkRow(network)
  const more = raisedFrom(network, earlier, 0n)
  if (more.maxFeePerGas > feeMax || isTooDear(network, baseFee)) return null
  return upTo(feeMax, raisedFrom(network, earlier, baseFee))
}

/** An eighth more than earlier fees, or what the base fee asks for; without a ceiling. */
function raisedFrom(network: EvmNetworkId, earlier: Fees, baseFee: bigint): Fees {
  const more = anEighthMore(earlier.maxFeePerGas)
  const tipPerGas = anEighthMore(earlier.tipPerGas)
  if (networkRow(network).fees === 'eip1559') return { maxFeePerGas: highest([more, baseFee * 2n + tipPerGas]), tipPerGas }
  const gasPrice = highest([more, feesAt(network, baseFee).maxFeePerGas])
  return { maxFeePerGas: gasPrice, tipPerGas: gasPrice }
}

/**
 * Fees of a no-op in the place of a stuck transaction. The row's ceiling does not bind it, because it must always be possible to free a
 * nonce; `most` is the wei per gas that the balance covers. Null without a balance.
 */
export function freeingFees(network: EvmNetworkId, earlier: Fees, baseFee: bigint, most: bigint): Fees | null {
  if (most <= 0n) return null
  const outbids = raisedFrom(network, earlier, 0n).maxFeePerGas <= most
  // No node holds what the balance cannot pay, so there is nothing to outbid.
  return upTo(most, outbids ? raisedFrom(network, earlier, baseFee) : feesAt(network, baseFee))
}

function anEighthMore(fee: bigint): bigint {
  return (fee * 9n) / 8n + 1n
}

/** A transfer with its transaction around it is shorter. */
const BYTES_OF_TRANSFER = 1_000

/** The maximum cost in wei of a transfer with this gas limit, without the price of its data on the L1. */
export function costOn(network: EvmNetworkId, baseFee: bigint, gas: bigint): bigint {
  return (gasOn(network, gas) + gasOfData(network, BYTES_OF_TRANSFER)) * feesAt(network, baseFee).maxFeePerGas
}

/** How many transfers a transaction of so many bytes is as long as, rounded up: the price of their data is known. */
export const transfersLong = (bytes: number): bigint => BigInt(Math.ceil(bytes / BYTES_OF_TRANSFER))

const oracleAbi = parseAbi(['function getL1FeeUpperBound(uint256 size) view returns (uint256)'])
const UPPER_BOUND = encodeFunctionData({ abi: oracleAbi, functionName: 'getL1FeeUpperBound', args: [BigInt(BYTES_OF_TRANSFER)] })

/** What a transfer's data costs on the L1 of a network with an oracle for it. */
type L1Fee = {
  /** As last read, in wei; 0 without an oracle. */
  known(): bigint
  /** Reads it again if it is old. Never throws: a silent oracle leaves what is known. */
  refresh(): Promise<void>
}

const REMEMBERED_MS = 10_000

/** Follows the oracle of a network's row. */
export function createL1Fee(network: EvmNetworkId, rpc: Rpc): L1Fee {
  const oracle = networkRow(network).l1FeeOracle
  let [fee, readAt] = [0n, Number.NEGATIVE_INFINITY]
  return {
    known: () => fee,
    async refresh() {
      if (oracle === null || performance.now() - readAt < REMEMBERED_MS) return
      readAt = performance.now()
      const answer = await rpc('eth_call', [{ to: oracle, data: UPPER_BOUND }, 'latest']).catch(() => null)
      if (typeof answer === 'string' && answer.length === 66) fee = BigInt(asHex(answer, 'eth_call'))
    },
  }
}
