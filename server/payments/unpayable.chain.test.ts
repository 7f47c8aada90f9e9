import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { startHarness } from '../../test/support/service/harness'
import {
  newAddress,
  newPurchase,
  type Purchase,
  type Route,
  refused,
  routes,
  usageOf,
} from '../../test/support/service/purchases'
import { type Answer, left, type Merchant, newClient, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import { pruneTallies } from '../ledger/statements/usage'

const harness = fixture(() => startHarness({ production: true }))

const fields = { verify: 'verifications', settle: 'settlements' } as const
const fast = (quota: number) => ({ rps: 10_000, settlementQuota: quota, verificationQuota: quota })
const unfunded = (): Promise<Purchase> => newPurchase(harness, { balance: 0n })
const leftOf = (route: Route, answer: Answer) => left(answer)[fields[route]]

/** Payments without money, one after the other. */
async function flood(merchant: Merchant, route: Route, count: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let n = 0; n < count; n++) answers.push(await merchant.v1[route]((await unfunded()).body))
  return answers
}

const many = <T>(count: number, make: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, make))

/** Payments at once. */
const burst = (merchant: Merchant, route: Route, purchases: { body: unknown }[]): Promise<Answer[]> =>
  Promise.all(purchases.map(({ body }) => merchant.v1[route](body)))

/** A payer of that merchant whose first payment is final. */
async function customerOf(merchant: Merchant) {
  const payer = await harness.payer()
  expect((await merchant.v1.settle(v2Body(await signed(payer)))).body).toMatchObject({ success: true })
  const where = { tenantId: merchant.tenantId, payer: payer.address.toLowerCase(), state: 'FINAL' }
  await until(async () => (await harness.app.db.settlement.count({ where })) === 1, 'the first payment to be final')
  return payer
}

const SLOWED =
  'too many payments could not be paid today, so payers who never paid here before pass one per second until midnight UTC; nothing was counted, try again in 1 s'

describe.each(routes)('POST /v1/<KEY>/%s of payments that the chain would not let pass', (route) => {
  test('costs no unit, and does not use up what comes back for other reasons', async () => {
    const merchant = await newMerchant(harness.app, fast(20))
    const answers = await flood(merchant, route, 8)
    expect(answers.map((answer) => [answer.status, leftOf(route, answer)])).toEqual(Array(8).fill([200, '20']))
    expect(await usageOf(harness.app, merchant.subject, route)).toEqual({ used: 0, returned: 0 })
  })

  test('in a flood slows unknown payers after a tenth of the limit, and never costs the merchant its month', async () => {
    const merchant = await newMerchant(harness.app, fast(110))
    const customer = await customerOf(merchant)
    const before = await usageOf(harness.app, merchant.subject, route)
    const early = await flood(merchant, route, 11)
    expect(early.map(({ status }) => status)).toEqual(Array(11).fill(200))
    const late = (await burst(merchant, route, await many(30, unfunded))).filter(({ status }) => status === 429)
    expect(late.length).toBeGreaterThan(10)
    for (const { body, headers } of late) {
      expect(body).toMatchObject({ error: SLOWED })
      expect(headers.get('retry-after')).toBe('1')
    }
    expect(await usageOf(harness.app, merchant.subject, route)).toEqual(before)

    const honest = await many(8, () => newPurchase(harness))
    const served = await burst(merchant, route, honest)
    const at = served.findIndex(({ status }) => status === 429)
    const facts = { network: 'eip155:84532', payer: honest[at]?.payer }
    expect(served[at]?.body).toEqual(refused(route, SLOWED, 'rate_limit_exceeded', facts))
    const { used } = await usageOf(harness.app, merchant.subject, route)
    for (let n = 1; n <= 3; n++) {
      const answer = await merchant.v1[route](v2Body(await signed(customer)))
      expect([answer.status, leftOf(route, answer)]).toEqual([200, String(110 - used - n)])
      expect(answer.body).toMatchObject(route === 'settle' ? { success: true } : { isValid: true })
    }
  })

  test('slows the unknown payers of that key and route alone', async () => {
    const [one, other] = [await newMerchant(harness.app, fast(20)), await newMerchant(harness.app, fast(20))]
    await flood(one, route, 20)
    const sibling = route === 'settle' ? 'verify' : 'settle'
    expect((await one.v1[sibling]((await newPurchase(harness)).body)).status).toBe(200)
    expect((await other.v1[route]((await newPurchase(harness)).body)).status).toBe(200)
  })

  test('makes an unknown payer of a known one whose payment was refused after the cap', async () => {
    const merchant = await newMerchant(harness.app, fast(20))
    const customer = await customerOf(merchant)
    await flood(merchant, route, 20)
    const tooMuch = { value: 10n ** 12n }
    const body = async () => v2Body(await signed(customer, tooMuch), { requirements: { amount: String(tooMuch.value) } })
    expect((await merchant.v1[route](await body())).status).toBe(200)
    const answers = await burst(merchant, route, await many(8, async () => ({ body: await body() })))
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  })

  test('is counted in the database, for every instance', async () => {
    const merchant = await newMerchant(harness.app, fast(20))
    await flood(merchant, route, 3)
    const kind = route === 'settle' ? 'unpaid settlements' : 'unpaid verifications'
    const key = { subject: merchant.subject, kind, period: new Date().toISOString().slice(0, 10) }
    const tally = await harness.app.db.tally.findUnique({ where: { subject_kind_period: key } })
    expect(tally).toMatchObject({ count: 3, until: new Date(Date.parse(key.period) + 86_400_000) })
    await harness.app.db.tally.update({ where: { subject_kind_period: key }, data: { count: 1_000 } })
    await flood(merchant, route, 1)
    const answers = await burst(merchant, route, await many(12, unfunded))
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  })

  test('keeps its unit where the signature is what is wrong', async () => {
    const merchant = await newMerchant(harness.app, fast(20))
    const [{ payment }, { payment: foreign }] = [await newPurchase(harness), await newPurchase(harness)]
    const forged = v2Body({ ...payment, signature: foreign.signature }, { requirements: { payTo: payment.authorization.to } })
    const answer = await merchant.v1[route](forged)
    expect([answer.status, leftOf(route, answer)]).toEqual([200, '19'])
  })

  test('in the sandbox comes back up to the cap, and counts after it', async () => {
    const client = newClient(harness.app)
    expect(leftOf(route, await client[route]((await unfunded()).body))).toBe(route === 'settle' ? '1000' : '5000')
    await harness.app.db.tally.updateMany({ where: { subject: client.subject }, data: { count: 1_000 } })
    expect(leftOf(route, await client[route]((await unfunded()).body))).toBe(route === 'settle' ? '999' : '4999')
    expect(await usageOf(harness.app, client.subject, route)).toEqual({ used: 1, returned: 0 })
  })
})

describe('POST {prefix}/settle of payments that are judged and fail', () => {
  const rowsOf = (caller: string) => harness.app.db.history.count({ where: { caller } })
  const kind = 'failed judgements'

  test('writes a row each time, up to 1,000 a month, and answers the same beyond them', async () => {
    const client = newClient(harness.app)
    const { payment } = await newPurchase(harness)
    const body = v2Body(payment, { requirements: { payTo: newAddress() } })
    const first = await client.settle(body)
    expect([first.body, await rowsOf(client.subject)]).toMatchObject([{ success: false }, 1])
    const set = (count: number) => harness.app.db.tally.updateMany({ where: { subject: client.subject, kind }, data: { count } })
    await set(999)
    await client.settle(body)
    expect(await rowsOf(client.subject)).toBe(2)
    for (const beyond of [await client.settle(body), await client.settle((await unfunded()).body)]) {
      expect([beyond.status, beyond.body]).toMatchObject([200, { success: false }])
      expect(beyond.headers.get('x-settlement-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect((await client.settle(body)).body).toEqual(first.body)
    expect(await rowsOf(client.subject)).toBe(2)
    await newClient(harness.app).settle(body)
    expect(
      await harness.app.db.history.count({ where: { payTo: String(Object(body.paymentRequirements).payTo).toLowerCase() } }),
    ).toBe(3)
  })

  test("writes a tenth of the month's limit where that is more", async () => {
    const merchant = await newMerchant(harness.app)
    await merchant.v1.settle((await unfunded()).body)
    const where = { subject: merchant.subject, kind }
    await harness.app.db.tally.updateMany({ where, data: { count: 9_999 } })
    for (const rows of [2, 2]) {
      await merchant.v1.settle((await unfunded()).body)
      expect(await rowsOf(merchant.subject)).toBe(rows)
    }
  })
})

test('counts are deleted once their period is over', async () => {
  const { db } = harness.app
  const past = new Date(Date.now() - 1_000)
  const old = (subject: string) => ({ subject, kind: 'test', period: '2026-01-01', count: 1, until: past })
  await db.tally.createMany({ data: ['a', 'b', 'c'].map(old) })
  await db.tally.create({ data: { ...old('d'), until: new Date(Date.now() + 60_000) } })
  const remaining = () => db.tally.count({ where: { kind: 'test' } })
  expect([await pruneTallies(db, 2), await remaining()]).toEqual([2, 2])
  expect([await pruneTallies(db, 2), await remaining()]).toEqual([1, 1])
})
