import { join } from 'node:path'
import type { Address } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { agentWallets } from './agents'
import { type Chain, startChain } from './chain'
import { type FlashView, startFlashView } from './flash'
import { requireFreePorts, settledPort } from './free-ports'
import { type IdentityProvider, startIdentityProvider } from './identity/identity-provider'
import { type Merchant, merchantKey, startMerchant } from './merchant'
import { fundSigners, giveMoney } from './money'
import { localNetwork } from './networks'
import { createPayer, keyOn, type PaidAnswer } from './payer'
import { retryUntilAnswered, withoutRepeats } from './retry'
import { type Service, startService } from './service'
import { serviceEnv } from './service-env'
import { smartWallet } from './smart-wallet'
import { clusters } from './solana/clusters'
import { addressOf } from './solana/keys'
import { fundFeePayers, giveSolanaMoney, type SolanaPair, startSolanaPair } from './solana/pair'
import type { Solana } from './solana/solana'
import { databaseIn, databaseReleased, findRunning, openWorld, readWorld, type WorldRecord, writeWorld } from './world-folder'

type WorldOptions = {
  folder: string
  /** 0 is any free port. */
  ports: Record<'service' | 'merchant' | 'identity' | 'chain' | 'baseChain' | 'solana' | 'solanaDevnet', number>
  mode: 'production' | 'development'
  say: (line: string) => void
  /** Runs with the service's data folder before the service starts. */
  beforeService?: ((dataFolder: string) => Promise<void>) | undefined
  /** The service's program. */
  entry?: string | undefined
  signal?: AbortSignal | undefined
}

export type World = {
  baseUrl: string
  /** The sample merchant's facilitator URL, with its API key. */
  facilitatorUrl: string
  merchantUrl: string
  /** The identity provider of merchants. */
  issuer: string
  payTo: Address
  databaseFolder: string
  logFile: string | undefined
  /** Base Sepolia, and Base itself. */
  chains: [sepolia: Chain, base: Chain]
  /** Solana itself, and its devnet. */
  solana: SolanaPair
  /** Buys something from the merchant with the official client. */
  pay: (path: string) => Promise<PaidAnswer>
  /** Buys something from the smart wallet of the payer's key, which its first payment deploys. */
  payFromSmartWallet: (path: string) => Promise<PaidAnswer>
  serviceEnded: Promise<string>
  stop: () => Promise<void>
}

// The real chain makes a block every two seconds. One second is faster, and a payment still waits for its block.
const blockTimeSeconds = 1
const idleBlockTimeSeconds = 5

type Parts = {
  service?: Service
  merchant?: Merchant
  identity?: IdentityProvider
  chains: (Chain | Solana)[]
  views: FlashView[]
}

const portGraceMs = 10_000

/** Starts a local world: two EVM chains, two Solana clusters, the service, a merchant that uses it and a payer with money. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { folder, ports, signal } = options
  const running = await findRunning(folder)
  if (running)
    throw new Error(
      `The demo is already running at ${running.baseUrl} (process ${running.pid}). "npm run pay" pays it once more.`,
    )
  const say = withoutRepeats(options.say)
  const earlier = readWorld(folder)
  if (earlier) await databaseReleased(databaseIn(join(folder, earlier.database)), say, signal)
  const wanted = [
    { port: ports.service, user: 'the service', variable: 'DEMO_PORT' },
    { port: ports.merchant, user: 'the sample merchant', variable: 'DEMO_MERCHANT_PORT' },
    { port: ports.identity, user: 'the local identity provider', variable: 'DEMO_IDENTITY_PORT' },
    { port: ports.chain, user: 'the local Base Sepolia', variable: 'DEMO_CHAIN_PORT' },
    { port: ports.baseChain, user: 'the local Base', variable: 'DEMO_BASE_CHAIN_PORT' },
    { port: ports.solana, user: 'the local Solana', variable: 'DEMO_SOLANA_PORT' },
    { port: ports.solanaDevnet, user: 'the local Solana devnet', variable: 'DEMO_SOLANA_DEVNET_PORT' },
  ]
  // After a kill -9 the chains of the earlier run still write their state.
  await requireFreePorts(wanted, earlier?.running ? portGraceMs : 0)
  const record = openWorld(folder, say)
  const parts: Parts = { chains: [], views: [] }
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= stopParts(parts).finally(() => writeWorld(folder, { ...record, running: undefined }))
    return stopping
  }
  try {
    return { ...(await startParts({ ...options, say }, record, parts)), stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

async function startParts(options: WorldOptions, record: WorldRecord, parts: Parts): Promise<Omit<World, 'stop'>> {
  const { folder, mode, signal, say, entry = 'server/main.ts' } = options
  const port = await settledPort(options.ports.service)
  const merchantPort = await settledPort(options.ports.merchant)
  const baseUrl = `http://localhost:${port}`
  const merchantUrl = `http://localhost:${merchantPort}`
  const running = { pid: process.pid, since: Date.now(), baseUrl, merchantUrl }
  writeWorld(folder, { ...record, running })

  const issuer = `http://localhost:${await settledPort(options.ports.identity)}`
  const { chains, solana } = await startNodes(options, record, parts, { issuer, baseUrl })
  const evmNodes = chains.map(({ chainId, url }) => [localNetwork(chainId).id, url])
  const nodes = Object.fromEntries([...evmNodes, ...solana.map(({ network, url }) => [network, url])])
  const payer = createPayer(keyOn(chains[0].client, record.keys.payer), { secretKey: record.keys.solanaPayer, nodes })
  /** On every chain, again until it answers. */
  const onAllChains = (onEvm: (chain: Chain) => Promise<void>, onSolana: (chain: Solana) => Promise<void>) =>
    Promise.all([
      ...chains.map((chain) => {
        const { name } = localNetwork(chain.chainId).chain
        return retryUntilAnswered(`the local ${name}`, () => onEvm(chain), options)
      }),
      ...solana.map((chain) => {
        const { title } = clusters[chain.cluster]
        return retryUntilAnswered(`the local ${title}`, () => onSolana(chain), options)
      }),
    ])
  await onAllChains(
    (chain) => fundSigners(chain, record),
    (chain) => fundFeePayers(chain, record),
  )
  say(`Local Base Sepolia  ${chains[0].url}  (a block per second)`)
  say(`Local Base          ${chains[1].url}  (the same)`)
  say(`Local Solana        ${solana[0].url}  (a slot in 400 ms)`)
  say(`Local Solana devnet ${solana[1].url}  (the same)`)
  say(`Identity provider   ${issuer}  (any user name, no password)`)

  signal?.throwIfAborted()
  const logFile = mode === 'production' ? join(folder, record.serviceLog) : undefined
  const databaseFolder = join(folder, record.database)
  const views = await Promise.all([startFlashView(chains[0]), startFlashView(chains[1])])
  parts.views.push(...views)
  const urls = {
    sepoliaUrl: chains[0].url,
    sepoliaFlashUrl: views[0].url,
    baseChainUrl: chains[1].url,
    baseFlashUrl: views[1].url,
    solanaUrl: solana[0].url,
    solanaDevnetUrl: solana[1].url,
  }
  const urlsAndFolder = { port, baseUrl, dataFolder: databaseFolder, issuer, merchantUrl, ...urls }
  await options.beforeService?.(databaseFolder)
  const env = serviceEnv(urlsAndFolder, record)
  const start = async () => {
    parts.service = await startService({ baseUrl, mode, env, logFile, entry, signal })
    return parts.service
  }
  // The service pays its gas itself, so it starts before the payer has money.
  const beside = [
    retryUntilAnswered('the facilitator', start, options),
    onAllChains(
      (chain) => giveMoney(chain, payer.address),
      (chain) => giveSolanaMoney(chain, record),
    ),
  ] as const
  // Every start ends before a failure is thrown: then the caller stops all that run.
  await Promise.allSettled(beside)
  const [service] = await Promise.all(beside)
  say(`Facilitator         ${baseUrl}`)

  signal?.throwIfAborted()
  record.secrets.apiKey = await merchantKey({ baseUrl, adminKey: record.secrets.admin }, record.secrets.apiKey)
  writeWorld(folder, { ...record, running: { ...running, nodes, issuer } })
  const facilitatorUrl = `${baseUrl}/v1/${record.secrets.apiKey}`
  const payTo = privateKeyToAddress(record.keys.merchant)
  const solanaPayTo = addressOf(record.keys.solanaMerchant)
  const demoPayer = { network: localNetwork(84532).id, name: 'Demo payer', key: record.keys.payer }
  const wallets = { origin: baseUrl, list: () => [...agentWallets(folder), demoPayer] }
  const sale = { facilitatorUrl, payTo, solanaPayTo, port: merchantPort, channels: true }
  parts.merchant = await startMerchant({ ...sale, give: chains[0].mint, wallets })
  say(`Sample merchant     ${merchantUrl}`)
  return {
    baseUrl,
    merchantUrl,
    issuer,
    facilitatorUrl,
    payTo,
    databaseFolder,
    logFile,
    chains,
    solana,
    pay: (path) => payer.pay(`${merchantUrl}${path}`),
    async payFromSmartWallet(path) {
      const wallet = createPayer(await smartWallet(chains[0], record.keys.payer))
      if ((await chains[0].tokens(wallet.address)) < 1_000_000n) await chains[0].mint(wallet.address, 10_000_000n)
      return wallet.pay(`${merchantUrl}${path}`)
    },
    serviceEnded: service.ended,
  }
}

/** Starts the chains, and beside them the identity provider. */
async function startNodes(
  options: WorldOptions,
  record: WorldRecord,
  parts: Parts,
  { issuer, baseUrl }: { issuer: string; baseUrl: string },
) {
  const { identityClient: clientSecret, identityKey: key } = record.secrets
  const startIdentity = async () => {
    parts.identity = await startIdentityProvider({ issuer, baseUrl, clientSecret, key })
  }
  const starting = [
    startChains(options, record, parts),
    startSolanaPair(options, record, (chain) => parts.chains.push(chain)),
    retryUntilAnswered('the local identity provider', startIdentity, options),
  ] as const
  // Every start ends before a failure is thrown: then the caller stops all that run.
  await Promise.allSettled(starting)
  const [chains, solana] = await Promise.all(starting)
  return { chains, solana }
}

async function startChains(
  { folder, ports, say, signal }: WorldOptions,
  record: WorldRecord,
  parts: Parts,
): Promise<[Chain, Chain]> {
  const start = async (chainId: number, port: number, state: string): Promise<Chain> => {
    const stateFile = join(folder, state)
    const chain = await startChain({ chainId, port, stateFile, blockTimeSeconds, idleBlockTimeSeconds, say, signal })
    parts.chains.push(chain)
    return chain
  }
  const starting = [start(84532, ports.chain, record.chainState), start(8453, ports.baseChain, record.baseState)] as const
  // Every start ends before a failure is thrown: then the caller stops all that run.
  await Promise.allSettled(starting)
  return Promise.all(starting)
}

// The service first: it drains, and a payment in progress still reaches its payer through the merchant.
async function stopParts({ service, merchant, identity, chains, views }: Parts): Promise<void> {
  await service?.stop()
  await Promise.all(views.map((view) => view.stop()))
  await merchant?.stop()
  await identity?.stop()
  await Promise.all(chains.map((chain) => chain.stop()))
}
