import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { type Kyt, misbehaviours, startKyt } from '../../test/support/service/kyt'
import { newPurchase, type Purchase, type Route, refused, routes, traces, usageOf } from '../../test/support/service/purchases'
import { type Answer, left, type Merchant, newMerchant } from '../../test/support/service/surface'

let kyt: Kyt
let harness: Harness
beforeAll(async () => {
  kyt = await startKyt()
  harness = await startHarness({ production: true, env: { KYT_URL: kyt.url, KYT_API_KEY: 'the-kyt-key-of-the-tests' } })
})
afterAll(async () => {
  await harness.close()
  await kyt.close()
})

const UNAVAILABLE = 'KYT screening is unavailable; nothing was sent, try again shortly'
const LIMITS = { verify: '500000', settle: '100000' }
const factsOf = ({ payer }: Purchase) => ({ network: 'eip155:84532', payer })

/** Asks, and makes sure that nothing was sent, claimed or written and that no unit was taken. */
async function screened(route: Route, merchant: Merchant, { body }: Purchase): Promise<Answer> {
  const before = await traces(harness)
  const answer = await merchant.v1[route](body)
  expect(await traces(harness)).toEqual(before)
  expect(await usageOf(harness.app, merchant.subject, route)).toEqual({ used: 0, returned: 0 })
  expect(left(answer)[route === 'settle' ? 'settlements' : 'verifications']).toBe(LIMITS[route])
  return answer
}

/** A payment that passes: failures in a row are over, so that the breaker stays closed. */
async function mend(): Promise<void> {
  kyt.misbehave(null)
  const answer = await (await newMerchant(harness.app)).v1.verify((await newPurchase(harness)).body)
  expect(answer.body).toMatchObject({ isValid: true })
}

describe.each(routes)('POST /v1/<KEY>/%s 403 by screening', (route) => {
  const parties: [string, string, (purchase: Purchase) => string][] = [
    ['payer', "the payer's address was flagged by KYT screening", ({ payer }) => payer],
    ['payTo', 'the payTo address was flagged by KYT screening', ({ payTo }) => payTo],
  ]
  test.each(parties)('for a flagged %s: nothing is sent, the unit comes back', async (_, error, addressOf) => {
    const purchase = await newPurchase(harness)
    kyt.flag(addressOf(purchase))
    const answer = await screened(route, await newMerchant(harness.app), purchase)
    expect([answer.status, answer.body]).toEqual([403, refused(route, error, 'kyt_flagged', factsOf(purchase))])
    expect(JSON.stringify(answer.body)).not.toContain('VENDOR')
  })

  test('is not called for a payment that the chain would reject, flagged or not', async () => {
    const purchase = await newPurchase(harness, { balance: 0n })
    kyt.flag(purchase.payer)
    const asked = kyt.requests.length
    const answer = await (await newMerchant(harness.app)).v1[route](purchase.body)
    const reason = 'invalid_exact_evm_insufficient_balance'
    const expected = route === 'settle' ? { success: false, errorReason: reason } : { isValid: false, invalidReason: reason }
    expect([answer.status, answer.body]).toMatchObject([200, expected])
    expect(kyt.requests).toHaveLength(asked)
  })

  test('never costs a unit, however often', async () => {
    const purchase = await newPurchase(harness)
    kyt.flag(purchase.payer)
    const merchant = await newMerchant(harness.app, { settlementQuota: 5, verificationQuota: 5 })
    for (let n = 0; n < 4; n++) {
      const answer = await merchant.v1[route](purchase.body)
      expect([answer.status, left(answer)[route === 'settle' ? 'settlements' : 'verifications']]).toEqual([403, '5'])
    }
    expect(await usageOf(harness.app, merchant.subject, route)).toEqual({ used: 0, returned: 0 })
  })

  test('is not called before the amount passes the minimum', async () => {
    const purchase = await newPurchase(harness, { value: 99n })
    const asked = kyt.requests.length
    expect((await (await newMerchant(harness.app)).v1[route](purchase.body)).status).toBe(400)
    expect(kyt.requests).toHaveLength(asked)
  })
})

describe('POST /v1/<KEY>/settle 200 after screening', () => {
  test('asked for payer and payTo, once a minute each', async () => {
    const purchase = await newPurchase(harness)
    const merchant = await newMerchant(harness.app)
    const asked = kyt.requests.length
    expect((await merchant.v1.verify(purchase.body)).body).toMatchObject({ isValid: true })
    expect((await merchant.v1.settle(purchase.body)).body).toMatchObject({ success: true })
    expect(
      kyt.requests
        .slice(asked)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([purchase.payer, purchase.payTo].map((address) => `/address/${address.toLowerCase()}`).sort())
  })
})

describe('POST /v1/<KEY>/settle and verify 503 by screening', () => {
  const outages = misbehaviours.filter((how) => how !== 'status 429')
  test.each(outages)('%s: refused, nothing is sent or claimed, no unit is taken', async (how) => {
    const purchase = await newPurchase(harness)
    kyt.misbehave(how, purchase.payTo)
    const before = await traces(harness)
    await Promise.all(
      routes.map(async (route) => {
        const merchant = await newMerchant(harness.app)
        const answer = await merchant.v1[route](purchase.body)
        expect([answer.status, answer.body]).toEqual([503, refused(route, UNAVAILABLE, 'kyt_unavailable', factsOf(purchase))])
        expect(answer.headers.get('retry-after')).toBe('2')
        expect(await usageOf(harness.app, merchant.subject, route)).toEqual({ used: 0, returned: 0 })
      }),
    )
    expect(await traces(harness)).toEqual(before)
    kyt.misbehave(null, purchase.payTo)
    await mend()
  })

  test('as long as the service is known to be away: without a unit, for every caller, unless both were clear a moment ago', async () => {
    const known = await newPurchase(harness)
    const knower = await newMerchant(harness.app)
    expect((await knower.v1.verify(known.body)).body).toMatchObject({ isValid: true })
    kyt.misbehave('status 500')
    for (let failures = 0; failures < 6; failures += 2) {
      expect((await (await newMerchant(harness.app)).v1.verify((await newPurchase(harness)).body)).status).toBe(503)
    }
    const asked = kyt.requests.length
    const purchase = await newPurchase(harness)
    const merchant = await newMerchant(harness.app)
    for (const route of routes) {
      const answer = await merchant.v1[route](purchase.body)
      expect([answer.status, answer.body]).toEqual([503, refused(route, UNAVAILABLE, 'kyt_unavailable', factsOf(purchase))])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(left(answer)).toEqual({ settlements: null, verifications: null })
      expect(await usageOf(harness.app, merchant.subject, route)).toEqual({ used: 0, returned: 0 })
    }
    expect((await knower.v1.settle(known.body)).body).toMatchObject({ success: true })
    expect(kyt.requests).toHaveLength(asked)
  })
})
