import { describe, expect, test } from 'vitest'
import { documented, documentedAt } from './documented'

const landed = {
  success: true,
  transaction: '0x12',
  network: 'base',
  payer: '0x34',
  amount: '1000',
  extra: { payer: '0x34', finality: 'preconfirmed' },
  extensions: { 'settlement-receipt': { info: { receipt: 'e30.e30.e30' }, schema: { type: 'object' } } },
}

describe('a comparison with /openapi.json', () => {
  test('passes when /openapi.json knows every part of the answer', () => {
    const answer = { status: 200, body: landed, headers: new Headers({ 'x-settlement-id': 'x', vary: 'origin' }) }
    expect(documented('POST /sandbox/settle', answer)).toBe(answer)
    expect(documentedAt('POST', '/v1/some-key/flash/settle?x=1', answer)).toBe(answer)
  })

  test('passes for the 401 of a request without a key', () => {
    expect(documentedAt('POST', '/v1/settle', { status: 401, body: { error: 'no key' } }).status).toBe(401)
  })

  const bad: [string, string, Parameters<typeof documented>[1], string][] = [
    [
      'an extra field',
      'POST /sandbox/settle',
      { status: 200, body: { ...landed, x: 1 } },
      'POST /sandbox/settle answered 200 with a field "x" that /openapi.json does not know',
    ],
    [
      'a missing field',
      'POST /sandbox/settle',
      { status: 200, body: { ...landed, payer: undefined } },
      'without the field "payer" of /openapi.json',
    ],
    [
      'a nested field',
      'GET /supported',
      {
        status: 200,
        body: { kinds: [{ x402Version: 2, scheme: 'exact', network: 'base', y: 1 }], extensions: [], signers: {}, assets: [] },
      },
      'with a field "kinds.0.y" that /openapi.json does not know',
    ],
    ['a field of another type', 'GET /health', { status: 200, body: { status: 'fine' } }, 'with a field "status" that'],
    [
      'an unknown reason code',
      'POST /v1/:key/verify',
      { status: 429, body: { error: 'e', isValid: false, invalidReason: 'tired', invalidMessage: 'e', payer: '' } },
      'with a field "invalidReason" that',
    ],
    ['a status', 'GET /health', { status: 404, body: { error: 'e' } }, 'answered 404 which /openapi.json does not know there'],
    [
      'a header',
      'GET /health',
      { status: 200, body: { status: 'ok' }, headers: { 'retry-after': '1' } },
      'with a header "retry-after" that /openapi.json does not know there',
    ],
    ['a body', 'GET /', { status: 307, body: { error: 'e' } }, 'with a body, for which /openapi.json has none'],
    ['a method', 'PUT /health', { status: 200, body: {} }, 'is not in /openapi.json'],
  ]
  test.each(bad)('fails for %s that /openapi.json does not know', (_what, asked, answer, says) => {
    expect(() => documented(asked, answer)).toThrow(says)
  })

  test('fails for an unknown path', () => {
    expect(() => documentedAt('GET', '/nowhere', { status: 200 })).toThrow('GET /nowhere is at no address of the API')
  })
})
