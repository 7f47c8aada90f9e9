import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { v2Body } from '../../test/support/payloads/payments'
import { type Harness, startHarness } from '../../test/support/service/harness'
import {
  meters,
  newAddress,
  newPurchase,
  newPurchases,
  type Route,
  refused,
  routes,
  traces,
  usageOf,
} from '../../test/support/service/purchases'
import { inOneSecond } from '../../test/support/service/rate-window'
import { type Answer, keyHolder, left, newMerchant, ownMade } from '../../test/support/service/surface'
import { keyHolder as callerOf } from '../accounts/caller'
import { readQuota, spentNow } from '../accounts/metering'
import { reconfigure, rotate } from '../accounts/tenants'

type Settings = Parameters<typeof newMerchant>[1]

const harness = fixture(() => startHarness({ production: true }))

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()
const times = <T>(count: number, value: T) => Array<T>(count).fill(value)
const fast = { rps: 10_000 }

describe.each(routes)('POST /v1/<KEY>/%s 429 by requests per second', (route) => {
  test('for the sixth with the plan free, with any body, without a unit', async () => {
    const merchant = await newMerchant(harness.app, { plan: 'free' })
    const answers = await inOneSecond(() => Promise.all(times(6, '{').map((body) => merchant.v1[route](body))))
    expect(statuses(answers)).toEqual([...times(5, 400), 429])
    const late = answers.find(({ status }) => status === 429)
    expect(late?.body).toEqual(refused(route, 'more than 5 requests per second; wait 1 s and try again', 'rate_limit_exceeded'))
    expect(late?.headers.get('retry-after')).toBe('1')
    expect(await usageOf(harness.app, merchant.subject, route)).toEqual({ used: 0, returned: 0 })
  })

  test("for the third where the tenant's own limit is 2", async () => {
    const merchant = await newMerchant(harness.app, { rps: 2 })
    const answers = await inOneSecond(() => Promise.all(times(3, '{').map((body) => merchant.v1[route](body))))
    expect(statuses(answers)).toEqual([400, 400, 429])
  })

  test('counted together for the keys of a tenant and both its prefixes, and for no other tenant', async () => {
    const owner = { kind: 'oidc', id: `owner of two by ${route}` }
    const merchant = await newMerchant(harness.app, { owner, rps: 4 })
    const sibling = await newMerchant(harness.app, { owner, rps: 4 })
    const rotated = keyHolder(harness.app, (await rotate(harness.app, merchant.tenantId, 3_600)).secret)
    const endpoints = [merchant.v1, merchant.flash, rotated.v1, rotated.flash, merchant.v1, rotated.v1]
    const ours = () => Promise.all(endpoints.map((endpoint) => endpoint[route]('{')))
    const theirs = () => Promise.all(times(4, '{').map((body) => sibling.v1[route](body)))
    const answers = await inOneSecond(() => Promise.all([ours(), theirs()]))
    expect(answers.map(statuses)).toEqual([[...times(4, 400), 429, 429], times(4, 400)])
  })
})

/** What a spent quota answers. */
function expectSpent(answer: Answer, route: Route, limit: number, payer: unknown): void {
  const reset = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1) / 1_000
  const until = new Date(reset * 1_000).toISOString()
  const error = `the monthly quota of ${limit} ${meters[route]}s is spent; it resets at ${until}`
  const facts = { network: 'eip155:84532', payer }
  expect([answer.status, answer.body]).toEqual([429, refused(route, error, 'quota_exceeded', facts)])
  expect(left(answer)[route === 'settle' ? 'settlements' : 'verifications']).toBe('0')
  expect([answer.headers.get('x-quota-limit'), answer.headers.get('x-quota-reset')]).toEqual([String(limit), String(reset)])
  expect(Math.abs(Number(answer.headers.get('retry-after')) - (reset - Date.now() / 1_000))).toBeLessThan(30)
}

const quota = (limit: number): Settings => ({ ...fast, settlementQuota: limit, verificationQuota: limit })

describe.each(routes)("POST /v1/<KEY>/%s 429 by the month's quota", (route) => {
  test('for all but ten of 200 parallel payments where ten are left', async () => {
    const merchant = await newMerchant(harness.app, quota(10))
    const bodies = await newPurchases(harness, 200)
    const answers = await Promise.all(bodies.map((body) => merchant.v1[route](body)))
    expect(statuses(answers)).toEqual([...times(10, 200), ...times(190, 429)])
    const good = route === 'settle' ? { success: true } : { isValid: true }
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.body).toMatchObject(good)
      else expectSpent(answer, route, 10, expect.any(String))
    }
    expect(await usageOf(harness.app, merchant.subject, route)).toEqual({ used: 10, returned: 0 })
    const claimed = await harness.app.db.settlement.count({ where: { tenantId: merchant.tenantId } })
    expect(claimed).toBe(route === 'settle' ? 10 : 0)
  })

  test('for the first payment where the quota is 0, and for none of the other route', async () => {
    const settings = route === 'settle' ? { settlementQuota: 0 } : { verificationQuota: 0 }
    const merchant = await newMerchant(harness.app, settings)
    const { payer, body } = await newPurchase(harness)
    const before = await traces(harness)
    expectSpent(await merchant.v1[route](body), route, 0, payer)
    expect(await traces(harness)).toEqual(before)
    expect((await merchant.v1[route === 'settle' ? 'verify' : 'settle'](body)).status).toBe(200)
  })

  test('when it was lowered below what is used, and no longer than that', async () => {
    const merchant = await newMerchant(harness.app, quota(2))
    const [first, second, third] = await newPurchases(harness, 3)
    for (const body of [first, second]) expect((await merchant.v1[route](body)).status).toBe(200)
    const set = async (limit: number) => {
      await reconfigure(harness.app, merchant.tenantId, { settlementQuota: limit, verificationQuota: limit })
      await harness.app.keyring.findAgain(merchant.key)
    }
    await set(1)
    expectSpent(await merchant.v1[route](third), route, 1, expect.any(String))
    await set(3)
    expect((await merchant.v1[route](third)).status).toBe(200)
  })
})

describe('POST /v1/<KEY>/settle of payments whose form, terms or signature fail', () => {
  const rowsOf = (merchant: { tenantId: string }) => harness.app.db.history.count({ where: { tenantId: merchant.tenantId } })
  /** A payment that is signed for another recipient. */
  const broken = async () => {
    const { payment } = await newPurchase(harness)
    return v2Body(payment, { requirements: { payTo: newAddress() } })
  }

  test('costs the unit that its history row says, and where none is left is a 429 without a row', async () => {
    const merchant = await newMerchant(harness.app, quota(2))
    const answers = [await broken(), await broken(), await broken()].map((body) => merchant.v1.settle(body))
    const sorted = (await Promise.all(answers)).sort((a, b) => a.status - b.status)
    expect(statuses(sorted)).toEqual([200, 200, 429])
    expect(sorted.slice(0, 2).map((answer) => left(answer).settlements)).toEqual(expect.arrayContaining(['0', '1']))
    for (const answer of sorted.slice(0, 2)) expect(answer.body).toMatchObject({ success: false })
    const [, , spent] = sorted
    expect([spent?.body, spent && left(spent).settlements]).toMatchObject([{ errorReason: 'quota_exceeded' }, '0'])
    expect([await rowsOf(merchant), await usageOf(harness.app, merchant.subject)]).toEqual([2, { used: 2, returned: 0 }])
    expect((await merchant.v1.settle((await newPurchase(harness)).body)).status).toBe(429)
  })

  test('of twenty at once with three units left, three are recorded', async () => {
    const merchant = await newMerchant(harness.app, quota(3))
    const bodies = await Promise.all(times(20, null).map(broken))
    const answers = await Promise.all(bodies.map((body) => merchant.v1.settle(body)))
    expect(statuses(answers)).toEqual([...times(3, 200), ...times(17, 429)])
    expect([await rowsOf(merchant), (await usageOf(harness.app, merchant.subject)).used]).toEqual([3, 3])
  })

  test('costs the unit also where the key keeps no history', async () => {
    const merchant = await newMerchant(harness.app, { ...quota(2), historyEnabled: false })
    expect((await merchant.v1.settle(await broken())).body).toMatchObject({ success: false })
    expect([await rowsOf(merchant), (await usageOf(harness.app, merchant.subject)).used]).toEqual([0, 1])
  })

  test('costs no verification, which writes nothing', async () => {
    const merchant = await newMerchant(harness.app, quota(2))
    const answer = await merchant.v1.verify(await broken())
    expect([answer.status, left(answer).verifications]).toEqual([200, '2'])
    expect(await usageOf(harness.app, merchant.subject, 'verify')).toEqual({ used: 0, returned: 0 })
  })
})

describe('a spent quota', () => {
  test.each(routes)('is refused by %s before any call to the chain', async (route) => {
    const merchant = await newMerchant(harness.app, quota(0))
    const { payer, body } = await newPurchase(harness)
    const networks = harness.app.networks
    const unasked = new Map([...networks].map(([id, one]) => [id, { ...one, chain: { ...one.chain, judge: never } }]))
    const { v1 } = keyHolder(Object.assign({}, harness.app, { networks: unasked }), merchant.key)
    expectSpent(await v1[route](body), route, 0, payer)
  })
})

const never = () => Promise.reject(new Error('the chain was asked'))

describe('the quota headers of a 503', () => {
  /** The service with an engine that claims nothing. */
  const claiming = (settle: Harness['app']['engine']['settle']) => ({ ...harness.app, engine: { ...harness.app.engine, settle } })

  test('of settle whose settings keep changing', async () => {
    const merchant = await newMerchant(harness.app, quota(7))
    const { v1 } = keyHolder(
      claiming(async () => ({ end: 'not claimed', why: 'changed' })),
      merchant.key,
    )
    const answer = await v1.settle((await newPurchase(harness)).body)
    expect([answer.status, answer.body]).toMatchObject([503, { errorReason: 'settings_changed' }])
    expect([left(answer), answer.headers.get('x-quota-limit')]).toEqual([{ settlements: '7', verifications: '7' }, '7'])
  })

  test('of settle whose claim the database could not serve', async () => {
    const merchant = await newMerchant(harness.app, quota(7))
    const stopped = Object.assign(new Error('terminating connection'), { severity: 'FATAL', code: '57P01' })
    const { v1 } = keyHolder(
      claiming(() => Promise.reject(stopped)),
      merchant.key,
    )
    const answer = await v1.settle((await newPurchase(harness)).body)
    expect([answer.status, answer.body]).toMatchObject([503, { errorReason: 'service_unavailable' }])
    expect([left(answer), answer.headers.get('retry-after')]).toEqual([{ settlements: '7', verifications: '7' }, '1'])
  })
})

describe('a unit that was refused as the month ended', () => {
  test('is refused with the reset of that month', async () => {
    const merchant = await newMerchant(harness.app, quota(7))
    const caller = await callerOf(harness.app, 'v1', merchant.key, '10.0.0.1')
    const metering = { caller, network: 'eip155:84532', meter: 'settlement' } as const
    const read = await readQuota(harness.app, metering)
    if (!read) throw new Error('a key has a quota')
    const resetAt = Math.floor(Date.now() / 1_000) - 1
    const { message, facts } = await spentNow(harness.app, metering, { ...read, resetAt, spentText: 'spent until then' })
    expect([message, facts.retryAfterSeconds]).toEqual(['spent until then', 1])
    expect(facts.headers).toMatchObject({ 'x-settlement-remaining': '0', 'x-quota-reset': String(resetAt) })
  })
})

describe('the quota of an owner', () => {
  const owner = { kind: 'oidc', id: 'an owner of several' }

  const made = (settings: Settings = {}) => ownMade(harness.app, { ...quota(3), owner, ...settings })

  test('is one for all keys of one plan, and apart from every other', async () => {
    const [one, two] = [await made(), await made()]
    const others = [
      await made({ plan: 'scale' }),
      await newMerchant(harness.app, { ...quota(3), owner }),
      await made({ owner: { kind: 'oidc', id: 'another owner' } }),
      await made({ owner: { kind: 'wallet', id: owner.id } }),
    ]
    const bodies = await newPurchases(harness, 9)
    const answers: Answer[] = []
    for (const [at, merchant] of [one, two, one, two, one].entries()) answers.push(await merchant.v1.settle(bodies[at]))
    expect(answers.map((answer) => [answer.status, left(answer).settlements])).toEqual([
      ...['2', '1', '0'].map((settlements) => [200, settlements]),
      ...times(2, [429, '0']),
    ])
    expect(one.subject).toBe('owner:oidc:an owner of several:growth')
    expect(await usageOf(harness.app, one.subject)).toEqual({ used: 3, returned: 0 })
    for (const [at, merchant] of others.entries()) {
      const answer = await merchant.v1.settle(bodies[at + 5])
      expect([answer.status, left(answer).settlements]).toEqual([200, '2'])
    }
  })
})
