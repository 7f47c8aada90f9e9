import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { EURC, MUSD } from '../../test/support/payloads/tokens'
import { agentsOf, bought, decoded, inHeader, payForCredits, SERVICE_PAY_TO, sells } from '../../test/support/service/agents'
import { startHarness } from '../../test/support/service/harness'
import { startReading } from '../../test/support/service/history'
import { HASH } from '../../test/support/service/purchases'
import { keyHolder } from '../../test/support/service/surface'
import { addNetwork, type EvmAsset, networkRow } from '../x402/networks/networks'

const harness = fixture(() => startHarness({ production: true, env: sells }))
let agents: ReturnType<typeof agentsOf>
beforeAll(() => {
  agents = agentsOf(harness.app)
})

const URL = 'http://localhost:3000/api/v1/agent/purchase'
const terms = {
  scheme: 'exact',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  payTo: SERVICE_PAY_TO,
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2' },
}
const description = 'Credits for a payment facilitator endpoint of your own: one settles one payment'

describe('GET /api/v1/agent/purchase', () => {
  test('is a 402 with the offer in its header for version 2 and in its body for version 1', async () => {
    const answer = await agents.offer()
    expect(answer.status).toBe(402)
    const { error } = answer.body as { error: string }
    expect(answer.body).toEqual({
      x402Version: 2,
      error,
      accepts: [
        {
          ...terms,
          network: 'eip155:84532',
          amount: '100000',
          maxAmountRequired: '100000',
          resource: URL,
          description,
          mimeType: 'application/json',
        },
      ],
    })
    expect(decoded(answer, 'payment-required')).toEqual({
      x402Version: 2,
      error,
      resource: { url: URL, description, mimeType: 'application/json' },
      accepts: [{ ...terms, network: 'eip155:84532', amount: '100000' }],
    })
  })

  test('has the network names of version 1 if requested', async () => {
    const { body } = await agents.offer('?x402Version=1&credits=2500')
    expect(body).toMatchObject({ x402Version: 1, accepts: [{ network: 'base-sepolia', maxAmountRequired: '2500000' }] })
    expect(JSON.stringify(body)).not.toContain('"amount"')
  })

  test.each([
    ['?credits=99', 'credits must be at least 100'],
    ['?credits=10000001', 'credits must be at most 10000000'],
    ['?credits=1.5', 'credits must be a whole number'],
    ['?credits=x', 'credits must be a whole number'],
    ['?x402Version=3', 'x402Version must be 1 or 2'],
  ])('400 for %s', async (query, error) => {
    expect(await agents.offer(query)).toMatchObject({ status: 400, body: { error } })
  })

  test('narrows to an environment or a network; where nothing is sold, it names the networks that sell', async () => {
    const networks = async (query: string) => {
      const { status, body } = await agents.offer(query)
      const { accepts = [] } = body as { accepts?: { network: string }[] }
      return [status, ...accepts.map(({ network }) => network)]
    }
    expect(await networks('?environment=testnet')).toEqual([402, 'eip155:84532'])
    expect(await networks('?network=eip155:84532')).toEqual([402, 'eip155:84532'])
    expect(await agents.offer('?environment=mainnet')).toMatchObject({
      status: 400,
      body: { error: 'credits are not sold there; they are sold on eip155:84532' },
    })
    expect((await networks('?environment=moon'))[0]).toBe(400)
  })

  test('says that a payment belongs into a POST, and moves nothing', async () => {
    const payer = await harness.payer()
    const answer = await agents.offer('', inHeader.v2(await payForCredits(payer, 100n)))
    expect(answer).toMatchObject({ status: 402, body: { error: expect.stringContaining('send the payment with POST') } })
    expect(await harness.chain.tokens(payer.address)).toBe(1_000_000n)
  })

  test('is paid in a dollar of six decimals, also where another token is first', async () => {
    const row = networkRow('eip155:84532')
    const [usdc] = row.assets
    onTestFinished(() => void addNetwork(row))
    const soldWith = async (...assets: [EvmAsset, ...EvmAsset[]]) => {
      addNetwork({ ...row, assets })
      return agents.offer()
    }
    expect((await soldWith(EURC, usdc)).body).toMatchObject({ accepts: [terms] })
    for (const token of [EURC, MUSD, { ...EURC, symbol: 'USDG', decimals: 8 }]) {
      expect((await soldWith(token)).status).toBe(503)
    }
  })

  test('503 if credits are not sold', async () => {
    const { app, close } = await startReading()
    const error = 'this facilitator does not sell credits; it has no address to pay to, or no dollar token'
    expect(await agentsOf(app).offer()).toMatchObject({ status: 503, body: { error } })
    await close()
  })
})

describe.each(['v1', 'v2'] as const)('POST /api/v1/agent/purchase with a payment of %s', (version) => {
  test('moves the money to the service and gives the payer credits and a key that settles', async () => {
    const payer = await harness.payer()
    const before = await harness.chain.tokens(SERVICE_PAY_TO)
    const answer = await agents.buy(inHeader[version](await payForCredits(payer, 250n)))
    const { api_key: key, key_id, transaction } = answer.body as Record<string, string>
    const endpoint = `http://localhost:3000/v1/${key}`
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        status: 'paid',
        api_key: expect.stringMatching(/^qt_[\w-]{43}$/),
        key_id,
        endpoint,
        endpoints: { settle: `${endpoint}/settle`, verify: `${endpoint}/verify` },
        credits: 250,
        credits_added: 250,
        wallet: payer.address,
        environment: 'testnet',
        network: 'eip155:84532',
        transaction: expect.stringMatching(HASH),
        plan: 'agent',
      },
    ])
    expect(await harness.chain.tokens(SERVICE_PAY_TO)).toBe(before + 250_000n)
    const network = version === 'v1' ? 'base-sepolia' : 'eip155:84532'
    const receipt = { success: true, transaction, network, payer: payer.address }
    expect([decoded(answer, 'payment-response'), decoded(answer, 'x-payment-response')]).toEqual([receipt, receipt])
    expect((await keyHolder(harness.app, key ?? '').v1.supported()).status).toBe(200)
  })
})

describe('POST /api/v1/agent/purchase', () => {
  test('is the offer without a payment', async () => {
    expect(await agents.buy({}, { query: '?credits=1000' })).toMatchObject({
      status: 402,
      body: { accepts: [{ amount: '1000000' }] },
    })
  })

  test('paid twice is credited twice, to one wallet with two keys that both work', async () => {
    const first = await bought(harness, 100n)
    const second = await bought(harness, 150n, first.wallet)
    expect([first.credits, second.credits]).toEqual([100, 250])
    const balance = await agents.balance(first.wallet.address)
    expect(balance.body).toMatchObject({ credits_remaining: 250, keys: [{ id: second.key_id }, { id: first.key_id }] })
    const statuses = [first, second].map(async ({ v1 }) => (await v1.supported()).status)
    expect(await Promise.all(statuses)).toEqual([200, 200])
  })

  test('with key=keep adds credits to the key that the wallet has, and gives a first key to a wallet without one', async () => {
    const payer = await harness.payer()
    const top = async (query: string) => agents.buy(inHeader.v2(await payForCredits(payer, 100n)), { query })
    const first = await top('?key=keep')
    const { key_id: id, api_key: secret } = first.body as { key_id: string; api_key: string }
    const second = await top('?key=keep')
    expect(second).toMatchObject({ status: 200, body: { status: 'paid', credits: 200, credits_added: 100, plan: 'agent' } })
    for (const name of ['api_key', 'key_id', 'endpoint', 'endpoints']) expect(second.body).not.toHaveProperty(name)
    expect((await agents.balance(payer.address)).body).toMatchObject({ credits_remaining: 200, keys: [{ id }] })
    expect((await keyHolder(harness.app, secret).v1.supported()).status).toBe(200)
    await agents.deleteKey(payer.address, id)
    expect((await top('?key=keep')).body).toMatchObject({ credits: 300, api_key: expect.stringMatching(/^qt_/) })
    expect((await top('?key=new')).body).toMatchObject({ credits: 400, api_key: expect.stringMatching(/^qt_/) })
  })

  test('with another key choice is a 400 that moves nothing', async () => {
    const payer = await harness.payer()
    const answer = await agents.buy(inHeader.v2(await payForCredits(payer, 100n)), { query: '?key=mine' })
    expect(answer).toMatchObject({ status: 400, body: { error: 'key must be new or keep' } })
    expect((await agents.balance(payer.address)).body).toMatchObject({ credits_purchased: 0 })
  })

  test('one payment in many concurrent requests is credited once', async () => {
    const payer = await harness.payer()
    const headers = inHeader.v2(await payForCredits(payer, 100n))
    const answers = await Promise.all(Array.from({ length: 8 }, () => agents.buy(headers, { ip: '10.9.9.9' })))
    const again = await agents.buy(headers, { ip: '10.9.9.9' })
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    expect(again).toMatchObject({ status: 409, body: { error: expect.stringContaining('POST /api/v1/agent/keys') } })
    expect((await agents.balance(payer.address)).body).toMatchObject({ credits_remaining: 100 })
  })

  test('the signed amount counts and not the offer; a partial credit buys nothing', async () => {
    const payer = await harness.payer()
    const payment = await payForCredits(payer, 100n)
    const { body } = await agents.buy(inHeader.v2(payment), { query: '?credits=900' })
    expect(body).toMatchObject({ credits_added: 100 })
  })

  test('a payment that fails is a 402 with the reason, the offer and a receipt', async () => {
    const payer = await harness.payer(0n)
    const answer = await agents.buy(inHeader.v2(await payForCredits(payer, 100n)))
    const error = "The payer's balance is lower than the amount. The payment was on Base Sepolia (eip155:84532)."
    expect(answer).toMatchObject({ status: 402, body: { error, accepts: [{ amount: '100000' }] } })
    expect(decoded(answer, 'payment-response')).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_insufficient_balance',
      transaction: '',
      payer: payer.address,
    })
    expect((await agents.balance(payer.address)).body).toMatchObject({ credits_purchased: 0, keys: [] })
  })

  test.each([
    ['too little', 99n, 'a purchase must be for at least 100 credits (0.1 USDC); this payment is for 0.099 USDC'],
    ['too much', 10_000_001n, 'a purchase must be for at most 10000000 credits (10000 USDC); this payment is for 10000.001 USDC'],
  ])('400 for %s', async (_, credits, error) => {
    const payer = await harness.payer()
    expect(await agents.buy(inHeader.v2(await payForCredits(payer, credits)))).toMatchObject({ status: 400, body: { error } })
  })

  test.each([
    [{ 'x-payment': '%' }, 400, 'X-PAYMENT is not base64'],
    [{ 'payment-signature': 'e30=' }, 400, 'PAYMENT-SIGNATURE has no network (version 2 sends it in accepted)'],
    [{ 'payment-signature': 'e30=', 'x-payment': 'e30=' }, 400, 'PAYMENT-SIGNATURE and X-PAYMENT are both set; send one of them'],
    [
      { 'x-payment': Buffer.from('{"network":"solana"}').toString('base64') },
      403,
      'credits are not sold on the network of this payment; pay on Base Sepolia',
    ],
  ])('%j is %i', async (headers, status, error) => {
    expect(await agents.buy(headers)).toMatchObject({ status, body: { error } })
  })

  test('a sixth key revokes the least recently used one', async () => {
    const first = await bought(harness, 100n)
    const later = []
    for (let count = 0; count < 4; count++) later.push(await bought(harness, 100n, first.wallet))
    await first.v1.supported()
    const { db } = harness.app
    await db.apiKey.update({ where: { id: first.key_id }, data: { lastUsedAt: new Date(Date.now() + 60_000) } })
    const sixth = await bought(harness, 100n, first.wallet)
    const { body } = await agents.balance(first.wallet.address)
    const ids = (body as { keys: { id: string }[] }).keys.map(({ id }) => id)
    expect(ids).toEqual([
      sixth.key_id,
      ...later
        .slice(1)
        .map(({ key_id }) => key_id)
        .reverse(),
      first.key_id,
    ])
  })

  test('the payer sees it in the history, and no secret is stored', async () => {
    const { wallet, transaction, api_key: key } = await bought(harness, 100n)
    const rows = await harness.app.db.history.findMany({ where: { payer: wallet.address.toLowerCase() } })
    expect(rows).toMatchObject([{ success: true, txHash: transaction, resource: URL, plan: 'agent' }])
    const [dump] = await harness.app.db.$queryRaw<{ all: string }[]>`
      SELECT (SELECT json_agg(k)::text FROM "ApiKey" k) || (SELECT json_agg(s)::text FROM "Settlement" s) AS "all"`
    expect(dump?.all).not.toContain(key)
  })
})
