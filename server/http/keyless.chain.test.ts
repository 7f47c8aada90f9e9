import { beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { startHarness } from '../../test/support/service/harness'
import { openServer, request } from '../../test/support/service/http-server'
import { newMerchant } from '../../test/support/service/surface'
import { installApp } from '../app'
import { endpoints } from '../endpoints'
import { routesOf } from './route-table'

const routes = routesOf(endpoints)

const harness = fixture(() => startHarness({ production: true }))
beforeAll(() => {
  installApp(harness.app)
})

const error = 'the API key in the path is missing or not valid; the base URL is /v1/<API_KEY> with a live key'
const plain = { error }
const settle = { error, success: false, errorReason: 'invalid_api_key', errorMessage: error, transaction: '', network: '' }
const verify = { error, isValid: false, invalidReason: 'invalid_api_key', invalidMessage: error, payer: '' }
const json = { 'Content-Type': 'application/json' }
const UNKNOWN = `qt_${'Ab3-_'.repeat(8)}xyz`

describe('a path without a key', () => {
  test.each<[string, object]>([
    ['/v1', plain],
    ['/v1/', plain],
    ['//v1//', plain],
    ['/v1/supported', plain],
    ['/v1//supported', plain],
    ['/v1/settle', settle],
    ['/v1//settle', settle],
    ['/v1/settle/?x=1', settle],
    ['/v1/verify', verify],
    ['/v1//verify', verify],
    ['/v1//flash/supported', plain],
    ['/v1//flash/settle', settle],
    ['/v1/flash/settle', settle],
    ['/v1//flash/verify', verify],
  ])('%s is 401 for GET and POST, in JSON and without a redirect', async (target, body) => {
    const { ask } = await openServer({ routes })
    const answers = [await ask(request(`GET ${target}`)), await ask(request(`POST ${target}`, json, '{}'))]
    for (const answer of answers) {
      expect([answer.status, JSON.parse(answer.body)]).toEqual([401, body])
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
      expect(answer.headers.location).toBeUndefined()
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
    }
  })

  test('settle names the network of its body: strict clients drop an answer without one', async () => {
    const { ask } = await openServer({ routes })
    const body = JSON.stringify({ paymentRequirements: { network: 'eip155:84532' } })
    for (const target of ['/v1/settle', '/v1//flash/settle']) {
      const answer = await ask(request(`POST ${target}`, json, body))
      expect([answer.status, JSON.parse(answer.body)]).toEqual([401, { ...settle, network: 'eip155:84532' }])
    }
  })

  test('HEAD says 401 too', async () => {
    const { ask } = await openServer({ routes })
    for (const target of ['/v1', '/v1/settle', '/v1//flash/settle']) {
      expect((await ask(request(`HEAD ${target}`), 'bodiless')).status).toBe(401)
    }
  })
})

describe('an invalid key', () => {
  test('is a 401 before the body is checked; with a valid key a long body is a 413', async () => {
    const { ask } = await openServer({ routes })
    const body = 'x'.repeat(20_000)
    const refused = await ask(request(`POST /v1/${UNKNOWN}/settle`, json, body))
    expect([refused.status, JSON.parse(refused.body)]).toEqual([401, settle])
    const { key } = await newMerchant(harness.app)
    expect((await ask(request(`POST /v1/${key}/settle`, json, body))).status).toBe(413)
  })

  test.each([UNKNOWN, 'undefined', 'null', 'qt_', '%20', 'API_KEY', `${UNKNOWN}A`])(
    '%s is the same 401 on every keyed path',
    async (key) => {
      const { ask } = await openServer({ routes })
      for (const below of ['', '/flash']) {
        const path = `/v1/${key}${below}`
        const settled = await ask(request(`POST ${path}/settle`, json, 'no json'))
        const verified = await ask(request(`POST ${path}/verify`, json, 'no json'))
        const read = [await ask(request(`GET ${path}/supported`)), await ask(request(`GET ${path}/settlements/x`))]
        expect([settled, verified, ...read].map(({ status }) => status)).toEqual([401, 401, 401, 401])
        expect([settled, verified, ...read].map(({ body }) => JSON.parse(body))).toEqual([settle, verify, plain, plain])
      }
    },
  )
})

describe('a live key', () => {
  test('below collapsed slashes is answered at once, without a redirect', async () => {
    const { key } = await newMerchant(harness.app)
    const { ask } = await openServer({ routes })
    for (const target of [`/v1/${key}//settle`, `//v1//${key}///settle//`, `/v1/${key}/settle`]) {
      const answer = await ask(request(`POST ${target}`, json, '{}'))
      // The handler's own refusal: the body has no payment.
      expect([answer.status, answer.headers.location]).toEqual([400, undefined])
      expect(JSON.parse(answer.body)).toMatchObject({ success: false, errorReason: 'invalid_payload' })
    }
    const supported = await ask(request(`GET /v1//${key}//supported`))
    expect([supported.status, JSON.parse(supported.body)]).toMatchObject([200, { kinds: expect.any(Array) }])
  })

  test('is not echoed by a wrong method, nor kept in the log', async () => {
    const { key } = await newMerchant(harness.app)
    const { ask, lines } = await openServer({ routes })
    for (const line of [
      `GET /v1/${key}/settle`,
      `DELETE /v1/${key}//supported`,
      `PUT /v1/${key}/flash/verify`,
      `PATCH /v1/${key}/settlements/x`,
    ]) {
      const answer = await ask(request(line))
      expect(answer.status).toBe(405)
      expect(answer.headers.allow).toMatch(/(POST|GET, HEAD), OPTIONS$/)
      expect(JSON.stringify(answer)).not.toContain(key.slice(0, 11))
    }
    expect(JSON.stringify(lines)).not.toContain(key.slice(0, 11))
  })

  test('is not echoed by an unknown path', async () => {
    const { key } = await newMerchant(harness.app)
    const { ask } = await openServer({ routes })
    for (const path of [
      `/v1/${key}`,
      `/v1/${key}/nothing`,
      `/v1/${key}/flash`,
      `/v1/${key}/settlements/x/y`,
      `/v1/${key}/settle/x`,
    ]) {
      const answer = await ask(request(`POST ${path}`, json, '{}'))
      expect(answer.status).toBe(404)
      expect(JSON.stringify(answer)).not.toContain('qt_')
    }
  })
})
