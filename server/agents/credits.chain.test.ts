import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { requirements, signed, v2Body } from '../../test/support/payloads/payments'
import { agentsOf, bought, sells } from '../../test/support/service/agents'
import { startHarness } from '../../test/support/service/harness'
import { pageOf, readersOf } from '../../test/support/service/history'
import { newPurchase, refused } from '../../test/support/service/purchases'
import { type Answer, left } from '../../test/support/service/surface'

const harness = fixture(() => startHarness({ production: true, base: true, env: { ...sells, KYT: 'off' } }))
let agents: ReturnType<typeof agentsOf>
beforeAll(() => {
  agents = agentsOf(harness.app)
})

/** An agent with this many credits and verifications left. */
async function agentWith(has: { credits: number; verifications?: number }) {
  const agent = await bought(harness, 100n)
  const wallet = agent.wallet.address.toLowerCase()
  const used = { used: 100 - has.credits, verifications: 500 - (has.verifications ?? 500) }
  await harness.app.db.creditAccount.update({ where: { wallet_environment: { wallet, environment: 'testnet' } }, data: used })
  return { ...agent, holder: wallet }
}

async function used(holder: string): Promise<{ credits: number; verifications: number }> {
  const { body } = await agents.balance(holder)
  const { credits_used, verifications_used } = body as { credits_used: number; verifications_used: number }
  return { credits: credits_used, verifications: verifications_used }
}

const limits = ({ headers }: Answer) => [headers.get('x-quota-limit'), headers.get('x-quota-reset')]
const dry = (what: string) => `${what} left for testnets; buy more with POST http://localhost:3000/api/v1/agent/purchase`
const NO_VERIFICATIONS = dry('no verifications are').replace(' left', ' left (5 come with each credit)')

describe('POST /v1/<KEY>/settle with the plan agent', () => {
  test('takes one credit for a payment that is sent, and returns the remaining credits', async () => {
    const agent = await agentWith({ credits: 100 })
    const answer = await agent.v1.settle((await newPurchase(harness)).body)
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(left(answer)).toEqual({ settlements: '99', verifications: '500' })
    expect(limits(answer)).toEqual(['100', null])
    expect(await used(agent.holder)).toEqual({ credits: 1, verifications: 0 })
  })

  test('takes none for a failed judgement, a duplicate or a refusal', async () => {
    const agent = await agentWith({ credits: 3 })
    const [poor, good] = [await newPurchase(harness, { balance: 0n }), await newPurchase(harness)]
    const failed = await agent.v1.settle(poor.body)
    expect([failed.body, left(failed).settlements]).toMatchObject([{ success: false }, '3'])
    expect(left(await agent.v1.settle(good.body)).settlements).toBe('2')
    expect(await agent.v1.settle(good.body)).toMatchObject({ status: 409 })
    const tiny = await agent.v1.settle(
      v2Body(await signed(await harness.payer(), { value: 1n }), { requirements: { amount: '1' } }),
    )
    expect(tiny.status).toBe(400)
    expect(await used(agent.holder)).toMatchObject({ credits: 98 })
  })

  test('is a 429 with the header at 0 without credits, and moves nothing', async () => {
    const agent = await agentWith({ credits: 0 })
    const { body, payer } = await newPurchase(harness)
    const answer = await agent.v1.settle(body)
    const told = { network: 'eip155:84532', payer }
    expect([answer.status, answer.body]).toEqual([429, refused('settle', dry('no credits are'), 'credits_exhausted', told)])
    expect(left(answer)).toEqual({ settlements: '0', verifications: '500' })
    expect(await used(agent.holder)).toMatchObject({ credits: 100 })
  })

  test('accepts exactly as many concurrent payments as there are credits', async () => {
    const agent = await agentWith({ credits: 3 })
    const bodies = await Promise.all(Array.from({ length: 10 }, async () => (await newPurchase(harness)).body))
    const answers = await Promise.all(bodies.map((body) => agent.v1.settle(body)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, ...Array<number>(7).fill(429)])
    const refusals = answers.filter(({ status }) => status === 429)
    expect(new Set(refusals.map((answer) => left(answer).settlements))).toEqual(new Set(['0']))
    expect(await used(agent.holder)).toMatchObject({ credits: 100 })
  })

  test('testnet credits settle on testnets only', async () => {
    const agent = await agentWith({ credits: 100 })
    const asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    const payer = await harness.payer(0n)
    await harness.base().mint(payer.address, 1_000n)
    const onBase = { network: 'eip155:8453', asset, extra: { name: 'USD Coin', version: '2' } }
    const body = v2Body(await signed(payer, {}, 8453), { requirements: requirements(onBase) })
    const answer = await agent.v1.settle(body)
    expect(answer).toMatchObject({
      status: 429,
      body: { errorReason: 'credits_exhausted', error: expect.stringContaining('mainnets') },
    })
    expect(await used(agent.holder)).toMatchObject({ credits: 0 })
  })

  test('403 below /flash, and on a network that the agent did not allow', async () => {
    const agent = await agentWith({ credits: 100 })
    const { body } = await newPurchase(harness)
    expect(await agent.flash.settle(body)).toMatchObject({ status: 403, body: { errorReason: 'flash_not_in_plan' } })
    const readers = readersOf(harness.app)
    await readers.changeAgent(agent.holder, { allowed_networks: ['eip155:8453'] })
    // The cached key may be a few seconds old; the ledger reads current settings.
    const refusal = await agent.v1.settle(body)
    expect(refusal).toMatchObject({ status: 403, body: { errorReason: 'invalid_network' } })
    expect(await used(agent.holder)).toMatchObject({ credits: 0 })
  })

  test('enters the history of the wallet that owns the key', async () => {
    const agent = await agentWith({ credits: 2 })
    const { body } = await agent.v1.settle((await newPurchase(harness)).body)
    const page = pageOf(await readersOf(harness.app).agent(agent.holder))
    expect(page.settlements).toMatchObject([{ tx_hash: Reflect.get(Object(body), 'transaction'), plan: 'agent', success: true }])
  })
})

describe('POST /v1/<KEY>/verify with the plan agent', () => {
  test('takes one included verification, and no credit', async () => {
    const agent = await agentWith({ credits: 100 })
    const answer = await agent.v1.verify((await newPurchase(harness)).body)
    expect([answer.status, left(answer)]).toEqual([200, { settlements: '100', verifications: '499' }])
    expect(await used(agent.holder)).toEqual({ credits: 0, verifications: 1 })
  })

  test('takes none for a payment that fails by its balance or its signature', async () => {
    const agent = await agentWith({ credits: 100 })
    const [poor, one, other] = [
      await newPurchase(harness, { balance: 0n }),
      await newPurchase(harness),
      await newPurchase(harness),
    ]
    const forged = v2Body({ ...one.payment, signature: other.payment.signature }, { requirements: { payTo: one.payTo } })
    for (const body of [poor.body, forged]) {
      const answer = await agent.v1.verify(body)
      expect([answer.body, left(answer).verifications]).toMatchObject([{ isValid: false }, '500'])
    }
    expect(await used(agent.holder)).toEqual({ credits: 0, verifications: 0 })
    expect(await harness.app.db.tally.count({ where: { kind: 'unpaid verifications', count: 1 } })).toBe(1)
  })

  test('is a 429 with the header at 0 without verifications; settle still works', async () => {
    const agent = await agentWith({ credits: 5, verifications: 0 })
    const { body, payer } = await newPurchase(harness)
    const answer = await agent.v1.verify(body)
    const told = { network: 'eip155:84532', payer }
    expect([answer.status, answer.body]).toEqual([429, refused('verify', NO_VERIFICATIONS, 'credits_exhausted', told)])
    expect(left(answer)).toEqual({ settlements: '5', verifications: '0' })
    expect(await agent.v1.settle(body)).toMatchObject({ status: 200 })
  })
})

describe('GET /api/v1/agent/balance', () => {
  test('has all its fields', async () => {
    const agent = await bought(harness, 200n)
    await agent.v1.settle((await newPurchase(harness)).body)
    const { body } = await agents.balance(agent.wallet.address)
    const account = {
      credits_remaining: 199,
      credits_used: 1,
      credits_purchased: 200,
      verifications_used: 0,
      verifications_remaining: 1_000,
    }
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(body).toEqual({
      wallet: agent.wallet.address,
      plan: 'agent',
      environment: 'testnet',
      ...account,
      settlements_used: 1,
      keys: [{ id: agent.key_id, prefix: agent.api_key.slice(0, 11), created_at: time, last_used_at: time }],
      allowed_networks: null,
      history_enabled: true,
      last_purchase: {
        created_at: time,
        network: 'eip155:84532',
        amount: '200000',
        credits: 200,
        transaction: agent.transaction,
      },
      accounts: [{ environment: 'testnet', ...account }],
    })
    expect((await agents.balance(agent.wallet.address, '?environment=mainnet')).body).toMatchObject({
      environment: 'mainnet',
      credits_remaining: 0,
      last_purchase: null,
    })
  })

  test('is all zeros for a wallet that never bought, and a 400 for an unknown environment', async () => {
    const stranger = `0x${randomUUID().replaceAll('-', '')}00000000`
    const zeros = { environment: 'mainnet', credits_purchased: 0, keys: [], last_purchase: null, accounts: [] }
    expect(await agents.balance(stranger)).toMatchObject({ status: 200, body: zeros })
    const error = 'environment must be mainnet or testnet'
    expect(await agents.balance(stranger, '?environment=moon')).toMatchObject({ status: 400, body: { error } })
  })
})

describe('/api/v1/agent/keys', () => {
  test('gives a wallet another key, and revokes one', async () => {
    const agent = await bought(harness, 100n)
    const { wallet, v1 } = agent
    const made = await agents.newKey(wallet.address)
    expect(made).toMatchObject({ status: 201, body: { wallet: wallet.address, plan: 'agent' } })
    expect(await agents.deleteKey(wallet.address, agent.key_id)).toMatchObject({
      status: 200,
      body: { id: agent.key_id, revoked: true },
    })
    const { body } = await agents.balance(wallet.address)
    expect(body).toMatchObject({ keys: [{ id: Reflect.get(Object(made.body), 'key_id') }] })
    const answer = await v1.settle((await newPurchase(harness)).body)
    expect(answer).toMatchObject({ status: 401, body: { errorReason: 'invalid_api_key' } })
  })

  test("404 for another wallet's key, an unknown or revoked key, and for a wallet that never bought", async () => {
    const [mine, theirs] = [await bought(harness, 100n), await bought(harness, 100n)]
    const error = 'none of your live keys has this id; GET /api/v1/agent/balance lists them'
    await agents.deleteKey(mine.wallet.address, mine.key_id)
    for (const id of [theirs.key_id, mine.key_id, randomUUID(), 'x']) {
      expect(await agents.deleteKey(mine.wallet.address, id)).toMatchObject({ status: 404, body: { error } })
    }
    expect(await theirs.v1.supported()).toMatchObject({ status: 200 })
    expect(await agents.newKey(`0x${randomUUID().replaceAll('-', '')}00000000`)).toMatchObject({ status: 404 })
  })
})
