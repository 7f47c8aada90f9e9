import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { moveTo, newClaimed } from '../../test/support/database/ledger'
import { onBase } from '../../test/support/payloads/bodies'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newIp } from '../../test/support/service/history'
import { newAddress, newPurchase, refused, traces, usageOf } from '../../test/support/service/purchases'
import { keyHolder, left, type Merchant, newClient, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import { makeOwnKey } from '../accounts/own-keys'
import { addNetwork, networkRow, resetNetworks } from '../x402/networks/networks'

// Test files share a process. Registered first, so it runs last.
afterAll(resetNetworks)

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ production: true, base: true, env: { KYT: 'off', GAS_BUDGET_DAY: '0.5' } })
})
afterAll(() => harness.close())

const SEPOLIA = 'eip155:84532'
const usage = ({ subject }: { subject: string }) => usageOf(harness.app, subject)

/** Spends a budget on Base Sepolia up to a thousandth of a gwei, once its first payment is charged. */
async function spend(budget: string, coins: number): Promise<void> {
  const { gasSpend } = harness.app.db
  const spent = { where: { budget, network: SEPOLIA } }
  await until(async () => (await gasSpend.count(spent)) > 0, 'the gas to be charged')
  await gasSpend.updateMany({ ...spent, data: { spent: String(BigInt(coins * 1e9) * 1_000_000_000n - 1_000_000n) } })
}

describe("POST /v1/<KEY>/settle 429 by the day's gas budget", () => {
  const purseOf = ({ tenantId }: { tenantId: string }) => `tenant:${tenantId}`

  async function spender(): Promise<Merchant> {
    const merchant = await newMerchant(harness.app)
    expect((await merchant.v1.settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
    await spend(purseOf(merchant), 0.5)
    return merchant
  }

  test('for the next payment after it is spent: nothing is sent, no unit is taken', async () => {
    const merchant = await spender()
    const { payer, body } = await newPurchase(harness)
    const before = await traces(harness)
    const answer = await merchant.v1.settle(body)
    const error =
      "today's gas budget of this API key's owner and plan on Base Sepolia does not pay for another settlement; it resets at midnight UTC"
    const facts = { network: SEPOLIA, payer }
    expect([answer.status, answer.body]).toEqual([429, refused('settle', error, 'gas_budget_exceeded', facts)])
    const midnight = new Date().setUTCHours(24, 0, 0, 0)
    expect(Math.abs(Number(answer.headers.get('retry-after')) - (midnight - Date.now()) / 1_000)).toBeLessThan(30)
    expect([left(answer).settlements, await usage(merchant)]).toEqual(['99999', { used: 1, returned: 0 }])
    expect(await traces(harness)).toEqual(before)
    expect((await merchant.v1.verify(body)).body).toEqual({ isValid: true, payer })
  })

  test('on that network only, of that budget only, and until the day is over', async () => {
    const merchant = await spender()
    const { body } = await newPurchase(harness)
    expect((await merchant.v1.settle(body)).status).toBe(429)

    const payer = await harness.payer(0n)
    await harness.base().mint(payer.address, 1_000n)
    const there = v2Body(await signed(payer, {}, 8453), { requirements: onBase })
    expect((await merchant.v1.settle(there)).body).toMatchObject({ success: true, network: 'eip155:8453' })

    const other = await newMerchant(harness.app)
    expect((await other.v1.settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })

    const day = new Date(Date.now() - 86_400_000)
    await harness.app.db.gasSpend.updateMany({ where: { budget: purseOf(merchant) }, data: { day } })
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
  })

  test("of a network's own row, which stands for the common one", async () => {
    const row = networkRow(SEPOLIA)
    const merchant = await spender()
    const { body } = await newPurchase(harness)
    expect((await merchant.v1.settle(body)).status).toBe(429)
    onTestFinished(() => void addNetwork(row))
    addNetwork({ ...row, gasBudgetDay: '1' })
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
  })

  test("is the whole sandbox's for callers without a key, and the message says so", async () => {
    const sandbox = 'tenant:00000000-0000-0000-0000-000000000000'
    onTestFinished(() => void harness.app.db.gasSpend.deleteMany({ where: { budget: sandbox } }))
    expect((await newClient(harness.app).settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
    await spend(sandbox, 0.5)
    const client = newClient(harness.app)
    const answer = await client.settle((await newPurchase(harness)).body)
    const error =
      "today's gas budget of the sandbox on Base Sepolia does not pay for another settlement; it resets at midnight UTC"
    expect([answer.status, answer.body]).toMatchObject([429, { error, success: false, errorReason: 'gas_budget_exceeded' }])
    expect(await usage(client)).toEqual({ used: 0, returned: 0 })
  })

  test("of an owner and plan: an owner's second key is refused after the first has spent it", async () => {
    const owner = { kind: 'oidc', id: newAddress() } as const
    const newKey = async () =>
      keyHolder(harness.app, (await makeOwnKey(harness.app, { owner, ip: newIp() }, { name: '' })).secret)
    const [one, two] = [await newKey(), await newKey()]
    expect((await one.v1.settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
    await spend(`owner:oidc:${owner.id}:free`, 0.5)
    const answer = await two.v1.settle((await newPurchase(harness)).body)
    expect([answer.status, Object(answer.body).errorReason]).toEqual([429, 'gas_budget_exceeded'])
  })
})

describe('POST /v1/<KEY>/settle 503 while gas is too dear', () => {
  test('for a settlement that would cost more than the network allows: nothing is claimed or signed', async () => {
    const row = networkRow('eip155:8453')
    onTestFinished(() => void addNetwork(row))
    const merchant = await newMerchant(harness.app)
    const payer = await harness.payer(0n)
    await harness.base().mint(payer.address, 1_000n)
    const body = v2Body(await signed(payer, {}, 8453), { requirements: onBase })
    addNetwork({ ...row, gasMaxUsd: 0.000001 })
    const before = await traces(harness)
    const answer = await merchant.v1.settle(body)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
    expect(Object(answer.body).error).toBe('gas on Base costs too much now; send the payment again when it is cheaper')
    expect([await traces(harness), await usage(merchant)]).toEqual([before, { used: 0, returned: 0 }])
    addNetwork(row)
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
  })
})

describe("POST /v1/<KEY>/settle by the day's gas budget of all free keys", () => {
  let blocks = 0
  const inNewBlock = () => `203.0.${++blocks}.7`
  async function ofNewWallet(ip = inNewBlock()) {
    const payTo = newAddress()
    const maker = { owner: { kind: 'wallet', id: payTo.toLowerCase() }, ip } as const
    const { secret } = await makeOwnKey(harness.app, maker, { name: '' })
    const budget = `owner:wallet:${payTo.toLowerCase()}:free`
    return { ...keyHolder(harness.app, secret), budget, purchase: () => newPurchase(harness, { payTo }) }
  }
  const settled = async ({ v1, purchase }: Awaited<ReturnType<typeof ofNewWallet>>) => v1.settle((await purchase()).body)

  test("a wallet that spends all it may leaves the next wallet's first payment of the day", async () => {
    const [one, other] = [await ofNewWallet(), await ofNewWallet()]
    expect((await settled(one)).body).toMatchObject({ success: true })
    await spend(one.budget, 0.1)
    await spend('free', 0.1)
    expect((await settled(one)).status).toBe(429)
    expect((await settled(other)).body).toMatchObject({ success: true })
  })

  test('a block of addresses that spent its share leaves other blocks theirs, with any number of wallets', async () => {
    const [one, neighbour, other] = [
      await ofNewWallet('198.51.100.7'),
      await ofNewWallet('198.51.100.8'),
      await ofNewWallet('198.51.101.7'),
    ]
    expect((await settled(one)).body).toMatchObject({ success: true })
    await spend('free 198.51.100.0/24', 0.125)
    expect((await settled(neighbour)).status).toBe(429)
    expect((await settled(other)).body).toMatchObject({ success: true })
  })

  test("refuses a wallet's first payment after all of it is spent; a merchant's key goes on", async () => {
    const other = await ofNewWallet()
    expect((await settled(await ofNewWallet())).body).toMatchObject({ success: true })
    await spend('free', 0.5)
    onTestFinished(() => void harness.app.db.gasSpend.deleteMany({ where: { budget: 'free' } }))
    const { payer, body } = await other.purchase()
    const before = await traces(harness)
    const answer = await other.v1.settle(body)
    const error =
      "your share of today's gas budget of all free keys on Base Sepolia does not pay for another settlement; it resets at midnight UTC"
    const facts = { network: SEPOLIA, payer }
    expect([answer.status, answer.body]).toEqual([429, refused('settle', error, 'gas_budget_exceeded', facts)])
    expect([Number(answer.headers.get('retry-after')) > 0, left(answer).settlements]).toEqual([true, '1000'])
    expect(await traces(harness)).toEqual(before)
    expect((await other.v1.verify(body)).body).toEqual({ isValid: true, payer })
    const merchant = await newMerchant(harness.app)
    expect((await merchant.v1.settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
  })

  test("a network without a price or a budget gives wallets nothing, and says so; a merchant's key settles there", async () => {
    const row = networkRow('eip155:8453')
    onTestFinished(() => void addNetwork(row))
    addNetwork({ ...row, coin: { symbol: 'FOO', decimals: 18 } })
    const payTo = newAddress()
    const maker = { owner: { kind: 'wallet', id: payTo.toLowerCase() }, ip: newIp() } as const
    const wallet = keyHolder(harness.app, (await makeOwnKey(harness.app, maker, { name: '' })).secret)
    const payer = await harness.payer(0n)
    await harness.base().mint(payer.address, 1_000n)
    const body = v2Body(await signed(payer, { to: payTo }, 8453), { requirements: { ...onBase, payTo } })
    const answer = await wallet.v1.settle(body)
    const error = 'this facilitator pays no gas of free keys on Base; ask its operator for a plan'
    expect([answer.status, Object(answer.body).error]).toEqual([429, error])
    const merchant = await newMerchant(harness.app)
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
  })
})

describe('POST /v1/<KEY>/settle 429 by the queues', () => {
  /** As many claims that wait; ends by freeing them. */
  async function fill(count: number, claim: Parameters<typeof newClaimed>[1]): Promise<() => Promise<void>> {
    const { db } = harness.app
    // They are not freed while the test runs.
    const waiting = { deadlineMs: 600_000, ...claim }
    const claims = await Promise.all(Array.from({ length: count }, () => newClaimed(db, waiting)))
    return async () => {
      for (const { id } of claims) await moveTo(db, id, 'REJECTED')
    }
  }

  const queues = [
    {
      name: 'payer',
      most: 200,
      error: 'this payer has too many payments on their way already; send it again when some have landed',
      reason: 'payer_queue_full',
      claimOf: ({ payer }: { payer: string; merchant: Merchant }) => ({ payer: payer.toLowerCase() }),
    },
    {
      name: 'party',
      most: 500,
      error: 'too many of your payments are on their way on this network already; send it again when some have landed',
      reason: 'queue_full',
      claimOf: ({ merchant }: { payer: string; merchant: Merchant }) => ({ party: `tenant:${merchant.tenantId}` }),
    },
  ]
  test.each(queues)('of one $name, of $most: nothing is claimed, no unit is taken', async (queue) => {
    const merchant = await newMerchant(harness.app)
    const { payer, body } = await newPurchase(harness)
    const free = await fill(queue.most, queue.claimOf({ payer, merchant }))
    const before = await traces(harness)
    const answer = await merchant.v1.settle(body)
    const facts = { network: 'eip155:84532', payer }
    expect([answer.status, answer.body]).toEqual([429, refused('settle', queue.error, queue.reason, facts)])
    expect([answer.headers.get('retry-after'), left(answer).settlements]).toEqual(['2', '100000'])
    expect([await usage(merchant), await traces(harness)]).toEqual([{ used: 0, returned: 0 }, before])

    const neighbour = await newMerchant(harness.app)
    expect((await neighbour.v1.settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
    await free()
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
    expect(await usage(merchant)).toEqual({ used: 1, returned: 0 })
  })

  test("a payer's queue on one network is none on another", async () => {
    const merchant = await newMerchant(harness.app)
    const payer = await harness.payer(0n)
    await harness.base().mint(payer.address, 1_000n)
    await fill(200, { payer: payer.address.toLowerCase() })
    const there = v2Body(await signed(payer, {}, 8453), { requirements: onBase })
    expect((await merchant.v1.settle(there)).body).toMatchObject({ success: true })
  })
})
