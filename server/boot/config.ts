import { hkdfSync, randomBytes } from 'node:crypto'
import type { AppConfig } from '../app'
import { sha256 } from '../base/hash'
import type { Env } from '../env/env'

type Derived = Pick<AppConfig, 'baseUrl' | 'privateHosts' | 'oidc' | 'linksAgents' | 'webhookKey'>

/** The settings of a process: its environment, and what the process made of it. */
export function configOf(env: Env, made: Derived): AppConfig {
  return {
    ...made,
    operatorUrl: env.OPERATOR_URL,
    playgroundUrl: env.PLAYGROUND_URL ?? null,
    purchase: {
      networks: env.PURCHASE_NETWORKS,
      payTo: { evm: env.PURCHASE_PAY_TO_EVM ?? null, svm: env.PURCHASE_PAY_TO_SOLANA ?? null },
    },
    minPayment: BigInt(env.MIN_PAYMENT),
    planPrices: env.PLAN_PRICES,
    planContact: env.PLAN_CONTACT_URL ?? null,
    walletKeysPerDay: env.WALLET_KEYS_PER_DAY,
    gasBudgetDay: env.GAS_BUDGET_DAY ?? null,
    sponsoredApprovalMax: env.SPONSORED_APPROVAL_MAX,
    walletGasBudgetDay: env.WALLET_GAS_BUDGET_DAY ?? null,
    freeGasUsdDay: env.FREE_GAS_USD_DAY,
    finalityDepth: env.FINALITY_DEPTH,
    horizonMs: env.SETTLE_HORIZON_MS,
    retiringSigners: new Set(env.EVM_RETIRING_SIGNERS),
    svm: {
      maxComputeUnits: BigInt(env.SVM_MAX_COMPUTE_UNITS),
      maxFeeLamports: BigInt(env.SVM_MAX_FEE_LAMPORTS),
      smartWallets: new Set(env.SVM_SMART_WALLETS),
      upto: env.SVM_UPTO,
      uptoChannels: env.SVM_UPTO_CHANNELS,
    },
    cursorKey: derived(env, 'quittance cursors'),
    sessionSecret: Buffer.from(derived(env, 'quittance sessions')).toString('base64url'),
    merchantTokens: merchantTokensOf(env),
    walletConnectProjectId: env.WALLETCONNECT_PROJECT_ID ?? null,
    adminSubjects: env.ADMIN_SUBJECTS,
    metricsPublic: env.METRICS_PUBLIC,
    prefetchWaitMs: env.PREFETCH_WAIT_MS,
    adminKeyHash: env.ADMIN_KEY === undefined ? null : sha256(env.ADMIN_KEY),
  }
}

/**
 * A key for one use, derived so that no use of the secret can stand in for another. Without a secret it is a new one: cursors and sessions
 * end with the process.
 */
export function derived({ AUTH_SECRET }: Env, use: string): Uint8Array {
  if (AUTH_SECRET === undefined) return randomBytes(32)
  return new Uint8Array(hkdfSync('sha256', AUTH_SECRET, '', use, 32))
}

/** The identity provider of the dashboard. Null where none is configured. */
export function oidcOf({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }: Env) {
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : null
}

/** How the tokens of merchants are proven. Null where no issuer is configured. */
export function merchantTokensOf({ OIDC_ISSUER: issuer, OIDC_AUDIENCE, OIDC_CLIENT_ID }: Env): AppConfig['merchantTokens'] {
  const audience = OIDC_AUDIENCE ?? OIDC_CLIENT_ID
  return issuer === undefined || audience === undefined ? null : { issuer, audience }
}
