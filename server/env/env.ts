import { existsSync } from 'node:fs'
import { z } from 'zod'
import { isLocalHost } from '../x402/listing-url'
import { dollarOn } from '../x402/networks/assets'
import { OFFER_SECONDS } from '../x402/networks/expiry-margin'
import { mainAsset, networkRow } from '../x402/networks/networks'
import { addNetworksOf, evmNetworks, networkVariables } from './networks'
import {
  addresses,
  adminKey,
  authSecret,
  coins,
  evmAddress,
  evmNetworkName,
  fineCoins,
  flag,
  headerList,
  keys,
  list,
  mints,
  networkNames,
  origin,
  planPrices,
  postgresUrl,
  receiptSecrets,
  redisUrl,
  remoteToken,
  remoteUrl,
  solanaWallet,
  unset,
  urls,
  walletPrograms,
  whole,
} from './values'

const variables = z.object({
  NODE_ENV: unset(z.enum(['production', 'development', 'test'], 'must be production, development or test').default('production')),
  PORT: whole(0, 65_535, 3_000),
  BASE_URL: unset(origin.optional()),
  OPERATOR_URL: unset(
    z
      .string()
      .regex(/^(\/(?![/\\])|https?:\/\/)/, 'must be an http(s) URL or a path')
      .default('/home'),
  ),
  PLAYGROUND_URL: unset(origin.optional()),
  DATABASE_URL: postgresUrl,
  MIGRATION_DATABASE_URL: postgresUrl,
  DATA_DIR: unset(z.string().default('.data')),
  REDIS_URL: unset(redisUrl.optional()),
  ALLOW_EMBEDDED_MAINNET: flag,
  ADMIN_KEY: unset(adminKey.optional()),
  ADMIN_SUBJECTS: list,
  AUTH_SECRET: unset(authSecret.optional()),
  RECEIPT_SECRETS: receiptSecrets,
  CHANNEL_SECRETS: receiptSecrets,
  OIDC_ISSUER: unset(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional()),
  OIDC_CLIENT_ID: unset(z.string().trim().optional()),
  OIDC_CLIENT_SECRET: unset(z.string().trim().optional()),
  OIDC_AUDIENCE: unset(z.string().trim().optional()),
  SIWE_MAX_AGE_HOURS: whole(1, 8_760, 168),
  WALLETCONNECT_PROJECT_ID: unset(
    z
      .string()
      .trim()
      .regex(/^[0-9a-f]{32}$/i, 'must have 32 hex digits')
      .optional(),
  ),
  AGENT_REGISTRY_URL: unset(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional()),
  AGENT_REGISTRY_WEB_URL: unset(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional()),
  DISCOVERY_ALLOW_PRIVATE_HOSTS: flag,
  ...networkVariables,
  EVM_SIGNER_KEYS: keys,
  EVM_SANDBOX_SIGNER_KEYS: keys,
  EVM_RETIRING_SIGNERS: addresses,
  EVM_WALLET_FACTORIES: addresses,
  SMART_WALLET_CHAIN: unset(evmNetworkName.optional()),
  SOLANA_RPC_URL: urls,
  SOLANA_DEVNET_RPC_URL: urls,
  SOLANA_MINTS: mints,
  SOLANA_DEVNET_MINTS: mints,
  SOLANA_SIGNER_KEYS: list,
  SOLANA_SANDBOX_SIGNER_KEYS: list,
  REMOTE_STANDARD_URL: remoteUrl,
  REMOTE_STANDARD_TOKEN: remoteToken,
  REMOTE_FLASH_URL: remoteUrl,
  REMOTE_FLASH_TOKEN: remoteToken,
  REMOTE_SANDBOX_URL: remoteUrl,
  REMOTE_SANDBOX_TOKEN: remoteToken,
  PURCHASE_NETWORKS: networkNames,
  REQUIRED_NETWORKS: networkNames,
  PURCHASE_PAY_TO_EVM: unset(evmAddress.optional()),
  PURCHASE_PAY_TO_SOLANA: unset(solanaWallet.optional()),
  KYT_URL: unset(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional()),
  KYT_API_KEY: unset(z.string().trim().optional()),
  KYT: unset(z.enum(['on', 'off'], 'must be on or off').default('on')),
  KYT_SANDBOX_PER_MINUTE: whole(1, 1_000_000, 600),
  SETTLE_DEADLINE_MS: whole(1_000, 60_000, 20_000),
  FLASH_DEADLINE_MS: whole(500, 60_000, 3_000),
  SETTLE_HORIZON_MS: whole(1_000, 86_400_000, 600_000),
  BATCH_MAX: whole(1, 100, 40),
  LANE_IN_FLIGHT: whole(1, 1_000, 64),
  FINALITY_DEPTH: whole(1, 1_000, 5),
  TWO_ENDPOINT_AMOUNT: unset(coins.default('1000')),
  LEASE_MS: whole(500, 120_000, 10_000),
  RECHECK_MS: whole(100, 120_000, 4_000),
  MIN_PAYMENT: unset(
    z
      .string()
      .regex(/^[1-9]\d{0,29}$/, 'must be whole atomic units, at least 1')
      .default('100'),
  ),
  PLAN_PRICES: planPrices,
  PLAN_CONTACT_URL: unset(z.url({ protocol: /^(https|mailto)$/, error: 'must be an https or mailto URL' }).optional()),
  ALERT_WEBHOOK_URL: unset(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional()),
  ALERT_WEBHOOK_SECRET: unset(
    z
      .string()
      .trim()
      .regex(/^whsec_[A-Za-z0-9+/]{32,128}={0,2}$/, 'must be whsec_ and at least 24 bytes in base64')
      .optional(),
  ),
  SPONSORED_APPROVAL_MAX: unset(fineCoins.default('0')),
  GAS_BUDGET_DAY: unset(coins.optional()),
  WALLET_GAS_BUDGET_DAY: unset(coins.optional()),
  FREE_GAS_USD_DAY: whole(0, 1_000_000, 25),
  SVM_MAX_COMPUTE_UNITS: whole(1_000, 1_400_000, 60_000),
  SVM_MAX_FEE_LAMPORTS: whole(10_000, 10_000_000, 20_000),
  SVM_SMART_WALLETS: walletPrograms,
  SVM_UPTO: flag,
  SVM_UPTO_CHANNELS: whole(1, 1_000_000, 1_000),
  FAILED_HISTORY_DAYS: whole(1, 36_500, 90),
  WALLET_KEYS_PER_DAY: whole(0, 1_000_000, 1_000),
  PREFETCH_WAIT_MS: whole(0, 60_000, 500),
  TRUSTED_PROXY_HOPS: whole(0, 10, 0),
  METRICS_PUBLIC: flag,
  OTEL_EXPORTER_OTLP_ENDPOINT: unset(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional()),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: unset(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional()),
  OTEL_EXPORTER_OTLP_HEADERS: headerList,
  OTEL_SERVICE_NAME: unset(z.string().trim().default('quittance')),
  OTEL_TRACES_SAMPLER_ARG: unset(
    z.coerce.number('must be a number').min(0, 'must be at least 0').max(1, 'must be at most 1').default(1),
  ),
  LOG_LEVEL: unset(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info')),
})

/** Every variable that the service reads. Empty counts as unset; `.env.example` explains each one. */
export const envSchema = variables.superRefine((env, context) => {
  for (const [name, message] of invalidCombinations(env)) context.addIssue({ code: 'custom', path: [name], message })
})

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Combinations that are invalid: required and unset, or forbidden and set. */
function invalidCombinations(env: z.output<typeof variables>): [name: string, message: string][] {
  const lines: [string, string][] = []
  const production = env.NODE_ENV === 'production'
  for (const name of production ? (['ADMIN_KEY', 'AUTH_SECRET'] as const) : [])
    if (!env[name]) lines.push([name, 'is required in production; create one with openssl rand -hex 32'])
  if (production && env.SETTLE_HORIZON_MS < OFFER_SECONDS * 1_000)
    lines.push(['SETTLE_HORIZON_MS', `must be at least ${OFFER_SECONDS * 1_000} in production: offers are valid that long`])
  if (env.PLAYGROUND_URL && env.BASE_URL && !isLocalHost(new URL(env.BASE_URL).hostname)) {
    lines.push(['PLAYGROUND_URL', 'is for local use only, and BASE_URL has a public host; leave it empty'])
  }
  for (const [family, name] of [
    ['evm', 'PURCHASE_PAY_TO_EVM'],
    ['svm', 'PURCHASE_PAY_TO_SOLANA'],
  ] as const) {
    const sold = env.PURCHASE_NETWORKS.find((id) => networkRow(id).family === family)
    if (sold && !env[name]) lines.push([name, `is required: credits are sold on ${networkRow(sold).title} (PURCHASE_NETWORKS)`])
  }
  for (const id of env.PURCHASE_NETWORKS.filter((id) => dollarOn(id) === null)) {
    lines.push([
      'PURCHASE_NETWORKS',
      `credits cost dollars, and ${networkRow(id).title} has no dollar token of six decimals; leave it out`,
    ])
  }
  for (const [name, network] of [
    ['SOLANA_MINTS', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['SOLANA_DEVNET_MINTS', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  ] as const) {
    const main = mainAsset(network).address
    if (env[name].some(({ address }) => address === main)) lines.push([name, 'must not name USDC, which is always served'])
  }
  if (env.ALERT_WEBHOOK_URL && !env.ALERT_WEBHOOK_SECRET) {
    lines.push([
      'ALERT_WEBHOOK_SECRET',
      'is required with ALERT_WEBHOOK_URL; create one with: echo whsec_$(openssl rand -base64 32)',
    ])
  }
  if (env.OIDC_ISSUER && !env.OIDC_AUDIENCE && !env.OIDC_CLIENT_ID) {
    lines.push(['OIDC_AUDIENCE', 'is required with OIDC_ISSUER, unless tokens have OIDC_CLIENT_ID as their audience'])
  }
  const handed = env.REMOTE_STANDARD_URL || env.REMOTE_FLASH_URL
  const mainnets = evmNetworks(env).filter(({ row }) => !row.testnet)
  const evm = mainnets.some(
    ({ urls, signerKeys }) => urls.length > 0 && (signerKeys.length > 0 || env.EVM_SIGNER_KEYS.length > 0 || handed),
  )
  const mainnet = evm || (env.SOLANA_RPC_URL.length > 0 && env.SOLANA_SIGNER_KEYS.length > 0)
  if (mainnet && !env.KYT_URL && env.KYT === 'on') {
    lines.push(['KYT_URL', 'is required with a mainnet signer; KYT=off switches screening off'])
  }
  const signsIn = env.OIDC_ISSUER && env.OIDC_CLIENT_ID && env.OIDC_CLIENT_SECRET
  // Not needed if all nodes and the identity provider are on this machine.
  const reached = [
    ...mainnets.flatMap(({ urls, sendUrls }) => [...urls, ...sendUrls]),
    ...env.SOLANA_RPC_URL,
    ...(env.OIDC_ISSUER ? [env.OIDC_ISSUER] : []),
  ]
  const isPublic = reached.some((url) => URL.canParse(url) && !LOOPBACK.test(new URL(url).hostname))
  if (production && !env.BASE_URL && (mainnet || signsIn) && isPublic) {
    const when = 'in production with a mainnet signer or OIDC_CLIENT_SECRET'
    lines.push(['BASE_URL', `is required ${when}; wallets and browsers trust its host`])
  }
  if (env.MIGRATION_DATABASE_URL && !env.DATABASE_URL) {
    lines.push(['DATABASE_URL', 'is required with MIGRATION_DATABASE_URL: the same database, as the role of the service'])
  }
  if (mainnet && !env.DATABASE_URL && !env.ALLOW_EMBEDDED_MAINNET) {
    lines.push([
      'DATABASE_URL',
      'is required with a mainnet signer; ALLOW_EMBEDDED_MAINNET=1 accepts the loss of payments in a power cut',
    ])
  }
  return lines
}

export type Env = z.output<typeof envSchema>

/** Loads the file `.env` of the working directory, if there is one. Set variables stay as they are. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/** Passes the public origin to next-auth, which reads it from the environment only. */
export function announceOrigin(baseUrl: string): void {
  process.env.NEXTAUTH_URL = baseUrl
}

/** Passes the configuration of the built pages to Next, as the server that it writes beside them does. */
export function announcePages(config: unknown): void {
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config)
}

/** The database as the owner of its tables, for a process that only migrates. Throws without one. */
export function migrationUrl({ MIGRATION_DATABASE_URL, DATABASE_URL }: Record<string, string | undefined> = process.env): string {
  const url = postgresUrl.parse(MIGRATION_DATABASE_URL) ?? postgresUrl.parse(DATABASE_URL)
  if (url === undefined) throw new Error('MIGRATION_DATABASE_URL is required: the database as the owner of its tables')
  return url
}

/**
 * Reads the environment, and makes its EVM networks known to the process. Throws with one line per invalid variable, never with a value.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  // First, because other variables name networks.
  addNetworksOf(source)
  const result = envSchema.safeParse(source)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issue.path[0]?.toString() ?? 'environment'}: ${issue.message}`)
  throw new Error(`the environment cannot be used:\n${[...new Set(lines)].join('\n')}`)
}
