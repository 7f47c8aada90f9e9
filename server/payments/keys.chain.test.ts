import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { startHarness } from '../../test/support/service/harness'
import { newPurchase, type Route, refused, routes, traces, usageOf } from '../../test/support/service/purchases'
import { type Answer, keyHolder, type Merchant, newMerchant, rememberedKey } from '../../test/support/service/surface'
import { withoutKey } from '../accounts/endpoints'
import { rotate } from '../accounts/tenants'
import { API_HEADERS } from '../http/errors'

const harness = fixture(() => startHarness({ production: true }))

const ERROR = 'the API key in the path is missing or not valid; the base URL is /v1/<API_KEY> with a live key'
const HEADERS = {
  ...API_HEADERS,
  'content-type': 'application/json',
}

/** The network that a body names: a client that reads the refusal may need one. */
const named = (body: unknown) => ({ network: String(Object(Object(body).paymentRequirements).network ?? '') })

/** The refusal, to the byte. */
function unauthorized(route: Route, facts: { network?: string } = {}) {
  return [401, JSON.stringify(refused(route, ERROR, 'invalid_api_key', facts)), HEADERS]
}
const whole = ({ status, body, headers }: Answer) => [status, JSON.stringify(body), Object.fromEntries(headers)]

/** All counts and rows, of any caller. */
async function counted() {
  const { db } = harness.app
  return [...(await traces(harness)), await db.usage.findMany(), await db.idempotency.count()]
}

async function revokedKey(): Promise<string> {
  const { tenantId, key } = await newMerchant(harness.app)
  await harness.app.db.tenant.update({ where: { id: tenantId }, data: { revokedAt: new Date() } })
  return key
}

async function agedKey(data: { graceUntil?: Date; revokedAt?: Date }): Promise<string> {
  const { tenantId, key } = await newMerchant(harness.app)
  await harness.app.db.apiKey.updateMany({ where: { tenantId }, data })
  return key
}

const strangeKey = `qt_${'x'.repeat(43)}`
const keys: [string, () => string | Promise<string>][] = [
  ['no key', () => ''],
  ['an unknown key', () => strangeKey],
  ['a key that is too short', () => strangeKey.slice(0, -1)],
  ['a key with something after it', async () => `${(await newMerchant(harness.app)).key}x`],
  ['a key of another case', async () => (await newMerchant(harness.app)).key.replace('qt_', 'QT_')],
  ['a text that is not a key', () => 'settle'],
  ['a NUL', () => '\0'],
  ['a key of 10,000 letters', () => `qt_${'x'.repeat(10_000)}`],
  ['the key of a revoked tenant', revokedKey],
  ['a revoked key', () => agedKey({ revokedAt: new Date() })],
  ['a rotated key past its grace', () => agedKey({ graceUntil: new Date(Date.now() - 1_000) })],
]

describe.each(routes)('POST /v1/<KEY>/%s 401', (route) => {
  test.each(keys)('for %s, the same for any body, and nothing is counted or written', async (_, keyOf) => {
    const holder = keyHolder(harness.app, await keyOf())
    const bodies = ['', '{"paymentPayload":', 'x'.repeat(1_000_000), (await newPurchase(harness)).body]
    const before = await counted()
    for (const endpoint of [holder.v1, holder.flash]) {
      for (const body of bodies) expect(whole(await endpoint[route](body))).toEqual(unauthorized(route, named(body)))
    }
    expect(await counted()).toEqual(before)
  })

  test('for the addresses without a key', async () => {
    const request = new Request('http://quittance.test/', { method: 'POST', body: '{' })
    const response = await withoutKey[route].handle(harness.app, request)
    expect([response.status, await response.text(), Object.fromEntries(response.headers)]).toEqual(unauthorized(route))
  })
})

describe('a key that was rotated', () => {
  test('works beside the new one until its grace is over', async () => {
    const merchant = await newMerchant(harness.app)
    const { secret } = await rotate(harness.app, merchant.tenantId, 3_600)
    for (const { v1 } of [merchant, keyHolder(harness.app, secret)]) {
      const { body } = await newPurchase(harness)
      expect((await v1.settle(body)).body).toMatchObject({ success: true })
    }
    expect(await usageOf(harness.app, merchant.subject)).toEqual({ used: 2, returned: 0 })
  })
})

describe('POST /v1/<KEY>/verify 401', () => {
  test('for a key that was good a moment ago, as soon as the database is asked', async () => {
    const { app } = harness
    const { tenantId, key, v1, flash } = await newMerchant(app)
    const { body } = await newPurchase(harness)
    expect((await v1.verify(body)).body).toMatchObject({ isValid: true })
    await app.db.tenant.update({ where: { id: tenantId }, data: { revokedAt: new Date() } })
    expect(await app.keyring.findAgain(key)).toBeNull()
    for (const endpoint of [v1, flash]) expect(whole(await endpoint.verify(body))).toEqual(unauthorized('verify'))
  })

  test('no longer for a key whose tenant is let in again', async () => {
    const { app } = harness
    const { tenantId, key, v1 } = await newMerchant(app)
    const revoke = (revokedAt: Date | null) => app.db.tenant.update({ where: { id: tenantId }, data: { revokedAt } })
    const { body } = await newPurchase(harness)
    await revoke(new Date())
    expect(whole(await v1.verify(body))).toEqual(unauthorized('verify'))
    await revoke(null)
    await app.keyring.findAgain(key)
    expect((await v1.settle(body)).body).toMatchObject({ success: true })
  })
})

describe('POST /v1/<KEY>/settle 401 while the key is remembered as good', () => {
  const endings: [string, (merchant: Merchant) => Promise<unknown>][] = [
    [
      'its tenant is revoked',
      ({ tenantId: id }) => harness.app.db.tenant.update({ where: { id }, data: { revokedAt: new Date() } }),
    ],
    [
      'it is revoked',
      ({ tenantId }) => harness.app.db.apiKey.updateMany({ where: { tenantId }, data: { revokedAt: new Date() } }),
    ],
    ['it is rotated without grace', ({ tenantId }) => rotate(harness.app, tenantId, 0)],
  ]
  test.each(endings)('once %s: by the claim, the unit comes back, and the key is no longer cached', async (_, end) => {
    const made = await newMerchant(harness.app)
    const merchant = { ...made, ...(await rememberedKey(harness.app, made.key)) }
    const bodies = [(await newPurchase(harness)).body, (await newPurchase(harness)).body]
    for (const body of bodies) expect((await merchant.v1.verify(body)).body).toMatchObject({ isValid: true })
    await end(merchant)
    const before = await traces(harness)
    for (const body of bodies)
      expect(whole(await merchant.v1.settle(body))).toEqual(unauthorized('settle', { network: 'eip155:84532' }))
    expect(whole(await merchant.v1.verify(bodies[0]))).toEqual(unauthorized('verify'))
    expect(await traces(harness)).toEqual(before)
    expect(await usageOf(harness.app, merchant.subject)).toEqual({ used: 0, returned: 0 })
    expect(await usageOf(harness.app, merchant.subject, 'verify')).toEqual({ used: 2, returned: 0 })
  })
})
