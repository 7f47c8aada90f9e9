import { bytesToHex, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import type { Rpc } from '../../../server/chains/rpc'
import { callsInTrial } from '../../support/nodes/capped-batch'
import { type CappedParts, cappedParts } from '../../support/nodes/capped-parts'
import { BATCH, type Block, type Executed, transfer } from './block'
import type { Chain } from './chain'
import { CHANNELS, errorData, makeActs, readActs, readChannels } from './channel-contract'
import type { NodeFaults } from './faults'
import { readApproval, readPermit2, readSettle } from './permit2'
import type { Random } from './random'
import type { Owner, Schedule } from './schedule'
import { ASSET, type ContractLog, copyOf, readToken } from './token'
import { callsIn, GAS_OF_APPROVAL, readTransaction, readTransfer, type Transaction } from './transaction'

type NodeOptions = {
  chain: Chain
  schedule: Schedule
  random: Random
  /** The instance that uses this node; a dead one gets no answers. */
  owner: Owner
  faults: () => NodeFaults
  /** Called when a node gets a transaction. */
  onSend: (transaction: Transaction) => void
  /** Whether the node preconfirms: it answers receipts of pending transactions. */
  preconfirms: boolean
}

const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'
const ETHER = 10n ** 18n
/** The timeout of the HTTP client. */
const TIMEOUT_MS = 4_000

/** A node of the chain behind faults: it may be slow, silent, behind, or wrong about sent transactions. */
export function createNode(options: NodeOptions): Rpc {
  const { chain, schedule, random, owner } = options

  // How many blocks this node lags; it changes rarely, as with a replica.
  let lag = 0
  let lagUntil = 0
  function view(): Block[] {
    const { stale } = options.faults()
    if (schedule.now() >= lagUntil) {
      lag = random.chance(stale) ? random.whole(1, 4) : 0
      lagUntil = schedule.now() + random.whole(200, 3_000)
    }
    const at = stale > 0 ? Math.max(1, chain.blocks.length - lag) : chain.blocks.length
    return chain.blocks.slice(0, at)
  }

  const newest = () => latestOf(view())

  function blockAt(where: unknown): Block {
    const hash = typeof where === 'object' && where !== null ? Reflect.get(where, 'blockHash') : undefined
    if (hash === undefined) return newest()
    const block = view().find((one) => one.hash === hash)
    if (!block) throw rejection(-32_000, 'header not found')
    return block
  }

  /** The JSON-RPC methods that the service calls. */
  const methods: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_chainId: () => '0x14a34',
    eth_getBalance: ([address]) => quantity((chain.hasEther ? newest().state.ether.get(hexOf(address)) : null) ?? ETHER),
    eth_getCode: () => '0x',
    eth_getTransactionCount: ([address, where]) => quantity(blockAt(where).nonces.get(hexOf(address)) ?? 0n),
    eth_getBlockByNumber([which]) {
      const blocks = view()
      const block = which === 'latest' ? latestOf(blocks) : blocks.find(({ number }) => quantity(number) === which)
      if (!block) return null
      const { number, hash, timestamp, baseFee } = block
      return { number: quantity(number), hash, timestamp: quantity(timestamp), baseFeePerGas: quantity(baseFee) }
    },
    eth_getTransactionReceipt([hash]) {
      for (const block of view().toReversed()) {
        const executed = block.executed.find((one) => one.hash === hash)
        if (executed) return reportedReceipt(executed, block)
      }
      const preview = options.preconfirms ? chain.preview() : null
      const executed = preview?.executed.find((one) => one.hash === hash)
      return preview && executed ? reportedReceipt(executed, preview) : null
    },
    eth_getTransactionByHash([hash]) {
      const executed = view().flatMap((block) => block.executed.filter((one) => one.hash === hash))
      return executed.map(({ input }) => ({ hash, input })).at(-1) ?? null
    },
    eth_getLogs([filter]) {
      const { blocks, isAsked } = filterOf(filter, view(), chain.hasPermit2)
      if (blocks.length === 0) throw rejection(-32_000, 'unknown block')
      return blocks.flatMap(({ executed }) =>
        executed.flatMap(({ hash, logs }) => logs.filter(isAsked).map((log) => ({ ...log, transactionHash: hash }))),
      )
    },
    eth_call([call, where]) {
      const block = blockAt(where)
      const tried = Reflect.has(Object(call), 'to') ? null : callsInTrial(hexOf(Reflect.get(Object(call), 'data')))
      if (tried) return trialAnswer(block, tried)
      const { to, data, capped } = callOf(call)
      if (capped) return capped.answer(simulated(block, data))
      if (to.toLowerCase() === MULTICALL) return simulated(block, data)
      if (readApproval(data) !== null) return triedApproval(BigInt(hexOf(Reflect.get(Object(call), 'gas'))))
      return read(block.state, data) ?? triedAs(hexOf(Reflect.get(Object(call), 'from')), block, data)
    },
    eth_sendRawTransaction([raw]) {
      const transaction = readTransaction(hexOf(raw))
      options.onSend(transaction)
      const said = chain.take(transaction)
      const { drainBody, lieAboutSend } = options.faults()
      if (said === 'accepted' && random.chance(drainBody)) chain.forget(transaction.hash)
      if (random.chance(lieAboutSend)) throw rejection(-32_000, random.pick(LIES))
      if (said !== 'accepted') throw rejection(-32_000, said)
      return transaction.hash
    },
  }

  /** The result of a transfer by the proxy that only its sender may make. */
  function triedAs(sender: Hex, block: Block, data: Hex): Hex {
    const acts = readActs(data)
    if (acts) return triedActs(block, acts)
    const settled = readSettle(data)
    if (!settled) return '0x'
    const said = transfer(copyOf(block.state), chain.trialOf(settled), block.timestamp, { by: '0x', sender })
    if (typeof said !== 'string' || random.chance(options.faults().lieAboutCall)) return '0x'
    throw rejection(3, 'execution reverted')
  }

  function triedActs(block: Block, acts: NonNullable<ReturnType<typeof readActs>>): Hex {
    const said = makeActs(copyOf(block.state), acts, BATCH)
    if (typeof said !== 'string' || random.chance(options.faults().lieAboutCall)) return '0x'
    throw Object.assign(rejection(3, 'execution reverted'), { data: errorData(said) })
  }

  function triedApproval(gas: bigint): Hex {
    if (gas >= GAS_OF_APPROVAL || random.chance(options.faults().lieAboutCall)) return '0x'
    throw rejection(3, 'out of gas')
  }

  function reportedReceipt(executed: Executed, block: Block): object | null {
    const { lieAboutReceipt } = options.faults()
    const receipt = receiptOf(executed, block)
    if (!random.chance(lieAboutReceipt)) return receipt
    const lies = [null, { ...receipt, logs: [] }, { ...receipt, blockHash: `0x${'e'.repeat(64)}` }]
    const half = { ...receipt, logs: receipt.logs.slice(0, -1) }
    return random.pick(chain.hasPermit2 ? [...lies, half] : lies)
  }

  /** A byte per transfer: whether it would be paid. A call without gas is not made. */
  function trialAnswer(block: Block, calls: readonly { gas: number; data: Hex }[]): Hex {
    const made = calls.filter(({ gas }) => gas > 0)
    const results = resultsOf(
      block,
      made.map(({ data }) => data),
    )
    const paid = new Set(made.filter((_, at) => results[at]?.success))
    return bytesToHex(Uint8Array.from(calls, (call) => (paid.has(call) ? 1 : 0)))
  }

  function simulated(block: Block, data: Hex): Hex {
    return encodeFunctionResult({ abi, functionName: 'aggregate3', result: resultsOf(block, callsIn(data)) })
  }

  function resultsOf(block: Block, calls: readonly Hex[]) {
    const { lieAboutCall } = options.faults()
    const state = copyOf(block.state)
    const isLie = random.chance(lieAboutCall)
    return calls.map((call) => {
      const known = read(state, call)
      if (known) return { success: true, returnData: known }
      const said = transfer(state, chain.trialOf(readTransfer(call)), block.timestamp, { by: '0x', sender: BATCH })
      return { success: isLie || typeof said !== 'string', returnData: '0x' as const }
    })
  }

  return (method, params) =>
    new Promise((resolve, reject) => {
      // A dead instance sends nothing.
      if (!owner.alive) return
      const { slow, error, lost } = options.faults()
      const act = methods[method]
      if (!act) return reject(new Error(`the simulated node does not know ${method}`))
      const travel = () => (random.chance(slow) ? random.whole(50, 2_500) : random.whole(1, 8))
      const silence = () => schedule.after(TIMEOUT_MS, owner, '', () => reject(new Error('the node did not answer')))
      if (random.chance(error))
        return void schedule.after(travel(), owner, '', () => reject(new Error('the node answered with status 502')))
      // A sent request arrives even if its sender dies meanwhile.
      if (random.chance(lost)) return void silence()
      schedule.after(travel(), owner.pausedUntil > schedule.now() ? owner : schedule.world, '', () => {
        const label = method === 'eth_sendRawTransaction' ? `${owner.name} sends` : ''
        if (label) schedule.note(label)
        let say: () => void
        try {
          const answer = act(params)
          say = () => resolve(answer)
        } catch (cause) {
          say = () => reject(cause)
        }
        if (random.chance(lost)) silence()
        else schedule.after(travel(), owner, '', say)
      })
    })
}

const read = (state: Block['state'], data: Hex): Hex | null =>
  readToken(state, data) ?? readPermit2(state, data) ?? readChannels(state, data)

/** A receipt in a node's JSON. */
function receiptOf({ hash, sender, succeeded, gasUsed, gasPrice, logs }: Executed, block: Block) {
  const place = { blockHash: block.hash, blockNumber: quantity(block.number), transactionHash: hash }
  return {
    ...place,
    from: sender,
    status: succeeded ? '0x1' : '0x0',
    gasUsed: quantity(gasUsed),
    effectiveGasPrice: quantity(gasPrice),
    logs: logs.map((log) => ({ ...log, transactionHash: hash })),
  }
}

const abi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
])
const LIES = ['already known', 'nonce too low', 'replacement transaction underpriced', 'insufficient funds'] as const

const quantity = (value: bigint): Hex => `0x${value.toString(16)}`
const hexOf = (value: unknown): Hex => `0x${String(value).slice(2)}`

function latestOf(blocks: readonly Block[]): Block {
  const block = blocks.at(-1)
  if (!block) throw new Error('a chain has a first block')
  return block
}

function callOf(call: unknown): { to: Hex; data: Hex; capped: CappedParts | null } {
  if (typeof call !== 'object' || call === null) throw rejection(-32_602, 'invalid params')
  const data = hexOf(Reflect.get(call, 'data'))
  const capped = Reflect.has(call, 'to') ? null : cappedParts(data)
  return capped ? { ...capped, capped } : { to: hexOf(Reflect.get(call, 'to')), data, capped }
}

/** The blocks and logs of a filter; in a run without Permit2 only by a block's hash. */
function filterOf(filter: unknown, blocks: readonly Block[], ranges: boolean) {
  if (typeof filter !== 'object' || filter === null) throw rejection(-32_602, 'invalid params')
  const [topics, at, from, to, address] = ['topics', 'blockHash', 'fromBlock', 'toBlock', 'address'].map((name): unknown =>
    Reflect.get(filter, name),
  )
  const asked: readonly unknown[] = Array.isArray(topics) ? topics : []
  const isTopic = (topic: Hex | undefined, wanted: unknown) =>
    wanted === null || (Array.isArray(wanted) ? wanted.includes(topic) : wanted === topic)
  // A node that is behind answers what it has of the range.
  const last = topics === undefined && typeof to === 'string' ? BigInt(to) : null
  const isInRange = ({ number }: Block) => typeof from === 'string' && number >= BigInt(from) && (last === null || number <= last)
  return {
    blocks: blocks.filter((block) => (at === undefined ? ranges && isInRange(block) : block.hash === at)),
    isAsked: (log: ContractLog) =>
      log.address === (address === CHANNELS ? CHANNELS : ASSET) &&
      asked.every((wanted, place) => isTopic(log.topics[place], wanted)),
  }
}

function rejection(code: number, message: string): Error {
  return Object.assign(new Error(message), { name: 'RpcRequestError', code, details: message })
}
