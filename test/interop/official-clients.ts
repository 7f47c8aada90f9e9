import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Chain, startChain } from '../../devnet/chain'
import { type MerchantOptions, startMerchant } from '../../devnet/merchant'
import { createPayer, type PaidAnswer } from '../../devnet/payer'
import { fundedKey } from '../support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../support/database/database'
import { ADMIN_KEY } from '../support/service/harness'
import { type ServiceProcess, startServiceProcess } from '../support/service/process'
import { until } from '../support/until'

/** Local Base Sepolia and Base, each with its CAIP-2 id and its version 1 name. */
export type Networks = Record<'sepolia' | 'base', { chain: Chain; id: 'eip155:84532' | 'eip155:8453'; v1: string }>

/** A service process that settles on both networks, with helpers that use the admin API. */
export type TwoNetworks = {
  networks: Networks
  service: ServiceProcess
  /** Creates a tenant; resolves with its id and facilitator URL. */
  tenant: () => Promise<{ id: string; url: string }>
  revoke: (id: string) => Promise<void>
  /** Adds a quarantined lane on Base Sepolia with this next nonce and without a signer; resolves with its id. */
  quarantined: (nextNonce: bigint) => Promise<string>
  close: () => Promise<void>
}

/** Starts the chains and the service, with `more` in its environment. Every signer has ether; the owner `owner` has all tenants. */
export async function startTwoNetworks(
  more = (_sepolia: Chain): Record<string, string> | Promise<Record<string, string>> => ({}),
): Promise<TwoNetworks> {
  const options = { blockTimeSeconds: 0.2 }
  const [database, sepolia, base] = await Promise.all([
    freshDatabase(),
    startChain({ chainId: 84532, ...options }),
    startChain({ chainId: 8453, ...options }),
  ])
  const service = await startServiceProcess({ ...(await environment(database, sepolia, base)), ...(await more(sepolia)) })
  // One sandbox lane on Base Sepolia, and one lane of the keyed prefixes per network.
  await until(() => service.output().split('"to":"ready"').length > 3, 'all lanes to be ready')
  return {
    networks: {
      sepolia: { chain: sepolia, id: 'eip155:84532', v1: 'base-sepolia' },
      base: { chain: base, id: 'eip155:8453', v1: 'base' },
    },
    service,
    async tenant() {
      const { id, api_key } = await admin(service, 'POST', '/admin/tenants', { owner_id: 'owner', plan: 'growth' })
      return { id: String(id), url: `${service.url}/v1/${api_key}` }
    },
    async revoke(id) {
      await admin(service, 'PATCH', `/admin/tenants/${id}`, { revoked: true })
    },
    async quarantined(nextNonce) {
      const lane = {
        id: randomUUID(),
        network: 'eip155:84532',
        address: privateKeyToAccount(generatePrivateKey()).address.toLowerCase(),
      }
      const { id } = await database.db.lane.create({ data: { ...lane, class: 'production', status: 'quarantined', nextNonce } })
      return id
    },
    async close() {
      await service.kill('SIGTERM')
      await Promise.all([database.close(), sepolia.stop(), base.stop()])
    },
  }
}

async function environment(database: FreshDatabase, sepolia: Chain, base: Chain): Promise<Record<string, string>> {
  const production = await fundedKey(sepolia)
  await base.fund(privateKeyToAccount(production).address, 10n ** 19n)
  return {
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: sepolia.url,
    BASE_RPC_URL: base.url,
    EVM_SANDBOX_SIGNER_KEYS: await fundedKey(sepolia),
    EVM_SIGNER_KEYS: production,
    KYT: 'off',
    ADMIN_KEY,
  }
}

async function admin(service: ServiceProcess, method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`)
  return response.json()
}

/** A new private key whose address holds one USDC on that chain. */
export async function wallet(chain: Chain): Promise<Hex> {
  const key = generatePrivateKey()
  await chain.mint(privateKeyToAccount(key).address, 1_000_000n)
  return key
}

type Purchase = { facilitatorUrl: string; key: Hex; payTo: Address; price?: MerchantOptions['price'] }

/** Sells once with `@x402/express` and buys with `@x402/fetch`; `meanwhile` runs between the two. */
export async function buyV2(
  { facilitatorUrl, key, payTo, price }: Purchase,
  network: `eip155:${number}`,
  meanwhile = async (): Promise<void> => {},
): Promise<PaidAnswer> {
  const merchant = await startMerchant({ facilitatorUrl, payTo, network, price })
  try {
    await meanwhile()
    const assets = typeof price === 'object' ? [{ network, asset: price.asset }] : []
    return await createPayer(key, undefined, assets).pay(`${merchant.url}/weather`)
  } finally {
    await merchant.stop()
  }
}

/** Sells and buys once with `x402-express` and `x402-fetch`. Returns status, body and receipt. */
export async function buyV1({ facilitatorUrl, key, payTo }: Purchase, network: string): Promise<unknown> {
  const program = path.join(import.meta.dirname, '..', 'legacy', 'pay.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [program, facilitatorUrl, key, payTo, network])
  return JSON.parse(stdout)
}
