// Reserve and commit of vouchers: our storage over HTTP, on PostgreSQL with durable commits, beside the official ones in the merchant's process:
// `node scripts/bench.mjs channels [vouchers per channel]`
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Channel, type ChannelStorage, InMemoryChannelStorage } from '@x402/evm/batch-settlement/server'
import { FileChannelStorage } from '@x402/evm/batch-settlement/server/file-storage'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../devnet/chain'
import { QuittanceChannels } from '../packages/quittance/src/index'
import { migrate } from '../server/db/migrate'
import { channelIdOf, createChannelForge, signVoucher } from '../test/support/batch-settlement/channels'
import { fundedKey } from '../test/support/chain/funded-key'
import { startCluster } from '../test/support/database/postgres'
import { startChild } from './child'
import { offeredAuthorizer } from './offered-authorizer'

const NETWORK = 'eip155:84532'
const vouchers = Number(process.argv[2] ?? 40)
const IN_FLIGHT = [1, 32, 128]

const cluster = await startCluster({ durable: true })
const folder = await mkdtemp(path.join(tmpdir(), 'quittance-channels-'))
const chain = await startChain({ chainId: 84532, blockTimeSeconds: 1 })
const url = cluster.url('postgres')
await migrate(url)
const service = await startChild({
  FACILITATOR: 'ours',
  CHAIN_URL: chain.url,
  SIGNER_KEY: await fundedKey(chain),
  DATABASE_URL: url,
})
const [base = ''] = service.urls

type Signed = { channel: Channel; signatures: string[] }

/** Channels of new payers, with a voucher for each request, signed before anything is measured. */
async function newChannels(count: number, authorizer: Address): Promise<Signed[]> {
  const forge = createChannelForge(chain, privateKeyToAccount(generatePrivateKey()).address, authorizer)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const owner = privateKeyToAccount(generatePrivateKey())
      const channelConfig = forge.configOf({ owner, from: owner.address })
      const channelId = channelIdOf(84532, channelConfig)
      const signatures: string[] = []
      for (let at = 1; at <= vouchers; at++) signatures.push(await signVoucher(84532, owner, channelId, BigInt(at)))
      const chargedCumulativeAmount = '0'
      const nothing = { balance: '0', totalClaimed: '0', withdrawRequestedAt: 0, refundNonce: 0, lastRequestTimestamp: 0 }
      return {
        channel: { channelId, channelConfig, chargedCumulativeAmount, signedMaxClaimable: '0', signature: '0x', ...nothing },
        signatures,
      }
    }),
  )
}

/** One voucher as the official server takes it; the time of its reserve and commit in milliseconds. */
async function take(storage: ChannelStorage, { channel, signatures }: Signed, at: number, isRead: boolean): Promise<number> {
  const { channelId } = channel
  const started = performance.now()
  if (isRead) await storage.get(channelId)
  const lastRequestTimestamp = Date.now()
  const signedMaxClaimable = String(at)
  const pendingRequest = { pendingId: `request-${at}`, signedMaxClaimable, expiresAt: lastRequestTimestamp + 60_000 }
  const signed = { signedMaxClaimable, signature: signatures[at - 1] ?? '', lastRequestTimestamp }
  await storage.updateChannel(channelId, (current = channel) => ({ ...current, ...signed, pendingRequest }))
  const committed = await storage.updateChannel(channelId, (current) => {
    if (!current) throw new Error('the reservation is gone')
    const { pendingRequest: _, ...rest } = current
    return { ...rest, ...signed, chargedCumulativeAmount: signedMaxClaimable }
  })
  if (committed.channel?.chargedCumulativeAmount !== signedMaxClaimable) throw new Error('the charge is not kept')
  return performance.now() - started
}

type Row = {
  storage: string
  'in flight': number
  vouchers: number
  'per s': number
  'p50 ms': number
  'p95 ms': number
  'CPU ms each': number
}
const table: Row[] = []
const round = (value: number) => Number(value.toFixed(2))

async function measure(name: string, storage: ChannelStorage, channels: readonly Signed[], isRead: boolean): Promise<void> {
  const took: number[] = []
  const before = await service.usage()
  const started = performance.now()
  await Promise.all(
    channels.map(async (one) => {
      for (let at = 1; at <= vouchers; at++) took.push(await take(storage, one, at, isRead))
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  const used = (await service.usage()).cpuMs - before.cpuMs
  took.sort((a, b) => a - b)
  const share = (of: number) => round(took[Math.floor(took.length * of)] ?? 0)
  const figures = {
    vouchers: took.length,
    'per s': Math.round(took.length / seconds),
    'p50 ms': share(0.5),
    'p95 ms': share(0.95),
  }
  table.push({ storage: name, 'in flight': channels.length, ...figures, 'CPU ms each': round(used / took.length) })
}

try {
  const authorizer = await offeredAuthorizer(base)
  const ours = () => new QuittanceChannels({ url: base, network: NETWORK })
  // The first round compiles the code.
  await measure('', ours(), await newChannels(32, authorizer), true)
  table.length = 0
  for (const count of IN_FLIGHT) {
    const channels = await newChannels(count, authorizer)
    await measure('ours', ours(), channels, false)
    await measure('official, files', new FileChannelStorage({ directory: path.join(folder, String(count)) }), channels, false)
    await measure('official, memory', new InMemoryChannelStorage(), channels, false)
    await measure('ours, with the read before', ours(), await newChannels(count, authorizer), true)
  }
  console.table(table)
} finally {
  await service.stop()
  await chain.stop()
  await cluster.remove()
  await rm(folder, { recursive: true })
}
