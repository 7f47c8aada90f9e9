import { describe, expect, test } from 'vitest'
import { testLog } from '../../test/support/logs'
import { type Refusal, ServiceError } from '../base/errors'
import { silentLog } from '../base/log'
import { refusalBody, refuse, type Surface } from './errors'

const surfaces: Surface[] = ['plain', 'verify', 'settle']

async function answer(surface: Surface, error: unknown, facts = {}) {
  const response = refuse(surface, error, testLog(), 'request-7', facts)
  return { status: response.status, body: await response.json(), headers: Object.fromEntries(response.headers) }
}

describe('a refusal', () => {
  test.each<[Refusal, number]>([
    ['bad_request', 400],
    ['unauthorized', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['too_large', 413],
    ['too_many', 429],
    ['upstream', 502],
    ['unavailable', 503],
  ])('%s is a %i with its message as error', async (refusal, status) => {
    for (const surface of surfaces) {
      expect(await answer(surface, new ServiceError(refusal, 'why'))).toMatchObject({ status, body: { error: 'why' } })
    }
  })

  test('of a plain route has only `error`', () => {
    expect(refusalBody('plain', 'why', { reason: 'quota_exceeded', transaction: '0x1', payer: '0x2' })).toEqual({ error: 'why' })
  })

  test('of a payment route has the fields of official clients', () => {
    const facts = { reason: 'quota_exceeded' as const, transaction: '0x1', network: 'base', payer: '0x2' }
    expect(refusalBody('verify', 'why', facts)).toEqual({
      error: 'why',
      isValid: false,
      invalidReason: 'quota_exceeded',
      invalidMessage: 'why',
      payer: '0x2',
    })
    expect(refusalBody('verify', 'why')).toEqual({
      error: 'why',
      isValid: false,
      invalidReason: 'unexpected_error',
      invalidMessage: 'why',
      payer: '',
    })
    const settled = {
      error: 'why',
      success: false,
      errorReason: 'quota_exceeded',
      errorMessage: 'why',
      transaction: '0x1',
      network: 'base',
      payer: '0x2',
    }
    expect(refusalBody('settle', 'why', facts)).toEqual(settled)
    const unknown = {
      error: 'why',
      success: false,
      errorReason: 'unexpected_error',
      errorMessage: 'why',
      transaction: '',
      network: '',
    }
    expect(refusalBody('settle', 'why')).toEqual(unknown)
  })

  test('has its headers, the retry time and the settlement, and is never cached', async () => {
    const facts = { retryAfterSeconds: 7, settlementId: 'id-1', headers: { 'x-settlement-remaining': '0' } }
    const { headers } = await answer('settle', new ServiceError('too_many', 'why', facts))
    expect(headers).toEqual({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'retry-after': '7',
      'x-settlement-id': 'id-1',
      'x-settlement-remaining': '0',
    })
  })

  test('is known by its brand: another copy of the class is a refusal too', async () => {
    const copy = Object.assign(new Error('why'), {
      [Symbol.for('quittance.service-error')]: true,
      refusal: 'conflict',
      facts: {},
    })
    expect(await answer('plain', copy)).toMatchObject({ status: 409, body: { error: 'why' } })
  })
})

describe('a bug', () => {
  const secret = 'https://rpc.example/v2/secret-key'
  const bugs: [string, unknown][] = [
    ['an error', new Error(`fetch failed: ${secret}`)],
    ['a text', secret],
    ['nothing', undefined],
    ['an error with a cause', new TypeError('x', { cause: new Error(secret) })],
    ['an object that cannot be printed', Object.create(null)],
  ]
  test.each(bugs)('is a 500 with only the request id: %s', async (_, error) => {
    for (const surface of surfaces) {
      const { status, body } = await answer(surface, error, { network: 'base', payer: '0x2' })
      expect([status, Reflect.get(Object(body), 'error')]).toEqual([500, 'internal error; quote request id request-7'])
      expect(JSON.stringify(body)).not.toMatch(/secret|:\/\/|\bat /)
    }
  })

  test('is logged once, with the id of its response', () => {
    const told: unknown[] = []
    const log = Object.assign(silentLog(), { error: (fields: unknown) => told.push(fields) })
    const error = new Error('why')
    refuse('plain', error, log, 'request-7')
    refuse('plain', new ServiceError('bad_request', 'not a bug'), log, 'request-8')
    expect(told).toEqual([{ err: error, requestId: 'request-7' }])
  })
})

describe('a database that does not answer', () => {
  test.each(surfaces)('is a 503 with Retry-After on a %s route', async (surface) => {
    const error = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'P1017' })
    const { status, body, headers } = await answer(surface, error)
    expect(status).toBe(503)
    expect(body).toMatchObject({
      error: 'the service cannot reach its database; the outcome of this request is unknown, retry the identical request',
    })
    expect(headers['retry-after']).toBe('1')
  })
})
