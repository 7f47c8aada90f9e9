import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Chain, startChain } from '../devnet/chain'
import { settledPort } from '../devnet/free-ports'
import { CLIENT_ID, newSigningKey, startIdentityProvider } from '../devnet/identity/identity-provider'
import { merchantKey, startMerchant } from '../devnet/merchant'
import { networks } from '../devnet/networks'
import { withoutExtensionResponses } from '../devnet/print'
import { startService } from '../devnet/service'
import { emptyEnv } from '../devnet/service-env'
import { addressOf, newSecretKey } from '../devnet/solana/keys'
import { type Solana, startSolana } from '../devnet/solana/solana'
import { LOGS } from '../scripts/secrets.mjs'
import { startCluster } from '../test/support/database/postgres'
import { keepSecrets } from '../test/support/logs'
import type { TestService } from './test-service'

const SOL = 1_000_000_000n
const newSecret = () => randomBytes(32).toString('hex')

type Part = { stop: () => Promise<void> }

/** Starts the built service in production mode with its own database, two test chains, identity provider and sample merchant. */
export async function startTestService(
  name: string,
  more: Record<string, string> = {},
): Promise<{ service: TestService; stop: () => Promise<void> }> {
  console.log = withoutExtensionResponses(console.log)
  const parts: Part[] = []
  const stop = async () => {
    // The service first: it drains into its dependencies.
    for (const part of parts.toReversed()) await part.stop()
  }
  try {
    return { service: await startParts(name, more, (part) => parts.push(part)), stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

async function startParts(name: string, more: Record<string, string>, keep: (part: Part) => void): Promise<TestService> {
  const cluster = await startCluster()
  keep({ stop: cluster.remove })
  const databaseUrl = cluster.url('postgres')
  const sepolia = await startChain({ chainId: 84532, blockTimeSeconds: 0.5 })
  keep(sepolia)
  const solana = await startSolana({ cluster: 'devnet' })
  keep(solana)
  const port = await settledPort(0)
  const baseUrl = `http://localhost:${port}`
  const issuer = `http://localhost:${await settledPort(0)}`
  const merchantPort = await settledPort(0)
  const [clientSecret, adminKey] = [newSecret(), newSecret()]
  const operator = addressOf(newSecretKey())
  await solana.openAccount(operator)
  keep(await startIdentityProvider({ issuer, baseUrl, clientSecret, key: newSigningKey() }))
  const env = {
    ...emptyEnv,
    PORT: String(port),
    BASE_URL: baseUrl,
    PLAYGROUND_URL: `http://localhost:${merchantPort}`,
    DATABASE_URL: databaseUrl,
    ...(await signers(sepolia, solana)),
    PURCHASE_NETWORKS: 'base-sepolia,solana-devnet',
    PURCHASE_PAY_TO_EVM: privateKeyToAddress(generatePrivateKey()),
    PURCHASE_PAY_TO_SOLANA: operator,
    ADMIN_KEY: adminKey,
    AUTH_SECRET: newSecret(),
    CHANNEL_SECRETS: newSecret(),
    // A page has its figures, however slow the machine is.
    PREFETCH_WAIT_MS: '10000',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: clientSecret,
    ...more,
  }
  keepSecrets(env)
  mkdirSync(LOGS, { recursive: true })
  const logFile = join(LOGS, `${name}.log`)
  keep(await startService({ baseUrl, mode: 'production', env, logFile, entry: 'server/main.ts', signal: undefined }))
  const facilitatorUrl = `${baseUrl}/v1/${await merchantKey({ baseUrl, adminKey }, undefined)}`
  const payTo = privateKeyToAddress(generatePrivateKey())
  const sale = { facilitatorUrl, payTo, network: networks[84532].id, give: sepolia.mint }
  const wallets: TestService['wallets'] = []
  keep(await startMerchant({ ...sale, port: merchantPort, wallets: { origin: baseUrl, list: () => wallets } }))
  return { wallets, baseUrl, sepoliaUrl: sepolia.url, solanaUrl: solana.url, adminKey, databaseUrl }
}

/** RPC URLs and funded signers, for the sandbox and for keys. */
async function signers(sepolia: Chain, solana: Solana): Promise<Record<string, string>> {
  const [sandbox, production] = [generatePrivateKey(), generatePrivateKey()]
  for (const key of [sandbox, production]) await sepolia.fund(privateKeyToAddress(key), parseEther('10'))
  const feePayer = newSecretKey()
  await solana.airdrop(addressOf(feePayer), SOL)
  return {
    BASE_SEPOLIA_RPC_URL: sepolia.url,
    EVM_SANDBOX_SIGNER_KEYS: sandbox,
    EVM_SIGNER_KEYS: production,
    SOLANA_DEVNET_RPC_URL: solana.url,
    SOLANA_SANDBOX_SIGNER_KEYS: feePayer,
  }
}
