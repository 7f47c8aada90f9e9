import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { HTTPFacilitatorClient } from '@x402/core/http'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMerchant } from '../../devnet/merchant'
import { createPayer, type PaidAnswer } from '../../devnet/payer'
import { addressOf, newSecretKey } from '../../devnet/solana/keys'
import { type Solana, startSolana } from '../../devnet/solana/solana'
import { type FreshDatabase, freshDatabase } from '../support/database/database'
import { ADMIN_KEY } from '../support/service/harness'
import { type ServiceProcess, startServiceProcess } from '../support/service/process'
import { someAddress } from '../support/svm/forge'
import { createMint, type TestMint } from '../support/svm/mints'

const PRICE = 1_000n
const SOL = 1_000_000_000n

let database: FreshDatabase
let devnet: Solana
let mainnet: Solana
let dollar: TestMint
let service: ServiceProcess
beforeAll(async () => {
  ;[database, devnet, mainnet] = await Promise.all([
    freshDatabase(),
    startSolana({ cluster: 'devnet', slotMs: 100 }),
    startSolana({ cluster: 'mainnet', slotMs: 100 }),
  ])
  dollar = await createMint(devnet)
  const [sandboxKey, productionKey] = [newSecretKey(), newSecretKey()]
  await Promise.all([devnet.airdrop(addressOf(sandboxKey), SOL), mainnet.airdrop(addressOf(productionKey), SOL)])
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    KYT: 'off',
    ADMIN_KEY,
    SOLANA_DEVNET_RPC_URL: devnet.url,
    SOLANA_RPC_URL: mainnet.url,
    SOLANA_SANDBOX_SIGNER_KEYS: sandboxKey,
    SOLANA_SIGNER_KEYS: productionKey,
    SOLANA_DEVNET_MINTS: `USDT:${dollar.mint}`,
  })
})
afterAll(async () => {
  await service.kill('SIGTERM')
  await Promise.all([database.close(), devnet.stop(), mainnet.stop()])
})

/** The facilitator URL of a new key. */
async function keyed(): Promise<string> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ owner_id: 'owner', plan: 'growth' })
  const response = await fetch(`${service.url}/admin/tenants`, { method: 'POST', headers, body })
  const { api_key }: { api_key: string } = await response.json()
  return `${service.url}/v1/${api_key}`
}

const prefixes = [
  { prefix: 'sandbox', url: async () => `${service.url}/sandbox`, chain: () => devnet, v1: 'solana-devnet' },
  { prefix: 'v1/<KEY>', url: keyed, chain: () => mainnet, v1: 'solana' },
  { prefix: 'v1/<KEY>/flash', url: async () => `${await keyed()}/flash`, chain: () => mainnet, v1: 'solana' },
]

/** Sells once with `@x402/express` and buys with `@x402/fetch` and `@x402/svm`. */
async function buyV2(
  facilitatorUrl: string,
  chain: Solana,
  secretKey: string,
  payTo: string,
  price?: { asset: string; amount: string },
): Promise<PaidAnswer> {
  const evmKey = generatePrivateKey()
  const merchant = await startMerchant({
    facilitatorUrl,
    payTo: privateKeyToAddress(evmKey),
    solanaPayTo: payTo,
    network: chain.network,
    ...(price && { price }),
  })
  try {
    const assets = price ? [{ network: chain.network, asset: price.asset }] : []
    const wallet = { secretKey, nodes: { [chain.network]: chain.url }, assets }
    return await createPayer(evmKey, wallet).pay(`${merchant.url}/weather`)
  } finally {
    await merchant.stop()
  }
}

/** Sells and buys once with `x402-express` and `x402-fetch`. Returns status, body and receipt. */
async function buyV1(facilitatorUrl: string, chain: Solana, secretKey: string, payTo: string, v1: string): Promise<unknown> {
  const program = path.join(import.meta.dirname, '..', 'legacy', 'pay-svm.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [program, facilitatorUrl, secretKey, payTo, v1, chain.url])
  return JSON.parse(stdout)
}

async function newRecipient(chain: Solana): Promise<string> {
  const owner = someAddress()
  await chain.openAccount(owner)
  return owner
}

async function newWallet(chain: Solana): Promise<string> {
  const key = newSecretKey()
  await chain.mintTo(addressOf(key), 1_000_000n)
  return key
}

describe.each(prefixes)('unmodified official clients through {base_url}/$prefix on Solana', ({ url, chain, v1 }) => {
  test('v2: @x402/express sells, @x402/fetch and @x402/svm pay, USDC moves', async () => {
    const [key, payTo, on] = [await newWallet(chain()), await newRecipient(chain()), chain()]
    const paid = await buyV2(await url(), on, key, payTo)
    expect(paid).toMatchObject({ status: 200, receipt: { success: true, network: on.network, payer: addressOf(key) } })
    expect(await on.tokens(payTo)).toBe(PRICE)
  })

  test('v1: x402-express sells and x402-fetch pays, USDC moves', async () => {
    const [key, payTo, on] = [await newWallet(chain()), await newRecipient(chain()), chain()]
    expect(await buyV1(await url(), on, key, payTo, v1)).toMatchObject({
      status: 200,
      body: { weather: 'sunny' },
      receipt: { success: true, network: v1, payer: addressOf(key) },
    })
    expect(await on.tokens(payTo)).toBe(PRICE)
  })

  test('v2: a payer without USDC gets the reason from the merchant, and nothing moves', async () => {
    const [payTo, on] = [await newRecipient(chain()), chain()]
    expect(await buyV2(await url(), on, newSecretKey(), payTo)).toMatchObject({ status: 402 })
    expect(await on.tokens(payTo)).toBe(0n)
  })

  test('the official facilitator client reads /supported, with the fee payer in the kinds of both versions', async () => {
    const { kinds } = await new HTTPFacilitatorClient({ url: await url() }).getSupported()
    const extra = { feePayer: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) }
    const finality = expect.objectContaining({ success: 'included' })
    expect(kinds).toEqual([
      { x402Version: 2, scheme: 'exact', network: chain().network, extra: { ...extra, finality } },
      { x402Version: 1, scheme: 'exact', network: v1, extra },
    ])
  })
})

test('v2: @x402/express sells and @x402/fetch with @x402/svm pays in a Token-2022 mint of the configuration', async () => {
  const [key, payTo] = [newSecretKey(), someAddress()]
  await Promise.all([dollar.mintTo(addressOf(key), 5_000n), dollar.mintTo(payTo, 0n)])
  const price = { asset: dollar.mint, amount: '2500' }
  expect(await buyV2(`${service.url}/sandbox`, devnet, key, payTo, price)).toMatchObject({
    status: 200,
    amount: 2_500n,
    receipt: { success: true, network: devnet.network, payer: addressOf(key) },
  })
  expect([await dollar.tokens(addressOf(key)), await dollar.tokens(payTo)]).toEqual([2_500n, 2_500n])
})
