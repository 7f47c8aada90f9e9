import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { BatchSettlementEvmScheme as BatchClient } from '@x402/evm/batch-settlement/client'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/server'
import {
  paymentMiddlewareFromHTTPServer,
  setSettlementOverrides,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/express'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import express from 'express'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { artifact } from '../../devnet/artifacts'
import { batchSettlementAddress } from '../../devnet/networks'
import { keyOn } from '../../devnet/payer'
import { fixture } from '../support/fixture'
import { newPermit2Payer } from '../support/permit2/permit2'
import { startHarness } from '../support/service/harness'
import { type Endpoint, newClient, newMerchant } from '../support/service/surface'

type Json = Record<string, unknown>

const NETWORK = 'eip155:84532'
const PRICE = 1_000n
const SECRET = 'the-secret-of-the-channels-of-these-tests'
const { abi } = artifact('BatchSettlement')

const harness = fixture(() => startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS: SECRET } }))

/** Serves a key's routes over HTTP. */
async function serve({ verify, settle, supported }: Endpoint) {
  const app = express()
  app.use(express.json({ limit: '1mb' }))
  const passed: string[] = []
  const passing = (name: string, act: Endpoint['verify']) =>
    app.post(`/${name}`, async (request, response) => {
      passed.push(`${name} ${Object(request.body).paymentPayload?.payload?.type}`)
      const { status, body } = await act(request.body)
      response.status(status).json(body)
    })
  passing('verify', verify)
  passing('settle', settle)
  app.get('/supported', async (_request, response) => void response.json((await supported()).body))
  return { passed, ...(await listen(app)) }
}

async function listen(app: express.Express) {
  const server = app.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A merchant with the official middleware that sells a stream through channels, at most `PRICE` a request. */
async function startStream(facilitatorUrl: string, receiver: Address, method?: 'permit2') {
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl })
  const scheme = new BatchSettlementEvmScheme(receiver)
  const resources = new x402ResourceServer(facilitator).register(NETWORK, scheme)
  const extra = { name: 'USDC', version: '2', ...(method ? { assetTransferMethod: method } : {}) }
  const price = { amount: String(PRICE), asset: harness.chain.usdc, extra }
  const route = {
    accepts: { scheme: 'batch-settlement', network: NETWORK, price, payTo: receiver } as const,
    description: 'A stream',
  }
  const paid = new x402HTTPResourceServer(resources, { 'GET /stream': route })
  await paid.initialize()
  const app = express()
  app.use(paymentMiddlewareFromHTTPServer(paid, undefined, undefined, false))
  let charge = String(PRICE)
  app.get('/stream', (_request, response) => {
    setSettlementOverrides(response, { amount: charge })
    response.json({ answer: 7 })
  })
  const { url, stop } = await listen(app)
  const manager = scheme.createChannelManager(facilitator, NETWORK, harness.chain.usdc)
  return {
    url: `${url}/stream`,
    stop,
    manager,
    charging(amount: bigint) {
      charge = String(amount)
    },
  }
}

/** A payer with the official client, which keeps its channels in memory. */
async function newBuyer() {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await newPermit2Payer(harness.chain, 1_000_000n, privateKeyToAccount(key))
  const scheme = new BatchClient(keyOn(harness.chain.client, key))
  const client = x402Client.fromConfig({ schemes: [{ network: 'eip155:*', client: scheme }], spendControls: false })
  const pay = wrapFetchWithPayment(fetch, client)
  return {
    address,
    scheme,
    async buy(url: string) {
      const response = await pay(url)
      const header = response.headers.get('payment-response')
      return {
        status: response.status,
        body: await response.json(),
        receipt: header ? decodePaymentResponseHeader(header) : undefined,
      }
    },
  }
}

const read = (functionName: string, args: unknown[]): Promise<unknown> =>
  harness.chain.client.readContract({ address: batchSettlementAddress, abi, functionName, args })

/** A merchant with a key, its authorizer here, and its routes over HTTP. */
async function newSeller() {
  const merchant = await newMerchant(harness.app)
  const receiver = privateKeyToAccount(generatePrivateKey()).address
  return { receiver, ...(await serve(merchant.v1)) }
}

const channelIn = (receipt: unknown): Hex => Object(Object(receipt).extra).channelState.channelId

/** The extra of the scheme's kind in what a caller is offered. */
async function offeredTo(endpoint: Endpoint): Promise<Json | undefined> {
  const { kinds }: { kinds: { scheme: string; network: string; extra: Json }[] } = Object((await endpoint.supported()).body)
  return kinds.find(({ scheme, network }) => scheme === 'batch-settlement' && network === NETWORK)?.extra
}

test('a key is offered the authorizer of its tenant at each read, and another key another one; without a key there is none', async () => {
  const [one, other] = [await newMerchant(harness.app), await newMerchant(harness.app)]
  const first = await offeredTo(one.v1)
  expect(first?.receiverAuthorizer).toMatch(/^0x[0-9a-fA-F]{40}$/)
  expect(await offeredTo(one.v1)).toEqual(first)
  expect((await offeredTo(other.v1))?.receiverAuthorizer).not.toBe(first?.receiverAuthorizer)
  const keyless = await offeredTo(newClient(harness.app))
  expect([keyless !== undefined, keyless?.receiverAuthorizer]).toEqual([true, undefined])
})

describe('unmodified official clients and servers', () => {
  test.each([undefined, 'permit2'] as const)(
    'buy a hundred answers through one channel (%s), which is claimed and paid out',
    async (method) => {
      const seller = await newSeller()
      const stream = await startStream(seller.url, seller.receiver, method)
      const buyer = await newBuyer()
      const first = await buyer.buy(stream.url)
      expect(first).toMatchObject({ status: 200, body: { answer: 7 }, receipt: { success: true, network: NETWORK } })
      const channelId = channelIn(first.receipt)
      stream.charging(10n)
      for (let at = 1; at < 100; at++) expect(await buyer.buy(stream.url)).toMatchObject({ status: 200, body: { answer: 7 } })
      const charged = PRICE + 99n * 10n
      expect(Object(await read('channels', [channelId]))[1]).toBe(0n)
      expect(await stream.manager.claim()).toMatchObject([{ vouchers: 1, transaction: expect.stringMatching(/^0x/) }])
      expect(Object(await read('channels', [channelId]))[1]).toBe(charged)
      expect(await stream.manager.settle()).toMatchObject({ transaction: expect.stringMatching(/^0x/) })
      expect(await harness.chain.tokens(seller.receiver)).toBe(charged)
      // Plain vouchers need no call here.
      expect(seller.passed.filter((one) => one.endsWith('voucher')).length).toBeLessThan(10)
      expect(await harness.app.db.history.count({ where: { payTo: seller.receiver.toLowerCase() } })).toBe(0)
      await Promise.all([stream.stop(), seller.stop()])
    },
  )

  test('refund what is left when the payer asks, behind the claim of what was charged', async () => {
    const seller = await newSeller()
    const stream = await startStream(seller.url, seller.receiver)
    const buyer = await newBuyer()
    const channelId = channelIn((await buyer.buy(stream.url)).receipt)
    stream.charging(123n)
    await buyer.buy(stream.url)
    const settled = await buyer.scheme.refund(stream.url)
    expect(settled).toMatchObject({ success: true })
    expect(await read('channels', [channelId])).toEqual([PRICE + 123n, PRICE + 123n])
    expect(await harness.chain.tokens(buyer.address)).toBe(1_000_000n - PRICE - 123n)
    expect(seller.passed.slice(-2)).toEqual(['verify refund', 'settle refund'])
    await Promise.all([stream.stop(), seller.stop()])
  })

  test("refund idle channels by the merchant's manager", async () => {
    const seller = await newSeller()
    const stream = await startStream(seller.url, seller.receiver)
    const buyer = await newBuyer()
    const channelId = channelIn((await buyer.buy(stream.url)).receipt)
    expect(await stream.manager.refund()).toMatchObject([{ transaction: expect.stringMatching(/^0x/) }])
    expect(await read('channels', [channelId])).toEqual([PRICE, PRICE])
    await Promise.all([stream.stop(), seller.stop()])
  })
})
