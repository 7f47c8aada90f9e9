import express from 'express'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { artifact } from '../../devnet/artifacts'
import { batchSettlementAddress } from '../../devnet/networks'
import { fixture } from '../support/fixture'
import { startHarness } from '../support/service/harness'
import { type Endpoint, newClient, newMerchant } from '../support/service/surface'
import { channelIn, newBuyer } from './channel-traffic'
import { listen, NETWORK, PRICE, startStream } from './stream'

type Json = Record<string, unknown>

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

const read = (functionName: string, args: unknown[]): Promise<unknown> =>
  harness.chain.client.readContract({ address: batchSettlementAddress, abi, functionName, args })

/** A merchant with a key, its authorizer here, and its routes over HTTP. */
async function newSeller() {
  const merchant = await newMerchant(harness.app)
  const receiver = privateKeyToAccount(generatePrivateKey()).address
  return { receiver, ...(await serve(merchant.v1)) }
}

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
      const stream = await startStream(harness.chain, seller.url, seller.receiver, method ? { method } : {})
      const buyer = await newBuyer(harness.chain)
      const first = await buyer.buy(stream.url)
      expect(first).toMatchObject({ status: 200, body: { answer: 7 }, receipt: { success: true, network: NETWORK } })
      const channelId = channelIn(first.receipt)
      const more = `${stream.url}?charge=10`
      for (let at = 1; at < 100; at++) expect(await buyer.buy(more)).toMatchObject({ status: 200, body: { answer: 7 } })
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
    const stream = await startStream(harness.chain, seller.url, seller.receiver)
    const buyer = await newBuyer(harness.chain)
    const channelId = channelIn((await buyer.buy(stream.url)).receipt)
    await buyer.buy(`${stream.url}?charge=123`)
    const settled = await buyer.scheme.refund(stream.url)
    expect(settled).toMatchObject({ success: true })
    expect(await read('channels', [channelId])).toEqual([PRICE + 123n, PRICE + 123n])
    expect(await harness.chain.tokens(buyer.address)).toBe(1_000_000n - PRICE - 123n)
    expect(seller.passed.slice(-2)).toEqual(['verify refund', 'settle refund'])
    await Promise.all([stream.stop(), seller.stop()])
  })

  test("refund idle channels by the merchant's manager", async () => {
    const seller = await newSeller()
    const stream = await startStream(harness.chain, seller.url, seller.receiver)
    const buyer = await newBuyer(harness.chain)
    const channelId = channelIn((await buyer.buy(stream.url)).receipt)
    expect(await stream.manager.refund()).toMatchObject([{ transaction: expect.stringMatching(/^0x/) }])
    expect(await read('channels', [channelId])).toEqual([PRICE, PRICE])
    await Promise.all([stream.stop(), seller.stop()])
  })
})
