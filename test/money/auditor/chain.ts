import { z } from 'zod'
import { ask } from './ask'
import { type ChannelBooks, readBooks } from './channels'
import { type Paid, readCluster } from './cluster'
import type { Description, Transfer } from './description'
import { permit2TransfersOf } from './permit2'

/** The chains' data: every transfer, the transaction count of each lane, the transactions of Solana fee payers, and each EVM chain's channels. */
export type Chains = { transfers: Transfer[]; counts: Map<string, bigint>; paid: Paid[]; books: ChannelBooks[] }

// keccak256 of AuthorizationUsed(address,bytes32) and of Transfer(address,address,uint256)
const AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const hex = z.string().toLowerCase()
const quantity = hex.transform(BigInt)
const logsSchema = z.array(z.object({ address: hex, transactionHash: hex, logIndex: quantity, topics: z.array(hex), data: hex }))

/** Reads the chains from their first block. `lanes` are the accounts whose transactions are counted. */
export async function readChains(
  chains: Description['chains'],
  lanes: readonly { network: string; address: string }[],
): Promise<Chains> {
  const transfers: Transfer[] = []
  const counts = new Map<string, bigint>()
  const paid: Paid[] = []
  const books: ChannelBooks[] = []
  for (const { network, rpcUrl, usdc, sponsors } of chains) {
    if (sponsors) {
      const cluster = await readCluster({ network, rpcUrl, usdc, sponsors })
      transfers.push(...cluster.transfers)
      paid.push(...cluster.paid)
      continue
    }
    transfers.push(...(await transfersOf(rpcUrl, network, usdc)), ...(await permit2TransfersOf(rpcUrl, network)))
    books.push(await readBooks(rpcUrl, network))
    for (const lane of lanes.filter((one) => one.network === network)) {
      counts.set(laneKey(lane), quantity.parse(await ask(rpcUrl, 'eth_getTransactionCount', [lane.address, 'latest'])))
    }
  }
  return { transfers, counts, paid, books }
}

export const laneKey = ({ network, address }: { network: string; address: string }) => `${network} ${spelled(network, address)}`

/** One spelling of an address or hash: hex in lower case, base58 unchanged. */
export const spelled = (network: string, name: string) => (network.startsWith('eip155:') ? name.toLowerCase() : name)

// The token logs AuthorizationUsed and directly after it the Transfer.
async function transfersOf(rpcUrl: string, network: string, token: string): Promise<Transfer[]> {
  const logs = logsSchema.parse(await ask(rpcUrl, 'eth_getLogs', [{ address: token, fromBlock: '0x0', toBlock: 'latest' }]))
  const senders = new Map<string, string>()
  const found: Transfer[] = []
  for (const [at, used] of logs.entries()) {
    const moved = logs[at + 1]
    const [usedTopic, authorizer = '', nonce = ''] = used.topics
    const [movedTopic, from = '', to = ''] = moved?.topics ?? []
    if (!moved || usedTopic !== AUTHORIZATION_USED || movedTopic !== TRANSFER || from !== authorizer) continue
    const txHash = used.transactionHash
    if (moved.transactionHash !== txHash || moved.logIndex !== used.logIndex + 1n) continue
    const sender = senders.get(txHash) ?? (await senderOf(rpcUrl, txHash))
    senders.set(txHash, sender)
    const { address: asset, data } = moved
    found.push({ network, payer: account(from), nonce, payTo: account(to), asset, value: BigInt(data), txHash, sender })
  }
  return found
}

// An indexed address is padded to 32 bytes.
const account = (topic: string) => `0x${topic.slice(-40)}`

async function senderOf(rpcUrl: string, hash: string): Promise<string> {
  return z.object({ from: hex }).parse(await ask(rpcUrl, 'eth_getTransactionByHash', [hash])).from
}
