import type { Hex, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Authorization, authorization, sign } from '../../../devnet/authorization'
import { type Chain, startChain } from '../../../devnet/chain'
import type { Permit2Message } from '../../../devnet/permit2'
import type { Log } from '../../../server/base/log'
import { createApp, type RunningApp, type Seams } from '../../../server/boot/app'
import { readEnv } from '../../../server/env/env'
import { type FreshDatabase, freshDatabase } from '../database/database'
import { keepSecrets, testLog } from '../logs'
import { inParts, type Keep } from '../parts'

export const ADMIN_KEY = 'the-admin-key-of-the-tests-0123456789'
export const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'

export type HarnessOptions = {
  blockTimeSeconds?: number
  /** Sandbox signers, each with its lane; 1 if unset. */
  lanes?: number
  /** Also starts signers of the keyed prefixes. */
  production?: boolean
  /** The networks whose lanes must be ready; all if unset. */
  networks?: readonly string[]
  /** Also starts Base, where the signers of the keyed prefixes hold ether. */
  base?: boolean
  env?: Record<string, string>
  seams?: Seams
  /** `testLog()` if unset. */
  log?: Log
  /** The RPC URL of a proxy in front of the chain. */
  rpcUrl?: (chain: Chain) => string | Promise<string>
}

/** A whole service on its own database and chain, without the HTTP server. */
export type Harness = {
  app: RunningApp
  chain: Chain
  /** The second chain. Throws if the harness has none. */
  base: () => Chain
  database: FreshDatabase
  env: Record<string, string>
  /** A new wallet that holds this much USDC (atomic units). */
  payer: (balance?: bigint) => Promise<LocalAccount>
  close: () => Promise<void>
}

/** Starts a service for tests. Its signers have ether. */
export function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  return inParts((keep) => startOf(options, keep))
}

async function startOf(options: HarnessOptions, keep: Keep): Promise<Omit<Harness, 'close'>> {
  const blockTimeSeconds = options.blockTimeSeconds ?? 0.2
  const start = (chainId: number) => keep(startChain({ chainId, blockTimeSeconds }), (one) => one.stop())
  const [database, chain, base] = await Promise.all([
    keep(freshDatabase(), (one) => one.close()),
    start(84532),
    options.base ? start(8453) : null,
  ])
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: (await options.rpcUrl?.(chain)) ?? chain.url,
    EVM_SANDBOX_SIGNER_KEYS: (await Promise.all(Array.from({ length: options.lanes ?? 1 }, () => fundedKey(chain)))).join(','),
    ...(options.production ? { EVM_SIGNER_KEYS: await fundedKey(chain, base) } : {}),
    ...(base ? { BASE_RPC_URL: base.url } : {}),
    ADMIN_KEY,
    FINALITY_DEPTH: '2',
    RECHECK_MS: '500',
    ...options.env,
  }
  keepSecrets(env)
  const app = await keep(createApp(readEnv(env), options.log ?? testLog(), options.seams), (one) => one.close())
  await ready(app, options.networks)
  return {
    app,
    chain,
    base() {
      if (!base) throw new Error('the harness was started without Base')
      return base
    },
    database,
    env,
    async payer(balance = 1_000_000n) {
      const account = privateKeyToAccount(generatePrivateKey())
      if (balance > 0n) await chain.mint(account.address, balance)
      return account
    },
  }
}

/** A new private key whose address holds ether on these chains. */
export async function fundedKey(...chains: (Chain | null)[]): Promise<Hex> {
  const key = generatePrivateKey()
  for (const chain of chains) await chain?.fund(privateKeyToAccount(key).address, 10n ** 19n)
  return key
}

/** Resolves when all lanes can take work, or all of these networks. */
export async function ready(app: Pick<RunningApp, 'engine'>, networks?: readonly string[]): Promise<void> {
  const lanes = () => app.engine.laneStatus().filter(({ network }) => networks?.includes(network) ?? true)
  await until(() => lanes().every(({ status }) => status === 'ready'), 'lanes to be ready')
}

/** Polls a condition until it holds; throws what it waited for after `withinMs`. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 60_000,
  everyMs = 20,
): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

export type SignedPayment = {
  /** Who pays whom how much; of a payment by Permit2 also its nonce in hex. */
  authorization: Authorization
  signature: Hex
  /** What the payer signed instead, for Permit2. */
  permit2?: Permit2Message
  /** What the payer sends along. */
  extensions?: Record<string, unknown>
}

/** A signed authorization of 0.001 USDC to `PAY_TO`, as the official client makes it; fields can be overridden. */
export async function signed(
  payer: LocalAccount,
  overrides: Partial<Authorization> = {},
  chainId = 84532,
): Promise<SignedPayment> {
  const message = authorization({ from: payer.address, to: PAY_TO, value: 1_000n, ...overrides })
  return { authorization: message, signature: await sign(chainId, payer, message) }
}

type Json = Record<string, unknown>

/** The requirements a v2 merchant sends. */
export function requirements(overrides: Json = {}): Json {
  return {
    scheme: 'exact',
    network: 'eip155:84532',
    amount: '1000',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    payTo: PAY_TO,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2' },
    ...overrides,
  }
}

/** The inner payload of a payment on the wire. */
export function innerPayload({ authorization, signature, permit2 }: SignedPayment): Json {
  if (permit2) return { signature, permit2Authorization: { from: authorization.from, ...asText(permit2) } }
  const { value, validAfter, validBefore, ...rest } = authorization
  return {
    signature,
    authorization: { ...rest, value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) },
  }
}

/** Amounts and times as the wire has them. */
export function asText(value: object): Json {
  return JSON.parse(JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item)))
}

/** A settle or verify body as today's official client and middleware send it. */
export function v2Body(payment: SignedPayment, changed: { accepted?: Json; requirements?: Json; payload?: Json } = {}): Json {
  const asked = requirements(changed.requirements)
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      payload: { ...innerPayload(payment), ...changed.payload },
      resource: { url: 'http://merchant.test/weather', description: 'Weather', mimeType: 'application/json' },
      accepted: { ...asked, ...changed.accepted },
      ...(payment.extensions ? { extensions: payment.extensions } : {}),
    },
    paymentRequirements: asked,
  }
}

/** A settle or verify body as legacy clients send it. */
export function v1Body(payment: SignedPayment, changed: { payload?: Json; requirements?: Json } = {}): Json {
  return {
    x402Version: 1,
    paymentPayload: {
      x402Version: 1,
      scheme: 'exact',
      network: 'base-sepolia',
      payload: innerPayload(payment),
      ...changed.payload,
    },
    paymentRequirements: {
      scheme: 'exact',
      network: 'base-sepolia',
      maxAmountRequired: '1000',
      resource: 'http://merchant.test/weather',
      description: 'Weather',
      mimeType: 'application/json',
      payTo: PAY_TO,
      maxTimeoutSeconds: 300,
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      extra: { name: 'USDC', version: '2' },
      ...changed.requirements,
    },
  }
}
