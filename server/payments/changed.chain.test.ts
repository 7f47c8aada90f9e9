import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { startHarness } from '../../test/support/service/harness'
import { newAddress, newPurchase, refused, traces, usageOf } from '../../test/support/service/purchases'
import { historyOf, left, type Merchant, newMerchant, rememberedKey } from '../../test/support/service/surface'
import { reconfigure } from '../accounts/tenants'

type Changes = Parameters<typeof reconfigure>[2]

const harness = fixture(() => startHarness({ production: true }))

/** A merchant who changed its settings a moment ago, at an instance that still remembers the earlier ones. */
async function changedMerchant(changes: Changes, settings: Parameters<typeof newMerchant>[1] = {}): Promise<Merchant> {
  const merchant = await newMerchant(harness.app, settings)
  const remembered = await rememberedKey(harness.app, merchant.key)
  await reconfigure(harness.app, merchant.tenantId, changes)
  return { ...merchant, ...remembered }
}

const usage = ({ subject }: Merchant) => usageOf(harness.app, subject)

describe('POST /v1/<KEY>/settle 403 by settings that changed a moment before', () => {
  const elsewhere = newAddress().toLowerCase()
  const tightened: [string, Changes, string, string][] = [
    [
      'the allowed networks',
      { allowedNetworks: ['eip155:8453'] },
      "Base Sepolia is not allowed here; this API key's allowed networks are Base",
      'invalid_network',
    ],
    ['payTo', { payToAllow: [elsewhere] }, 'is not one of the addresses pinned for this API key', 'pay_to_not_allowed'],
    [
      'the maximum',
      { maxAmount: 999n },
      'the amount of 0.001 USDC is above the maximum of 0.000999 USDC per payment set for this API key',
      'amount_above_maximum',
    ],
  ]
  test.each(tightened)('%s: nothing is sent, no unit is lost', async (_, changes, error, reason) => {
    const merchant = await changedMerchant(changes)
    const { payTo, payer, body } = await newPurchase(harness)
    const before = await traces(harness)
    const answer = await merchant.v1.settle(body)
    const expected = refused('settle', expect.stringContaining(error), reason, { network: 'eip155:84532', payer })
    expect([answer.status, answer.body]).toEqual([403, expected])
    expect([await traces(harness), await historyOf(harness, payTo)]).toEqual([before, []])
    expect(await usage(merchant)).toEqual({ used: 0, returned: 0 })
    // What is remembered is true again.
    expect((await merchant.v1.verify(body)).status).toBe(403)
  })

  test('flash after the plan was taken away, at once where it was', async () => {
    const merchant = await newMerchant(harness.app)
    await harness.app.keyring.find(merchant.key, '10.0.0.1')
    await reconfigure(harness.app, merchant.tenantId, { plan: 'starter' })
    expect((await merchant.flash.settle((await newPurchase(harness)).body)).status).toBe(403)
  })
})

describe('POST /v1/<KEY>/settle 200 by settings that changed a moment before', () => {
  test('a new name: at once, once, for one unit', async () => {
    const merchant = await changedMerchant({ name: 'another name' })
    const { payTo, body } = await newPurchase(harness)
    const answer = await merchant.v1.settle(body)
    expect([answer.status, answer.body, left(answer).settlements]).toMatchObject([200, { success: true }, '99999'])
    expect(await harness.chain.tokens(payTo)).toBe(1_000n)
    expect(await historyOf(harness, payTo)).toHaveLength(1)
    expect(await usage(merchant)).toEqual({ used: 1, returned: 0 })
  })

  test('for one unit also when the month has only that one and no more may come back', async () => {
    const merchant = await changedMerchant({ name: 'another name' }, { settlementQuota: 1 })
    const period = new Date().toISOString().slice(0, 7)
    await harness.app.db.usage.create({ data: { subject: merchant.subject, meter: 'settlement', period, used: 0, returned: 1 } })
    expect((await merchant.v1.settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
    expect(await usage(merchant)).toEqual({ used: 1, returned: 1 })
  })

  test('twenty at a time, each for one unit', async () => {
    const merchant = await changedMerchant({ name: 'another name' })
    const purchases = await Promise.all(Array.from({ length: 20 }, () => newPurchase(harness)))
    const answers = await Promise.all(purchases.map(({ body }) => merchant.v1.settle(body)))
    for (const { body } of answers) expect(body).toMatchObject({ success: true })
    expect(await usage(merchant)).toEqual({ used: 20, returned: 0 })
  })

  test('a wider guardrail: at once where it was set', async () => {
    const merchant = await newMerchant(harness.app, { maxAmount: 1n })
    expect((await merchant.v1.settle((await newPurchase(harness)).body)).status).toBe(403)
    await reconfigure(harness.app, merchant.tenantId, { maxAmount: null })
    expect((await merchant.v1.settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
  })

  test('a new plan is the one in the history, and its quota is the one in the headers', async () => {
    const merchant = await changedMerchant({ plan: 'scale' })
    const { payTo, body } = await newPurchase(harness)
    const answer = await merchant.v1.settle(body)
    expect([left(answer).settlements, answer.headers.get('x-quota-limit')]).toEqual(['999999', '1000000'])
    expect(await historyOf(harness, payTo)).toMatchObject([{ plan: 'scale', success: true }])
  })

  test('opted out: the money moves and no history row is left', async () => {
    const merchant = await changedMerchant({ historyEnabled: false })
    const { payTo, body } = await newPurchase(harness)
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
    expect([await harness.chain.tokens(payTo), await historyOf(harness, payTo)]).toEqual([1_000n, []])
  })

  test('opted out: a failed payment leaves no history row either', async () => {
    const merchant = await changedMerchant({ historyEnabled: false })
    const { payTo, body } = await newPurchase(harness, { balance: 999n })
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: false })
    expect(await historyOf(harness, payTo)).toEqual([])
  })

  test('opted in again: from the next payment on', async () => {
    const merchant = await changedMerchant({ historyEnabled: true }, { historyEnabled: false })
    const { payTo, body } = await newPurchase(harness)
    expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
    expect(await historyOf(harness, payTo)).toMatchObject([{ success: true, tenantId: merchant.tenantId }])
  })
})
