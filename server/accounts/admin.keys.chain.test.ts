import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { testLog } from '../../test/support/logs'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { newAdmin } from '../../test/support/service/admin'
import { ADMIN_KEY, startHarness } from '../../test/support/service/harness'
import { openServer, request } from '../../test/support/service/http-server'
import { type Endpoint, keyHolder, newMerchant } from '../../test/support/service/surface'
import { installApp } from '../app'
import { createApp } from '../boot/app'
import { endpoints } from '../endpoints'
import { readEnv } from '../env/env'
import { routesOf } from '../http/route-table'

const routes = routesOf(endpoints)

const harness = fixture(() => startHarness({ production: true }))
beforeAll(() => {
  installApp(harness.app)
})

const below = (key: string): Endpoint => keyHolder(harness.app, key).v1
const settles = async (key: string) => {
  const { status, body } = await below(key).settle(v2Body(await signed(await harness.payer())))
  return status === 200 ? Reflect.get(Object(body), 'success') : status
}
async function rotated(id: string, body: object) {
  const answer = await newAdmin(harness.app).rotate(id, body)
  expect(answer.status).toBe(200)
  return { answer, key: String(Reflect.get(Object(answer.body), 'api_key')) }
}
const graces = (id: string) =>
  harness.app.db.apiKey.findMany({ where: { tenantId: id }, orderBy: { id: 'asc' }, select: { graceUntil: true } })

describe('POST /admin/tenants/:id/rotate', () => {
  test('gives a new key at once; the old one works only during its grace', async () => {
    const { tenantId, key } = await newMerchant(harness.app)
    const { answer, key: next } = await rotated(tenantId, { grace_seconds: 3_600 })
    expect(answer.body).toMatchObject({
      id: tenantId,
      prefix: next.slice(0, 11),
      keys: [{ grace_until: null }, { grace_until: expect.any(String) }],
    })
    expect([await settles(key), await settles(next)]).toEqual([true, true])
    await harness.app.db.apiKey.updateMany({ where: { tenantId, graceUntil: { not: null } }, data: { graceUntil: new Date() } })
    expect([await settles(key), await settles(next)]).toEqual([401, true])
    // A process that never saw the key says the same on every route.
    const other = await createApp(readEnv(harness.env), testLog())
    onTestFinished(() => other.close())
    const { v1 } = keyHolder(other, key)
    expect([(await v1.supported()).status, (await v1.verify({})).status]).toEqual([401, 401])
  })

  test('without grace the old key settles nothing from that moment', async () => {
    const { tenantId, key } = await newMerchant(harness.app)
    expect(await settles(key)).toBe(true)
    const { key: next } = await rotated(tenantId, { grace_seconds: 0 })
    expect([await settles(key), await settles(next)]).toEqual([401, true])
  })

  test('the grace is one day by default, at most thirty days, and never longer than before', async () => {
    const { tenantId } = await newMerchant(harness.app)
    await rotated(tenantId, { grace_seconds: 60 })
    const [first] = await graces(tenantId)
    await rotated(tenantId, {})
    const [same, second, third] = await graces(tenantId)
    expect([same, third]).toEqual([first, { graceUntil: null }])
    const day = Date.now() + 86_400_000
    expect(Math.abs((second?.graceUntil?.getTime() ?? 0) - day)).toBeLessThan(60_000)
    for (const grace_seconds of [-1, 2_592_001, 1.5, '60', null]) {
      const { status, body } = await newAdmin(harness.app).rotate(tenantId, { grace_seconds })
      expect([status, body]).toEqual([400, { error: 'grace_seconds must be a whole number from 0 to 2592000' }])
    }
    expect(await graces(tenantId)).toHaveLength(3)
  })

  test('concurrent rotations leave one key without a grace period: the last', async () => {
    const { tenantId, key } = await newMerchant(harness.app)
    const made = await Promise.all(Array.from({ length: 6 }, () => newAdmin(harness.app).rotate(tenantId, { grace_seconds: 0 })))
    const keys = [key, ...made.map(({ body }) => String(Reflect.get(Object(body), 'api_key')))]
    const found = await Promise.all(keys.map((one) => harness.app.keyring.findAgain(one)))
    expect(found.filter((record) => record !== null)).toHaveLength(1)
  })

  test('409 beyond ten live keys, unless the earlier ones end; all live ones are shown', async () => {
    const { tenantId } = await newMerchant(harness.app)
    for (let made = 1; made < 10; made++) await rotated(tenantId, { grace_seconds: 60 * made })
    const admin = newAdmin(harness.app)
    const refused = await admin.rotate(tenantId, { grace_seconds: 1 })
    expect([refused.status, refused.body]).toEqual([409, { error: expect.stringContaining('this tenant has 10 live keys') }])
    expect(await graces(tenantId)).toHaveLength(10)
    const { key } = await rotated(tenantId, { grace_seconds: 0 })
    const { body } = await admin.read(tenantId)
    const [first, ...others] = Reflect.get(Object(body), 'keys') as { prefix: string; grace_until: string | null }[]
    expect([first, others.length]).toMatchObject([{ prefix: key.slice(0, 11), grace_until: null }, 9])
  })

  test('needs no body: then the earlier key works for a day', async () => {
    const { tenantId } = await newMerchant(harness.app)
    const { status, body } = await newAdmin(harness.app).rotate(tenantId)
    const [, earlier] = Reflect.get(Object(body), 'keys') as { grace_until: string }[]
    expect([status, Math.round((Date.parse(earlier?.grace_until ?? '') - Date.now()) / 3_600_000)]).toEqual([200, 24])
  })

  test('409 for a revoked tenant, whose keys are invalid', async () => {
    const { tenantId, key } = await newMerchant(harness.app)
    expect(await settles(key)).toBe(true)
    await newAdmin(harness.app).change(tenantId, { revoked: true })
    expect(await settles(key)).toBe(401)
    expect((await newAdmin(harness.app).rotate(tenantId, {})).status).toBe(409)
    await newAdmin(harness.app).change(tenantId, { revoked: false })
    expect(await harness.app.keyring.findAgain(key)).toMatchObject({ tenantId })
  })
})

const id = randomUUID()
const everything = (authorization: string | null) => {
  const admin = newAdmin(harness.app, authorization)
  return Promise.all([admin.list(), admin.create({}), admin.change(id, {}), admin.rotate(id, {}), admin.change('x', '{')])
}

describe('the admin key', () => {
  test.each<[string, string | null]>([
    ['nothing', null],
    ['an empty header', ''],
    ['no token', 'Bearer '],
    ['undefined', 'Bearer undefined'],
    ['null', 'Bearer null'],
    ['another key', `Bearer ${'x'.repeat(ADMIN_KEY.length)}`],
    ['its beginning', `Bearer ${ADMIN_KEY.slice(0, -1)}`],
    ['more than it', `Bearer ${ADMIN_KEY}0`],
    ['it twice', `Bearer ${ADMIN_KEY} ${ADMIN_KEY}`],
    ['it without its scheme', ADMIN_KEY],
    ['it under another scheme', `Basic ${ADMIN_KEY}`],
    ['its own digest', `Bearer ${'0'.repeat(64)}`],
  ])('401 for %s with any body', async (_, authorization) => {
    for (const { status, body } of await everything(authorization)) {
      expect([status, body]).toEqual([401, { error: 'send the admin key as "Authorization: Bearer <ADMIN_KEY>"' }])
    }
  })

  test.each(['Bearer ', 'bearer ', 'BEARER   '])('is accepted with the scheme %j', async (scheme) => {
    expect((await newAdmin(harness.app, `${scheme}${ADMIN_KEY}`).list()).status).toBe(200)
  })

  test('503 if none is configured, for any credential', async () => {
    const database = await freshDatabase()
    const app = await createApp(readEnv({ NODE_ENV: 'test', DATABASE_URL: database.url, ADMIN_KEY: ' ' }), testLog())
    onTestFinished(async () => {
      await app.close()
      await database.close()
    })
    for (const authorization of [null, 'Bearer ', 'Bearer undefined', `Bearer ${ADMIN_KEY}`]) {
      const { status, body } = await newAdmin(app, authorization).list()
      expect([status, body]).toEqual([503, { error: 'administration is not configured on this facilitator; set ADMIN_KEY' }])
    }
  })
})

describe('through the HTTP server', () => {
  const json = { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN_KEY}` }
  const bodyOf = (bytes: number) => {
    const body = { owner_id: 'door', plan: 'free', name: 'x' }
    return JSON.stringify(body).padEnd(bytes, ' ')
  }

  test('a body of 4 KB is read, a longer one is 413', async () => {
    const { ask } = await openServer({ routes })
    expect((await ask(request('POST /admin/tenants', json, bodyOf(4_096)))).status).toBe(201)
    const tooLong = await ask(request('POST /admin/tenants', json, bodyOf(4_097)))
    expect([tooLong.status, JSON.parse(tooLong.body)]).toEqual([413, { error: expect.stringContaining('4 KB') }])
    const chunk = bodyOf(4_097)
    const chunked = request('POST /admin/tenants', { ...json, 'Transfer-Encoding': 'chunked' })
    expect((await ask(`${chunked}${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`)).status).toBe(413)
  })

  test('no website may read it', async () => {
    const { ask } = await openServer({ routes })
    const answer = await ask(request('GET /admin/tenants', { ...json, Origin: 'https://shop.test' }))
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined])
  })
})
