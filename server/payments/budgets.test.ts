import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { onBase } from '../../test/bodies'
import { type Harness, signed, startHarness, until, v2Body } from '../../test/harness'
import { newIp } from '../../test/history'
import { moveTo, newClaimed } from '../../test/ledger'
import { newAddress, newPurchase, refused, traces, usageOf } from '../../test/purchases'
import { keyHolder, left, type Merchant, newClient, newMerchant } from '../../test/surface'
import { makeOwnKey } from '../accounts/own-keys'
import { addNetwork, networkRow } from '../x402/networks'

let harness: Harness
beforeAll(async () => {
  // A billion wei: less than any transaction costs.
  harness = await startHarness({ production: true, base: true, env: { KYT: 'off', GAS_BUDGET_DAY: '0.000000001' } })
})
afterAll(() => harness.close())

const usage = ({ subject }: { subject: string }) => usageOf(harness.app, subject)

describe('POST /v1/<KEY>/settle 429 by the day’s gas budget', () => {
  const spentBy = (tenantId: string) => async () => (await harness.app.db.sponsorSpend.count({ where: { tenantId } })) > 0

  async function spender(): Promise<Merchant> {
    const merchant = await newMerchant(harness.app)
    expect((await merchant.v1.settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
    await until(spentBy(merchant.tenantId), 'the gas to be charged')
    return merchant
  }

  test('for the next payment after one has landed: nothing is sent, no unit is taken', async () => {
    const merchant = await spender()
    const { payer, body } = await newPurchase(harness)
    const before = await traces(harness)
    const answer = await merchant.v1.settle(body)
    const error = "today's gas budget of this API key on Base Sepolia is spent; it resets at midnight UTC"
    const facts = { network: 'eip155:84532', payer }
    expect([answer.status, answer.body]).toEqual([429, refused('settle', error, 'gas_budget_exceeded', facts)])
    const midnight = new Date().setUTCHours(24, 0, 0, 0)
    expect(Math.abs(Number(answer.headers.get('retry-after')) - (midnight - Date.now()) / 1_000)).toBeLessThan(30)
    expect([left(answer).settlements, await usage(merchant)]).toEqual(['99999', { used: 1, returned: 0 }])
    expect(await traces(harness)).toEqual(before)
    expect((await merchant.v1.verify(body)).body).toEqual({ isValid: true, payer })
  })

  test('on that network only, of that tenant only, and until the day is over', async () => {
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
    await harness.app.db.sponsorSpend.updateMany({ where: { tenantId: merchant.tenantId }, data: { day } })
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
  })

  test('of a network’s own row, which stands for the common one', async () => {
    const row = networkRow('eip155:84532')
    const merchant = await spender()
    const { body } = await newPurchase(harness)
    expect((await merchant.v1.settle(body)).status).toBe(429)
    onTestFinished(() => void addNetwork(row))
    addNetwork({ ...row, gasBudgetDay: '1' })
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
  })

  test('is the whole sandbox’s for callers without a key, and the message says so', async () => {
    expect((await newClient(harness.app).settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
    await until(spentBy('00000000-0000-0000-0000-000000000000'), 'the gas to be charged')
    const client = newClient(harness.app)
    const answer = await client.settle((await newPurchase(harness)).body)
    const error = "today's gas budget of the sandbox on Base Sepolia is spent; it resets at midnight UTC"
    expect([answer.status, answer.body]).toMatchObject([429, { error, success: false, errorReason: 'gas_budget_exceeded' }])
    expect(await usage(client)).toEqual({ used: 0, returned: 0 })
  })
})

describe('POST /v1/<KEY>/settle 429 by the day’s gas budget of all wallets', () => {
  async function ofNewWallet() {
    const payTo = newAddress()
    const maker = { owner: { kind: 'wallet', id: payTo.toLowerCase() }, ip: newIp() } as const
    const { secret } = await makeOwnKey(harness.app, maker, { name: '' })
    return { ...keyHolder(harness.app, secret), purchase: () => newPurchase(harness, { payTo }) }
  }

  test('for a wallet’s first payment after another wallet has spent it; a merchant’s key goes on', async () => {
    const [one, other] = [await ofNewWallet(), await ofNewWallet()]
    expect((await one.v1.settle((await one.purchase()).body)).body).toMatchObject({ success: true })
    const spent = async () => (await harness.app.db.walletKeySpend.count({ where: { network: 'eip155:84532' } })) > 0
    await until(spent, 'the gas to be charged')
    const { payer, body } = await other.purchase()
    const before = await traces(harness)
    const answer = await other.v1.settle(body)
    const error = "today's gas budget of all keys that wallets created, on Base Sepolia, is spent; it resets at midnight UTC"
    const facts = { network: 'eip155:84532', payer }
    expect([answer.status, answer.body]).toEqual([429, refused('settle', error, 'gas_budget_exceeded', facts)])
    expect([Number(answer.headers.get('retry-after')) > 0, left(answer).settlements]).toEqual([true, '1000'])
    expect(await traces(harness)).toEqual(before)
    expect((await other.v1.verify(body)).body).toEqual({ isValid: true, payer })
    const merchant = await newMerchant(harness.app)
    expect((await merchant.v1.settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
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

  test('a payer’s queue on one network is none on another', async () => {
    const merchant = await newMerchant(harness.app)
    const payer = await harness.payer(0n)
    await harness.base().mint(payer.address, 1_000n)
    await fill(200, { payer: payer.address.toLowerCase() })
    const there = v2Body(await signed(payer, {}, 8453), { requirements: onBase })
    expect((await merchant.v1.settle(there)).body).toMatchObject({ success: true })
  })
})
