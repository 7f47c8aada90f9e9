import DataLoader from 'dataloader'
import { encodeFunctionData, type Hex, numberToHex, prepareEncodeFunctionData, size } from 'viem'
import { z } from 'zod'
import { type EvmNetworkId, networkRow } from '../../x402/networks/networks'
import type { ChannelState } from '../../x402/schemes/batch-settlement/channel'
import { BATCH_SETTLEMENT_CONTRACT, batchSettlementAbi } from '../../x402/schemes/batch-settlement/contracts'
import { revertNameOf } from '../../x402/schemes/batch-settlement/reverts'
import { channelCalls, readChannelState, wordsOf } from '../../x402/schemes/batch-settlement/state'
import type { Cosigned } from '../../x402/schemes/evm-method'
import { rejectionOf } from '../json-rpc'
import { type Rpc, unreachable } from '../rpc'
import { readResults } from './calldata'
import { codeApproves } from './facts'
import { isMadeBy, SIGNATURE_BYTES_MAX } from './judgement'
import { asHex, type Head, isExecutionFailure } from './rpc'
import { wireHex } from './uses'

/** What was claimed for a receiver in a token, and what of it was paid out. Atomic units. */
type ReceiverState = { claimed: bigint; settled: bigint }

/**
 * The channels of an EVM network, in its newest block unless another one is named. Every method throws `upstream` when the node does not
 * answer.
 */
export type Channels = {
  /** The states of these channels, in their order; null where the contract does not answer. */
  states(ids: readonly Hex[], at?: Pick<Head, 'hash'>): Promise<(ChannelState | null)[]>
  /** The state of one channel. Those that are asked for in one turn of the event loop share a call. */
  state(id: Hex): Promise<ChannelState | null>
  /** The ids that events of the contract name in these blocks, both included, in one call. Not all are channels. */
  touched(blocks: { from: bigint; to: bigint }): Promise<Set<Hex>>
  receiver(receiver: Hex, token: Hex): Promise<ReceiverState | null>
  /** Whether a signature holds: by the key of the account, or by its code where that may decide. */
  approves(cosigned: Cosigned): Promise<boolean>
  /** Why a call of the contract would fail, by the name of its error; null if it would not. */
  whyFailing(data: Hex): Promise<string | null>
}

const receivers = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'receivers' })

/** The channels that fit in one call on every node: three reads each. */
const STATES_MAX = 100
const READS_OF_CHANNEL = 3
/** The most gas of a call that is tried: a hundred claims take about 2.5 million. */
const GAS_OF_TRIAL = 15_000_000n

/** The first indexed value of each event of the contract is a channel's id, or a receiver. */
const namingLogs = z.array(z.object({ topics: z.array(wireHex) }))

/** The channels of a network over a JSON-RPC client. */
export function createChannels(rpc: Rpc, network: EvmNetworkId): Channels {
  const { title } = networkRow(network)
  const asked =
    <A extends unknown[], T>(ask: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> =>
      ask(...args).catch((cause: unknown) => {
        throw unreachable(title, cause)
      })
  const { states, touched, receiver, approves, whyFailing } = asking(rpc, network)
  const loader = new DataLoader((ids: readonly Hex[]) => states(ids), {
    cache: false,
    maxBatchSize: STATES_MAX,
    batchScheduleFn: (run) => void setImmediate(run),
  })
  return {
    states: asked(states),
    state: asked((id) => loader.load(id)),
    touched: asked(touched),
    receiver: asked(receiver),
    approves: asked(approves),
    whyFailing: asked(whyFailing),
  }
}

function asking(rpc: Rpc, network: EvmNetworkId): Omit<Channels, 'state'> {
  const { multicall } = networkRow(network)
  return {
    async states(ids, at) {
      const block = at ? { blockHash: at.hash } : 'latest'
      const states: (ChannelState | null)[] = []
      for (let at = 0; at < ids.length; at += STATES_MAX) {
        const some = ids.slice(at, at + STATES_MAX)
        const results = await readResults(rpc, multicall, some.flatMap(channelCalls), block)
        for (const index of some.keys())
          states.push(readChannelState(results.slice(READS_OF_CHANNEL * index, READS_OF_CHANNEL * (index + 1))))
      }
      return states
    },
    async touched({ from, to }) {
      const filter = { address: BATCH_SETTLEMENT_CONTRACT, fromBlock: numberToHex(from), toBlock: numberToHex(to) }
      const logs = namingLogs.parse(await rpc('eth_getLogs', [filter]))
      return new Set(logs.flatMap(({ topics: [, id] }) => id ?? []))
    },
    async receiver(receiver, token) {
      const data = encodeFunctionData({ ...receivers, args: [receiver, token] })
      const [result] = await readResults(rpc, multicall, [{ to: BATCH_SETTLEMENT_CONTRACT, data }])
      const [claimed, settled] = wordsOf(result, 2)
      return claimed === undefined || settled === undefined ? null : { claimed, settled }
    },
    async approves(cosigned) {
      const { by, hash, wallet } = cosigned
      if (wallet === null) return isMadeBy(cosigned)
      const code = asHex(await rpc('eth_getCode', [by, 'latest']), 'eth_getCode')
      if (code === '0x') return isMadeBy(cosigned)
      return size(wallet) <= SIGNATURE_BYTES_MAX && codeApproves(rpc, { wallet: by, hash, signature: wallet })
    },
    async whyFailing(data) {
      try {
        await rpc('eth_call', [{ to: BATCH_SETTLEMENT_CONTRACT, data, gas: numberToHex(GAS_OF_TRIAL) }, 'latest'])
        return null
      } catch (error) {
        if (!isExecutionFailure(error)) throw error
        return revertNameOf(rejectionOf(error)?.data)
      }
    },
  }
}
