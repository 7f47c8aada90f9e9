import { describe, expect, test } from 'vitest'
import { openServer, request, served } from '../../test/support/service/http-server'

const refusalHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

describe('a wrong method', () => {
  test('405 lists the supported methods', async () => {
    const { ask } = await openServer()
    const answer = await ask(request('DELETE /admin/tenants'))
    expect(answer).toMatchObject({ status: 405, headers: { ...refusalHeaders, allow: 'GET, POST, HEAD, OPTIONS' } })
    expect(JSON.parse(answer.body)).toEqual({
      error: 'this path does not support DELETE; it supports GET, POST, HEAD, OPTIONS',
    })
  })

  test('405 on /sandbox/settle is a refusal that the official clients can read', async () => {
    const { ask } = await openServer()
    const answer = await ask(request('GET /sandbox/settle'))
    expect(answer).toMatchObject({
      status: 405,
      headers: { ...refusalHeaders, allow: 'POST, OPTIONS', 'access-control-allow-origin': '*' },
    })
    expect(JSON.parse(answer.body)).toEqual({
      error: 'this path does not support GET; it supports POST, OPTIONS',
      success: false,
      errorReason: 'invalid_request',
      errorMessage: 'this path does not support GET; it supports POST, OPTIONS',
      transaction: '',
      network: '',
    })
  })

  test('405 on /sandbox/verify carries isValid', async () => {
    const { ask } = await openServer()
    const answer = await ask(request('PUT /sandbox/verify', {}, '{}'))
    expect(JSON.parse(answer.body)).toEqual({
      error: expect.any(String),
      isValid: false,
      invalidReason: 'invalid_request',
      invalidMessage: expect.any(String),
      payer: '',
    })
  })
})

describe('HEAD', () => {
  test('answers like GET without the body', async () => {
    const { dial } = await openServer()
    const wire = await dial()
    wire.say(request('HEAD /health'))
    const [head] = await wire.answers(1, 'bodiless')
    wire.say(request('GET /health'))
    const [get] = await wire.answers(1)
    expect(head?.status).toBe(200)
    expect(head?.headers['content-length']).toBe(get?.headers['content-length'])
    expect(get?.body.length).toBe(Number(get?.headers['content-length']))
  })

  test('of an unknown path is a 404 without body', async () => {
    const { dial } = await openServer()
    const wire = await dial()
    wire.say(request('HEAD /sandbox/nothing') + request('GET /health'))
    const [head] = await wire.answers(1, 'bodiless')
    const [get] = await wire.answers(1)
    expect([head?.status, get?.status]).toEqual([404, 200])
  })
})

describe('OPTIONS', () => {
  test('on an open route lets browsers of any website send a payment', async () => {
    const { ask } = await openServer()
    const answer = await ask(
      request('OPTIONS /v1/some-key/settle', { Origin: 'https://shop.test', 'Access-Control-Request-Method': 'POST' }),
    )
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      allow: 'POST, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers':
        'content-type, x-payment, payment-signature, idempotency-key, authorization, x-request-id, x-siwe-message, x-siwe-signature, mcp-protocol-version, access-control-expose-headers',
      'access-control-max-age': '86400',
    })
    expect(answer.headers['access-control-expose-headers']).toContain('x-settlement-remaining')
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test('on a closed route lists the methods without CORS headers', async () => {
    const { ask } = await openServer()
    const answer = await ask(request('OPTIONS /admin/tenants', { Origin: 'https://shop.test' }))
    expect(answer).toMatchObject({ status: 204, headers: { allow: 'GET, POST, HEAD, OPTIONS' } })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('of an unknown path is 404', async () => {
    const { ask } = await openServer()
    expect((await ask(request('OPTIONS /sandbox/nothing'))).status).toBe(404)
  })
})

describe('not accepting', () => {
  test('payments get 503 with Retry-After, other requests still work', async () => {
    const { ask } = await openServer({ accepting: () => false })
    const settle = await ask(request('POST /sandbox/settle', {}, '{}'))
    expect(settle).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    expect(JSON.parse(settle.body)).toMatchObject({
      success: false,
      errorReason: 'service_unavailable',
      transaction: '',
      network: '',
    })
    expect((await ask(request('POST /sandbox/verify', {}, '{}'))).status).toBe(503)
    expect((await ask(request('GET /health'))).status).toBe(200)
  })
})

describe('a handler that throws', () => {
  test('500 has the id and not the cause; the log has both', async () => {
    const bug = new Error('secret rpc url')
    const boom = async () => {
      throw bug
    }
    const { ask, line } = await openServer({ routes: served(boom) })
    const answer = await ask(request('POST /v1/qt_key/settle', { 'X-Request-Id': 'r-1' }, '{}'))
    expect(answer).toMatchObject({ status: 500, headers: refusalHeaders })
    expect(JSON.parse(answer.body)).toEqual({
      error: 'internal error; quote request id r-1',
      success: false,
      errorReason: 'unexpected_error',
      errorMessage: 'internal error; quote request id r-1',
      transaction: '',
      network: '',
    })
    expect(await line()).toMatchObject({ requestId: 'r-1', status: 500, error: bug })
  })

  test('a page that throws is a 500 too', async () => {
    const { ask } = await openServer({
      fallback: async () => {
        throw new Error('bug')
      },
    })
    expect((await ask(request('GET /home'))).status).toBe(500)
  })
})
