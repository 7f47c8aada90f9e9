import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { changed, onBase, solanaBody } from '../../test/support/payloads/bodies'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { startHarness } from '../../test/support/service/harness'
import { newAddress, newPurchase, type Route, refused, routes, traces } from '../../test/support/service/purchases'
import { type Answer, left, type Merchant, newClient, newMerchant } from '../../test/support/service/surface'

type Json = Record<string, unknown>
type Settings = Parameters<typeof newMerchant>[1]

const harness = fixture(() => startHarness({ production: true }))

/** Asks, and makes sure that a refusal left nothing behind and took no unit. */
async function refusedAt(route: Route, endpoint: Merchant['v1'], body: unknown): Promise<Answer> {
  const { db } = harness.app
  const count = async () => [...(await traces(harness)), await db.usage.count()]
  const before = await count()
  const answer = await endpoint[route](body)
  expect(await count()).toEqual(before)
  expect(left(answer)).toEqual({ settlements: null, verifications: null })
  return answer
}

const upper = (address: string) => address.toUpperCase().replace('0X', '0x')
const lower = (address: string) => address.toLowerCase()

describe.each(routes)('POST /v1/<KEY>/%s 403', (route) => {
  test('for Solana devnet, which only the sandbox serves', async () => {
    const answer = await refusedAt(route, (await newMerchant(harness.app)).v1, solanaBody())
    const error = 'Solana devnet is not allowed here; this endpoint serves Base, Base Sepolia, and Solana'
    const expected = { network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', payer: '' }
    expect([answer.status, answer.body]).toEqual([403, refused(route, error, 'invalid_network', expected)])
  })

  test('for Base below the sandbox', async () => {
    const payer = await harness.payer()
    const body = v2Body(await signed(payer, {}, 8453), { requirements: onBase })
    const answer = await refusedAt(route, newClient(harness.app), body)
    const error = 'Base is not allowed here; this endpoint serves Base Sepolia and Solana devnet'
    const expected = { network: 'eip155:8453', payer: payer.address }
    expect([answer.status, answer.body]).toEqual([403, refused(route, error, 'invalid_network', expected)])
  })

  test('for a network that the tenant does not allow, configured or not', async () => {
    const { payer, body } = await newPurchase(harness)
    const others = ['eip155:8453', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']
    const answer = await refusedAt(route, (await newMerchant(harness.app, { allowedNetworks: others })).v1, body)
    const error = "Base Sepolia is not allowed here; this API key's allowed networks are Base and Solana"
    const expected = { network: 'eip155:84532', payer }
    expect([answer.status, answer.body]).toEqual([403, refused(route, error, 'invalid_network', expected)])

    const mainnet = v2Body(await signed(await harness.payer(), {}, 8453), { requirements: onBase })
    const testnetOnly = await newMerchant(harness.app, { allowedNetworks: ['eip155:84532'] })
    expect((await refusedAt(route, testnetOnly.v1, mainnet)).status).toBe(403)
    expect((await testnetOnly.v1[route](body)).status).toBe(200)
  })

  test('for a payTo that is not pinned; a pinned one passes however it is written', async () => {
    const { payTo, payer, payment, body } = await newPurchase(harness)
    const others = [newAddress(), newAddress()].map(lower)
    const answer = await refusedAt(route, (await newMerchant(harness.app, { payToAllow: others })).v1, body)
    const error = `payTo ${lower(payTo)} is not one of the addresses pinned for this API key`
    const expected = { network: 'eip155:84532', payer }
    expect([answer.status, answer.body]).toEqual([403, refused(route, error, 'pay_to_not_allowed', expected)])

    const pinned = await newMerchant(harness.app, { payToAllow: [...others, lower(payTo)] })
    const passed = await pinned.v1[route](v2Body(payment, { requirements: { payTo: upper(payTo) } }))
    expect(passed.body).toMatchObject(route === 'verify' ? { isValid: true } : { success: true })
  })

  test('for one atomic unit above the maximum; exactly the maximum passes', async () => {
    const merchant = await newMerchant(harness.app, { maxAmount: 1_000n })
    const above = await newPurchase(harness, { value: 1_001n })
    const answer = await refusedAt(route, merchant.v1, above.body)
    const error = 'the amount of 0.001001 USDC is above the maximum of 0.001 USDC per payment set for this API key'
    const expected = { network: 'eip155:84532', payer: above.payer }
    expect([answer.status, answer.body]).toEqual([403, refused(route, error, 'amount_above_maximum', expected)])

    const passed = await merchant.v1[route]((await newPurchase(harness, { value: 1_000n })).body)
    expect(passed.body).toMatchObject(route === 'verify' ? { isValid: true } : { success: true })
  })

  test('for an amount above the largest maximum that can be set, which no number could hold', async () => {
    const most = 10n ** 77n
    const { body } = await newPurchase(harness)
    const asked = changed(changed(body, 'paymentRequirements.amount', String(most + 1n)), 'paymentPayload.accepted.amount', '1')
    const answer = await refusedAt(route, (await newMerchant(harness.app, { maxAmount: most })).v1, asked)
    expect([answer.status, answer.body]).toMatchObject([403, { error: expect.stringContaining('is above the maximum of') }])
  })

  test.each(['free', 'starter'])('for flash with the plan %s, with any body', async (plan) => {
    const { flash } = await newMerchant(harness.app, { plan })
    const error = `flash settlement needs the plan growth or higher; this key has the plan ${plan}`
    const { body: good } = await newPurchase(harness)
    for (const [body, network] of [
      ['', ''],
      ['x'.repeat(20_000), ''],
      [good, 'eip155:84532'],
    ]) {
      const answer = await refusedAt(route, flash, body)
      expect([answer.status, answer.body]).toEqual([403, refused(route, error, 'flash_not_in_plan', { network })])
    }
  })
})

describe('the guardrails of a tenant', () => {
  const rules: [string, Settings, Json][] = [
    [
      'network before payTo',
      { allowedNetworks: ['eip155:8453'], payToAllow: [lower(newAddress())] },
      { errorReason: 'invalid_network' },
    ],
    ['payTo before amount', { payToAllow: [lower(newAddress())], maxAmount: 1n }, { errorReason: 'pay_to_not_allowed' }],
    ['amount', { maxAmount: 1n }, { errorReason: 'amount_above_maximum' }],
  ]
  test.each(rules)('are reported one at a time: %s', async (_, settings, expected) => {
    const { body } = await newPurchase(harness)
    expect((await (await newMerchant(harness.app, settings)).v1.settle(body)).body).toMatchObject(expected)
  })

  test('bind their own tenant only', async () => {
    const { body } = await newPurchase(harness)
    await newMerchant(harness.app, { payToAllow: [lower(newAddress())], maxAmount: 1n })
    expect((await (await newMerchant(harness.app)).v1.settle(body)).body).toMatchObject({ success: true })
  })
})
