import { describe, expect, test } from 'vitest'
import { drain } from '../../test/support/chain/signers'
import { gatedHarness } from '../../test/support/nodes/gated-harness'
import { onBase, solanaBody } from '../../test/support/payloads/bodies'
import { requirements, signed, v2Body } from '../../test/support/payloads/payments'
import { startHarness } from '../../test/support/service/harness'
import { newPurchase, type Route, refused, routes, traces, usageOf } from '../../test/support/service/purchases'
import { type Answer, left, type Merchant, newClient, newMerchant, ownMade } from '../../test/support/service/surface'

const { harness, gate } = gatedHarness({ production: true, env: { LEASE_MS: '600' } })

const subjects: [string, () => Promise<Merchant>][] = [
  ['the tenant', () => newMerchant(harness.app)],
  ['its owner', () => ownMade(harness.app)],
]

/** Asks, and makes sure that a refusal left nothing behind and took no unit. */
async function withoutUnit(route: Route, body: unknown, merchant: Merchant, prefix: 'v1' | 'flash' = 'v1'): Promise<Answer> {
  const before = await traces(harness)
  const answer = await merchant[prefix][route](body)
  expect([await traces(harness), left(answer)]).toEqual([before, { settlements: null, verifications: null }])
  expect(await usageOf(harness.app, merchant.subject, route)).toEqual({ used: 0, returned: 0 })
  return answer
}

describe.each(routes)('POST /v1/<KEY>/%s 502', (route) => {
  test.each(subjects)('while the node does not answer: no unit of %s is taken', async (_, made) => {
    const { payer, body } = await newPurchase(harness)
    const merchant = await made()
    const before = await traces(harness)
    gate.rule(({ method }) => (method === 'eth_call' ? 'down' : null))
    const answer = await merchant.v1[route](body)
    gate.rule(() => null)
    const error = 'the Base Sepolia node did not answer; nothing was sent, try again'
    const facts = { network: 'eip155:84532', payer }
    expect([answer.status, answer.body]).toEqual([502, refused(route, error, 'upstream_unreachable', facts)])
    expect(left(answer)).toEqual({ settlements: '100000', verifications: '500000' })
    expect(await usageOf(harness.app, merchant.subject, route)).toEqual({ used: 0, returned: 0 })
    expect(await traces(harness)).toEqual(before)
    expect((await merchant.v1[route](body)).body).toMatchObject(route === 'settle' ? { success: true } : { isValid: true })
  })
})

describe.each(routes)('POST /v1/<KEY>/%s 503 for what is not configured', (route) => {
  test.each(['growth', 'scale'])('flash with the plan %s, never in silence another tier', async (plan) => {
    const { payer, body } = await newPurchase(harness)
    const answer = await withoutUnit(route, body, await newMerchant(harness.app, { plan }), 'flash')
    const error = 'flash settlement on Base Sepolia is not configured on this facilitator'
    const facts = { network: 'eip155:84532', payer }
    expect([answer.status, answer.body]).toEqual([503, refused(route, error, 'facilitator_unavailable', facts)])
    expect(answer.headers.get('retry-after')).toBe('60')
  })

  test('Base without a node', async () => {
    const payer = await harness.payer()
    const body = v2Body(await signed(payer, {}, 8453), { requirements: onBase })
    const answer = await withoutUnit(route, body, await newMerchant(harness.app))
    const facts = { network: 'eip155:8453', payer: payer.address }
    const error = 'Base is not configured on this facilitator'
    expect([answer.status, answer.body]).toEqual([503, refused(route, error, 'facilitator_unavailable', facts)])
    expect(answer.headers.get('retry-after')).toBe('60')
  })

  test('Solana', async () => {
    const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
    const asset = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    const { payTo } = Object(solanaBody().paymentRequirements)
    const accepted = requirements({ network, asset, payTo })
    const paymentPayload = { x402Version: 2, accepted, payload: { transaction: 'AQ==' } }
    const answer = await withoutUnit(route, { paymentPayload, paymentRequirements: accepted }, await newMerchant(harness.app))
    const error = 'Solana is not configured on this facilitator'
    const facts = { network, payer: '' }
    expect([answer.status, answer.body]).toEqual([503, refused(route, error, 'facilitator_unavailable', facts)])
  })
})

describe('POST /v1/<KEY>/settle 503 for a signer', () => {
  test('that was never given: while the sandbox is served', async () => {
    const sandboxOnly = await startHarness()
    try {
      const { body } = await newPurchase(sandboxOnly)
      const { v1 } = await newMerchant(sandboxOnly.app)
      for (const route of routes) {
        expect([(await v1[route](body)).status, (await v1[route](body)).body]).toMatchObject([
          503,
          { error: 'Base Sepolia is not configured on this facilitator' },
        ])
      }
      expect((await newClient(sandboxOnly.app).settle(body)).body).toMatchObject({ success: true })
    } finally {
      await sandboxOnly.close()
    }
  })

  test('that cannot pay for gas: without a unit, while verify and the sandbox are served, and no longer than that', async () => {
    const { app } = harness
    const refill = await drain(harness, 'production', (await newMerchant(app)).v1.settle)
    const { payer, body } = await newPurchase(harness)
    const merchant = await newMerchant(app)
    const answer = await withoutUnit('settle', body, merchant)
    const error = 'no signer on eip155:84532 can take payments now; nothing was sent, try again shortly'
    const facts = { network: 'eip155:84532', payer }
    expect([answer.status, answer.body]).toEqual([503, refused('settle', error, 'facilitator_unavailable', facts)])
    expect(answer.headers.get('retry-after')).toBe('2')
    expect((await merchant.v1.verify(body)).body).toEqual({ isValid: true, payer })
    expect((await newClient(app).settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })

    await refill()
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
  })
})
