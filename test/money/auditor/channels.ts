import { z } from 'zod'
import { ask } from './ask'

/** What the contract of all channels says happened. Amounts in atomic units. */
export type ChannelEvent = {
  network: string
  kind: 'deposit' | 'claim' | 'refund' | 'sweep' | 'withdrawal'
  /** The channel, or of a sweep the receiver and its token. */
  of: string
  amount: bigint
  /** Of a claim: what is claimed of the channel in all. */
  total: bigint | null
  txHash: string
  /** The sender of the transaction. */
  sender: string
}

/** What the contract's state says: the balance and the claims of a channel, and what a receiver was credited and paid. */
export type ChannelBooks = {
  events: ChannelEvent[]
  channels: { network: string; id: string; receiver: string; token: string; balance: bigint; claimed: bigint }[]
  receivers: { network: string; of: string; token: string; claimed: bigint; settled: bigint }[]
  /** The tokens that the contract has. */
  held: { network: string; token: string; amount: bigint }[]
}

const CONTRACT = '0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003'

// keccak256 of each event's signature
const CREATED = '0x69d8248d5566bdb2ebc4d218970710d8378a2ff9b709a999e052b71970f808fa'
const EVENTS = new Map<string, ChannelEvent['kind']>([
  ['0x6c2a09353b5e75e70d0b9778b80a413809bb235d46c211811c474b3346791d89', 'deposit'],
  ['0x36bd546bb573e8921fdbfd934bbed62d872796b01792cd240cce27f79dd3eddd', 'claim'],
  ['0xa84286cf8ebc7903a663c77c8d99aa92b600d4c2fcca872a5d4a663db4eb394b', 'refund'],
  ['0x7337b4386b690fdb8ba66905b92b9d45d33bc6626ee2620c905fb150ec0cc47d', 'sweep'],
  ['0x546ce1e2242cd930c196bd08b894443562d709b4fffe4f028a75a6d233efc6e3', 'withdrawal'],
])
// The selectors of channels(bytes32), receivers(address,address) and balanceOf(address)
const CHANNELS = '0x7a7ebd7b'
const RECEIVERS = '0x21ff6389'
const BALANCE_OF = '0x70a08231'

const hex = z.string().toLowerCase()
const logSchema = z.object({ topics: z.array(hex), data: hex, transactionHash: hex })

/** Reads the channels of an EVM chain from its first block: every event and the state that came of them. */
export async function readBooks(rpcUrl: string, network: string): Promise<ChannelBooks> {
  const range = { fromBlock: '0x0', toBlock: 'latest' }
  const logs = z.array(logSchema).parse(await ask(rpcUrl, 'eth_getLogs', [{ address: CONTRACT, ...range }]))
  const senders = await sendersOf(rpcUrl, new Set(logs.map(({ transactionHash }) => transactionHash)))
  const events: ChannelEvent[] = []
  const configs = new Map<string, { receiver: string; token: string }>()
  for (const { topics, data, transactionHash: txHash } of logs) {
    const [event = '', first = '', second = ''] = topics
    const words = wordsOf(data)
    if (event === CREATED) configs.set(first, { receiver: account(words[2]), token: account(words[4]) })
    const kind = EVENTS.get(event)
    if (!kind) continue
    const of = kind === 'sweep' ? `${account(first)} ${account(second)}` : first
    const total = kind === 'claim' ? number(words[1]) : null
    events.push({ network, kind, of, amount: number(words[0]), total, txHash, sender: senders.get(txHash) ?? '' })
  }
  const read = async (to: string, data: string) => wordsOf(hex.parse(await ask(rpcUrl, 'eth_call', [{ to, data }, 'latest'])))
  const channels = await Promise.all(
    [...configs].map(async ([id, config]) => {
      const [balance, claimed] = await read(CONTRACT, CHANNELS + id.slice(2))
      return { network, id, ...config, balance: number(balance), claimed: number(claimed) }
    }),
  )
  const receivers = await Promise.all(
    [...new Set(channels.map(({ receiver, token }) => `${receiver} ${token}`))].map(async (of) => {
      const [receiver = '', token = ''] = of.split(' ')
      const [claimed, settled] = await read(CONTRACT, RECEIVERS + padded(receiver) + padded(token))
      return { network, of, token, claimed: number(claimed), settled: number(settled) }
    }),
  )
  const held = await Promise.all(
    [...new Set(channels.map(({ token }) => token))].map(async (token) => {
      const [amount] = await read(token, BALANCE_OF + padded(CONTRACT))
      return { network, token, amount: number(amount) }
    }),
  )
  return { events, channels, receivers, held }
}

async function sendersOf(rpcUrl: string, hashes: Iterable<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const hash of hashes)
    found.set(hash, z.object({ from: hex }).parse(await ask(rpcUrl, 'eth_getTransactionByHash', [hash])).from)
  return found
}

const wordsOf = (data: string): string[] => data.slice(2).match(/.{64}/g) ?? []
const number = (word = '') => BigInt(`0x${word || '0'}`)
const padded = (address: string) => address.slice(2).padStart(64, '0')

/** The address in a word of 32 bytes. */
const account = (word = '') => `0x${word.slice(-40)}`
