import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { agentsOf, inHeader, payForCredits, sells } from '../../test/support/service/agents'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { type Kyt, startKyt } from '../../test/support/service/kyt'
import { newAddress, newPurchase, usageOf } from '../../test/support/service/purchases'
import { newClient, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import { sandboxCaller as visitorOf } from '../accounts/caller'
import { plans } from '../accounts/plans'
import { isServiceError } from '../base/errors'
import { parsePayment } from '../x402/parse'
import { verify } from './verify'

let kyt: Kyt
let harness: Harness
beforeAll(async () => {
  kyt = await startKyt()
  harness = await startHarness({ production: true, env: { ...sells, KYT_URL: kyt.url } })
})
afterAll(async () => {
  await harness.close()
  await kyt.close()
})

describe('the screening calls that callers without a key may use', () => {
  test('are none with payments that they cannot pay', async () => {
    const asked = kyt.requests.length
    const client = newClient(harness.app)
    const agents = agentsOf(harness.app)
    for (const _ of [1, 2, 3]) {
      expect((await client.verify((await newPurchase(harness, { balance: 0n })).body)).status).toBe(200)
      const poor = await harness.payer(0n)
      expect((await agents.buy(inHeader.v2(await payForCredits(poor, 100n)))).status).toBe(402)
    }
    expect(kyt.requests).toHaveLength(asked)
  })

  test('are for 60 new addresses a minute in the sandbox, and count for no other caller', async () => {
    const client = newClient(harness.app)
    const payer = await harness.payer()
    const toSomebody = async () => {
      const payTo = newAddress()
      return v2Body(await signed(payer, { to: payTo }), { requirements: { payTo } })
    }
    // The limit of requests per second is another one: the caller is the same on the way of the service.
    const caller = { ...visitorOf(client.ip), limits: { ...plans.sandbox, requestsPerSecond: 10_000 } }
    const bodies = await Promise.all(Array.from({ length: 120 }, toSomebody))
    const answers = await Promise.all(
      bodies.map((body) =>
        verify(harness.app, caller, parsePayment(body), () => {}).then(
          ({ verdict }) => verdict.isValid,
          (error: unknown) => (isServiceError(error) ? `${error.refusal} ${error.facts.reason}` : error),
        ),
      ),
    )
    expect(new Set(answers)).toEqual(new Set([true, 'too_many rate_limit_exceeded']))
    // The payer is one of the addresses.
    expect(answers.filter((answer) => answer === true).length).toBeGreaterThanOrEqual(59)

    const before = await usageOf(harness.app, client.subject, 'verify')
    const late = await Promise.all(Array.from({ length: 5 }, async () => client.verify(await toSomebody())))
    const refused = late.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ invalidReason: 'rate_limit_exceeded', error: expect.stringContaining('new wallets') })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    const served = late.filter(({ status }) => status === 200).length
    expect((await usageOf(harness.app, client.subject, 'verify')).used).toBe(before.used + served)
    expect((await newClient(harness.app).verify(await toSomebody())).body).toMatchObject({ isValid: true })
    expect((await (await newMerchant(harness.app)).v1.settle(await toSomebody())).body).toMatchObject({ success: true })
  })

  test('leaves production as it is when the service says that it is called too often', async () => {
    const known = await newPurchase(harness)
    const merchant = await newMerchant(harness.app)
    expect((await merchant.v1.verify(known.body)).body).toMatchObject({ isValid: true })
    kyt.misbehave({ status: 429, retryAfter: '30' })
    const client = newClient(harness.app)
    const flooded = await client.verify((await newPurchase(harness)).body)
    expect([flooded.status, flooded.headers.get('retry-after')]).toEqual([503, '30'])
    const asked = kyt.requests.length
    for (let n = 0; n < 3; n++) expect((await client.verify((await newPurchase(harness)).body)).status).toBe(503)
    expect(kyt.requests).toHaveLength(asked)

    kyt.misbehave(null)
    expect((await client.verify((await newPurchase(harness)).body)).status).toBe(503)
    for (let n = 0; n < 6; n++) {
      expect((await merchant.v1.verify((await newPurchase(harness)).body)).body).toMatchObject({ isValid: true })
    }

    kyt.misbehave({ status: 429, retryAfter: '1' })
    for (let n = 0; n < 8; n++) expect((await merchant.v1.verify((await newPurchase(harness)).body)).status).toBe(503)
    expect((await merchant.v1.settle(known.body)).body).toMatchObject({ success: true })
    kyt.misbehave(null)
    await until(
      async () => (await merchant.v1.verify((await newPurchase(harness)).body)).status === 200,
      'the pause of production to end',
    )
  })
})
