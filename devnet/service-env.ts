import { resolve } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { envSchema } from '../server/env'
import { CLIENT_ID } from './identity/options'
import { addressOf } from './solana/keys'
import type { WorldRecord } from './world-folder'

type Place = {
  port: number
  baseUrl: string
  dataFolder: string
  /** Of the identity provider of its merchants. */
  issuer: string
  /** Of the sample merchant, which the home page lets visitors pay. */
  merchantUrl: string
  sepoliaUrl: string
  sepoliaFlashUrl: string
  baseChainUrl: string
  baseFlashUrl: string
  solanaUrl: string
  solanaDevnetUrl: string
}

const elsewhere = Object.keys(envSchema.shape).filter((name) => name !== 'NODE_ENV' && name !== 'LOG_LEVEL')

/** Every variable, named and empty, so that a developer's own .env cannot join real networks, a real database or another facilitator to a local world. */
export const emptyEnv: Record<string, string> = Object.fromEntries(elsewhere.map((name) => [name, '']))

/** What the service of a local world is told: its chains, their signers and where it keeps its database. */
export function serviceEnv({ port, baseUrl, dataFolder, issuer, merchantUrl, ...nodes }: Place, world: WorldRecord) {
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
    SOLANA_RPC_URL: nodes.solanaUrl,
    SOLANA_DEVNET_RPC_URL: nodes.solanaDevnetUrl,
    SOLANA_SANDBOX_SIGNER_KEYS: world.keys.solanaSigner,
    SOLANA_SIGNER_KEYS: world.keys.solanaProduction,
    PURCHASE_NETWORKS: 'base-sepolia,base,solana,solana-devnet',
    PURCHASE_PAY_TO_EVM: privateKeyToAddress(world.keys.house),
    PURCHASE_PAY_TO_SOLANA: addressOf(world.keys.solanaHouse),
    // The mainnets of this world are local chains and their money nobody's: no one to screen, and the embedded database will do.
    KYT: 'off',
    ALLOW_EMBEDDED_MAINNET: '1',
    ADMIN_KEY: world.secrets.admin,
    AUTH_SECRET: world.secrets.auth,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: world.secrets.identityClient,
    OIDC_AUDIENCE: baseUrl,
  }
}
