import { resolve } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { envSchema } from '../server/env/env'
import { CLIENT_ID } from './identity/identity-provider'
import { WALLET_FACTORY } from './smart-wallet'
import { addressOf } from './solana/keys'
import type { WorldRecord } from './world-folder'

type ServiceUrls = {
  port: number
  baseUrl: string
  dataFolder: string
  /** The identity provider of its merchants. */
  issuer: string
  /** The sample merchant, which visitors of the home page can pay. */
  merchantUrl: string
  sepoliaUrl: string
  sepoliaFlashUrl: string
  baseChainUrl: string
  baseFlashUrl: string
  solanaUrl: string
  solanaDevnetUrl: string
}

const names = Object.keys(envSchema.shape).filter((name) => name !== 'NODE_ENV' && name !== 'LOG_LEVEL')

/** Every variable, set to empty: a developer's own .env cannot connect a local world to real networks or a real database. */
export const emptyEnv: Record<string, string> = Object.fromEntries(names.map((name) => [name, '']))

/** The environment of a local world's service: its chains, their signers and its database folder. */
export function serviceEnv({ port, baseUrl, dataFolder, issuer, merchantUrl, ...nodes }: ServiceUrls, world: WorldRecord) {
  return {
    ...emptyEnv,
    PORT: String(port),
    BASE_URL: baseUrl,
    DATA_DIR: resolve(dataFolder),
    PLAYGROUND_URL: merchantUrl,
    BASE_SEPOLIA_RPC_URL: nodes.sepoliaUrl,
    BASE_SEPOLIA_FLASH_RPC_URL: nodes.sepoliaFlashUrl,
    BASE_RPC_URL: nodes.baseChainUrl,
    BASE_FLASH_RPC_URL: nodes.baseFlashUrl,
    EVM_SANDBOX_SIGNER_KEYS: world.keys.signer,
    EVM_SIGNER_KEYS: world.keys.production,
    EVM_WALLET_FACTORIES: WALLET_FACTORY,
    SPONSORED_APPROVAL_MAX: '0.001',
    SOLANA_RPC_URL: nodes.solanaUrl,
    SOLANA_DEVNET_RPC_URL: nodes.solanaDevnetUrl,
    SOLANA_SANDBOX_SIGNER_KEYS: world.keys.solanaSigner,
    SOLANA_SIGNER_KEYS: world.keys.solanaProduction,
    PURCHASE_NETWORKS: 'base-sepolia,base,solana,solana-devnet',
    PURCHASE_PAY_TO_EVM: privateKeyToAddress(world.keys.operator),
    PURCHASE_PAY_TO_SOLANA: addressOf(world.keys.solanaOperator),
    // The mainnets of this world are local chains without real money: screening, a PostgreSQL server and budgets in dollars are not needed.
    KYT: 'off',
    ALLOW_EMBEDDED_MAINNET: '1',
    GAS_BUDGET_DAY: '1',
    WALLET_GAS_BUDGET_DAY: '1',
    ADMIN_KEY: world.secrets.admin,
    AUTH_SECRET: world.secrets.auth,
    CHANNEL_SECRETS: `channels-${world.secrets.auth}`,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: world.secrets.identityClient,
    OIDC_AUDIENCE: baseUrl,
  }
}
