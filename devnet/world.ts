import { join, resolve } from 'node:path'
import { parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { usdcAbi } from './abi'
import { type Chain, startChain } from './chain'
import { type Merchant, startMerchant } from './merchant'
import { createPayer, type PaidAnswer } from './payer'
import { requireFreePorts, settledPort } from './ports'
import { type Service, startService } from './service'
import { findRunning, openWorld, type WorldRecord, writeWorld } from './world-folder'

export type WorldOptions = {
  folder: string
  /** 0 is any free port. */
  ports: { service: number; merchant: number; chain: number }
  mode: 'production' | 'development'
  say: (line: string) => void
  /** The service's program. */
  entry?: string | undefined
  signal?: AbortSignal | undefined
}

export type World = {
  baseUrl: string
  /** What a merchant is told to use. */
  facilitatorUrl: string
  merchantUrl: string
  rpcUrl: string
  payTo: `0x${string}`
  databaseFolder: string
  logFile: string | undefined
  chain: Chain
  /** Buys something from the merchant with the official client. */
  pay: (path: string) => Promise<PaidAnswer>
  serviceEnded: Promise<string>
  stop: () => Promise<void>
}

// The real chain makes a block every two seconds; one is half the wait and still shows a payment waiting for its block.
const blockTimeSeconds = 1
const idleBlockTimeSeconds = 5

type Parts = { service?: Service; merchant?: Merchant; chain?: Chain }

/** Starts a whole local world: a chain, the service, a merchant that uses it and a payer with money. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { folder, ports } = options
  const running = await findRunning(folder)
  if (running)
    throw new Error(`It is already running: ${running.baseUrl} (process ${running.pid}). "npm run pay" pays it once more.`)
  await requireFreePorts([
    { port: ports.service, user: 'the service', variable: 'DEMO_PORT' },
    { port: ports.merchant, user: 'the sample merchant', variable: 'DEMO_MERCHANT_PORT' },
    { port: ports.chain, user: 'the local chain', variable: 'DEMO_CHAIN_PORT' },
  ])
  const record = openWorld(folder, options.say)
  const parts: Parts = {}
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= stopParts(parts).finally(() => writeWorld(folder, { ...record, running: undefined }))
    return stopping
  }
  try {
    return { ...(await startParts(options, record, parts)), stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

async function startParts(options: WorldOptions, record: WorldRecord, parts: Parts): Promise<Omit<World, 'stop'>> {
  const { folder, mode, signal, say, entry = 'server/main.ts' } = options
  const port = await settledPort(options.ports.service)
  const merchantPort = await settledPort(options.ports.merchant)
  const chainPort = await settledPort(options.ports.chain)
  const baseUrl = `http://localhost:${port}`
  const addresses = { baseUrl, merchantUrl: `http://localhost:${merchantPort}`, rpcUrl: `http://127.0.0.1:${chainPort}` }
  writeWorld(folder, { ...record, running: { pid: process.pid, since: Date.now(), ...addresses } })

  const stateFile = join(folder, record.chainState)
  const chain = await startChain({ chainId: 84532, port: chainPort, stateFile, blockTimeSeconds, idleBlockTimeSeconds })
  parts.chain = chain
  const payer = createPayer(record.keys.payer)
  await giveMoney(chain, privateKeyToAddress(record.keys.signer), payer.address)
  say(`Local Base Sepolia  ${chain.url}  (a block per second)`)

  signal?.throwIfAborted()
  const logFile = mode === 'production' ? join(folder, record.serviceLog) : undefined
  const databaseFolder = join(folder, record.database)
  const env = serviceEnv(port, baseUrl, databaseFolder, chain.url, record)
  parts.service = await startService({ baseUrl, mode, env, logFile, entry, signal })
  say(`Facilitator         ${baseUrl}`)

  signal?.throwIfAborted()
  const facilitatorUrl = `${baseUrl}/sandbox`
  const payTo = privateKeyToAddress(record.keys.merchant)
  parts.merchant = await startMerchant({ facilitatorUrl, payTo, port: merchantPort })
  const { url: merchantUrl } = parts.merchant
  say(`Sample merchant     ${merchantUrl}`)
  return {
    ...addresses,
    facilitatorUrl,
    payTo,
    databaseFolder,
    logFile,
    chain,
    pay: (path) => payer.pay(`${merchantUrl}${path}`),
    serviceEnded: parts.service.ended,
  }
}

async function giveMoney(chain: Chain, signer: `0x${string}`, payer: `0x${string}`): Promise<void> {
  if ((await chain.client.getBalance({ address: signer })) < parseEther('1')) await chain.fund(signer, parseEther('10'))
  const balanceOf = { address: chain.usdc, abi: usdcAbi, functionName: 'balanceOf', args: [payer] } as const
  if ((await chain.client.readContract(balanceOf)) < 10_000_000n) await chain.mint(payer, 100_000_000n)
}

function serviceEnv(
  port: number,
  baseUrl: string,
  dataFolder: string,
  rpcUrl: string,
  record: WorldRecord,
): Record<string, string> {
  // Named and empty, so that a developer's own .env cannot join real networks or a real database to this world.
  const elsewhere = ['DATABASE_URL', 'REDIS_URL', 'BASE_RPC_URL', 'BASE_FLASH_RPC_URL', 'SOLANA_RPC_URL', 'EVM_SIGNER_KEYS']
  return {
    ...Object.fromEntries([...elsewhere, 'SOLANA_SIGNER_KEYS', 'OPERATOR_URL'].map((name) => [name, ''])),
    PORT: String(port),
    BASE_URL: baseUrl,
    DATA_DIR: resolve(dataFolder),
    BASE_SEPOLIA_RPC_URL: rpcUrl,
    EVM_SANDBOX_SIGNER_KEYS: record.keys.signer,
    ADMIN_KEY: record.secrets.admin,
    AUTH_SECRET: record.secrets.auth,
  }
}

// Drained first, so that a payment in progress still reaches its payer through the merchant.
async function stopParts({ service, merchant, chain }: Parts): Promise<void> {
  await service?.stop()
  await merchant?.stop()
  await chain?.stop()
}
