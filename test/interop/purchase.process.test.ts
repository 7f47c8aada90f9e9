import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { HTTPFacilitatorClient } from '@x402/core/http'
import { decodePaymentResponseHeader, wrapFetchWithPayment } from '@x402/fetch'
import { describe, expect, test } from 'vitest'
import { agentProgram } from '../../components/client/programs/snippets'
import { openWallet } from '../../examples/wallet'
import { type Market, startCreditHarness } from '../money/kill/credit-harness'
import { fixture } from '../support/fixture'
import { ROOT } from '../support/source-files'

/** The price of 100 credits, in atomic units: the least that a client's own limit must allow. */
const LEAST = 100_000n

const harness = fixture(startCreditHarness)

type Bought = { status: number; body: { api_key: string; endpoint: string; transaction: string }; receipt: unknown }
type Client = (market: Market, key: string, query?: string) => Promise<Bought>

const purchaseUrl = (query: string): string => `${harness.baseUrl}/api/v1/agent/purchase${query}`

/** Buys with `@x402/fetch`. */
const buyV2: Client = async ({ name, nodeUrl }, key, query = '') => {
  const { client } = await openWallet(name, key, nodeUrl)
  const response = await wrapFetchWithPayment(fetch, client)(purchaseUrl(query), { method: 'POST' })
  const receipt = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')
  return { status: response.status, body: await response.json(), receipt }
}

/** Buys with `x402-fetch`. */
const buyV1: Client = async ({ name, nodeUrl }, key, query = '?x402Version=1') => {
  const program = path.join(import.meta.dirname, '..', 'legacy', 'purchase.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [program, purchaseUrl(query), key, name, nodeUrl])
  return JSON.parse(stdout)
}

const clients = [
  { client: '@x402/fetch', buy: buyV2, spelled: ({ id }: Market) => id },
  { client: 'x402-fetch, asking for version 1', buy: buyV1, spelled: ({ name }: Market) => name },
]
const cases = clients.flatMap((row) => (['base-sepolia', 'solana'] as const).map((network) => ({ ...row, network })))

describe.each(cases)('$client buys credits on $network', ({ buy, network, spelled }) => {
  test('within its default limit: the service is paid, and the facilitator URL works', async () => {
    const market = harness.markets[network]
    const [{ key, address }, before] = [await market.wallet(LEAST), await market.held(market.payTo)]
    const { status, body, receipt } = await buy(market, key)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'paid', credits: 100, credits_added: 100, wallet: address, network: market.id, plan: 'agent' },
    })
    expect(receipt).toMatchObject({ success: true, network: spelled(market), payer: address, transaction: body.transaction })
    expect(await market.landed(body.transaction)).toBe(true)
    expect([await market.held(market.payTo), await market.held(address)]).toEqual([before + LEAST, 0n])
    const { kinds } = await new HTTPFacilitatorClient({ url: body.endpoint }).getSupported()
    expect(kinds.map((kind) => kind.network)).toContain(market.id)
  })
})

describe.each(['base-sepolia', 'solana'] as const)('@x402/fetch on %s', (network) => {
  test('buys 1,000 credits for one dollar, its default limit', async () => {
    const market = harness.markets[network]
    const { key } = await market.wallet(1_000_000n)
    expect(await buyV2(market, key, '?credits=1000')).toMatchObject({ status: 200, body: { credits_added: 1_000 } })
  })
})

test('the program in /docs and /llms.txt runs unchanged: it buys, signs in and reads its balance', async () => {
  const { key } = await harness.markets['base-sepolia'].wallet(1_000_000n)
  const program = ['--input-type=module', '-e', agentProgram(harness.baseUrl)]
  const { PATH = '' } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: ROOT,
    env: { PATH, NODE_ENV: 'test', PRIVATE_KEY: key },
  })
  expect(stdout).toMatch(/^1000 1000 \[/)
})
