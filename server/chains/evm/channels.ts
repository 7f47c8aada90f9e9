import DataLoader from 'dataloader'
import { encodeFunctionData, type Hex, numberToHex, prepareEncodeFunctionData, size } from 'viem'
import { z } from 'zod'
import { isTooLong } from '../../base/upstream'
import { type EvmNetworkId, mainAsset, networkRow } from '../../x402/networks/networks'
import type { ChannelState } from '../../x402/schemes/batch-settlement/channel'
import { BATCH_SETTLEMENT_CONTRACT, batchSettlementAbi } from '../../x402/schemes/batch-settlement/contracts'
import { revertNameOf } from '../../x402/schemes/batch-settlement/reverts'
import { channelCalls, readChannelState, wordsOf } from '../../x402/schemes/batch-settlement/state'
import type { SignedAct } from '../../x402/schemes/batch-settlement/transfers'
import type { Cosigned } from '../../x402/schemes/evm-method'
import { rejectionOf } from '../json-rpc'
import { type Rpc, unreachable } from '../rpc'
import { readResults } from './calldata'
import { codeApproves } from './facts'
import { isMadeBy, SIGNATURE_BYTES_MAX } from './judgement'
import { findCoded } from './preflight'
import { asHex, type Head, isExecutionFailure } from './rpc'
import { gasLimitOf, isTooLarge, transfersCall } from './transactions'
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
  /** The same of several, in their order: a call reads the code of many accounts. */
  approvesEach(cosigned: readonly Cosigned[]): Promise<boolean[]>
  /** Why an act would fail if `from` sent it with the gas that is signed, by the name of the contract's error; null if it would not. */
  whyFailing(act: SignedAct, from: Hex | null): Promise<string | null>
}

const receivers = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'receivers' })

/** The channels that fit in one call on every node: three reads each. */
const STATES_MAX = 100
const READS_OF_CHANNEL = 3
/** Signatures that the code of accounts judges at once: each is a call of its own. */
const WALLETS_AT_ONCE = 8

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
  const { states, touched, receiver, approves, approvesEach, whyFailing } = asking(rpc, network)
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
    approvesEach: asked(approvesEach),
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
      const { by, wallet } = cosigned
      if (wallet === null) return isMadeBy(cosigned)
      const code = asHex(await rpc('eth_getCode', [by, 'latest']), 'eth_getCode')
      return code === '0x' ? isMadeBy(cosigned) : codeAgrees(rpc, cosigned)
    },
    async approvesEach(all) {
      const accounts = [...new Set(all.flatMap(({ by, wallet }) => (wallet === null ? [] : [by])))]
      const coded = await findCoded(rpc, mainAsset(network).address, accounts)
      const withCode = new Set(accounts.filter((_, at) => coded[at]))
      const byCode = all.filter(({ by, wallet }) => wallet !== null && withCode.has(by))
      const agreed = new Set<Cosigned>()
      for (let at = 0; at < byCode.length; at += WALLETS_AT_ONCE) {
        const some = byCode.slice(at, at + WALLETS_AT_ONCE)
        const agree = await Promise.all(some.map((one) => codeAgrees(rpc, one)))
        for (const [index, one] of some.entries()) if (agree[index]) agreed.add(one)
      }
      return all.map((one) => (byCode.includes(one) ? agreed.has(one) : isMadeBy(one)))
    },
    async whyFailing(act, from) {
      if (isTooLarge(network, act)) return 'it takes more gas than one transaction may'
      const call = transfersCall(network, [act], false)
      const { to, data } = call
      const sent = { ...(from ? { from } : {}), to, data, gas: numberToHex(gasLimitOf(network, call)) }
      try {
        // Alone: tokens and wallets write what comes back of a call that fails.
        await rpc('eth_call', [sent, 'latest'], 'alone')
        return null
      } catch (error) {
        if (isTooLong(error)) return revertNameOf(null)
        if (!isExecutionFailure(error)) throw error
        return revertNameOf(rejectionOf(error)?.data)
      }
    },
  }
}

/** Whether the code of the account approves a signature that is no longer than any wallet's. */
async function codeAgrees(rpc: Rpc, { by, hash, wallet }: Cosigned): Promise<boolean> {
  return (
    wallet !== null && size(wallet) <= SIGNATURE_BYTES_MAX && (await codeApproves(rpc, { wallet: by, hash, signature: wallet }))
  )
}
