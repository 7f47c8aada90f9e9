import { describe, expect, test } from 'vitest'
import { openServer, request } from '../../test/support/service/http-server'
import { clientAddress } from './request-headers'

async function seenBy(target: string, headers: Record<string, string>, trustedProxyHops = 0): Promise<Record<string, string>> {
  const { ask } = await openServer({ trustedProxyHops })
  return JSON.parse((await ask(request(target, headers))).body).headers
}

describe('the client address', () => {
  test.each([
    { socket: '::ffff:192.0.2.7', forwarded: '203.0.113.9', hops: 0, address: '192.0.2.7' },
    { socket: '10.0.0.1', forwarded: '1.1.1.1, 203.0.113.9', hops: 1, address: '203.0.113.9' },
    { socket: '10.0.0.1', forwarded: '6.6.6.6,1.1.1.1, 203.0.113.9', hops: 2, address: '1.1.1.1' },
    { socket: '10.0.0.1', forwarded: '203.0.113.9', hops: 3, address: '203.0.113.9' },
    { socket: '10.0.0.1', forwarded: '1.1.1.1, unknown', hops: 1, address: '10.0.0.1' },
    { socket: '10.0.0.1', forwarded: '1.1.1.1, ', hops: 1, address: '10.0.0.1' },
    { socket: '10.0.0.1', forwarded: undefined, hops: 1, address: '10.0.0.1' },
    { socket: '10.0.0.1', forwarded: '[2001:DB8::1]:443', hops: 1, address: '2001:db8::1' },
    { socket: '10.0.0.1', forwarded: '203.0.113.9:8080', hops: 1, address: '203.0.113.9' },
    { socket: 'fe80::1%eth0', forwarded: undefined, hops: 0, address: 'fe80::1' },
    { socket: undefined, forwarded: undefined, hops: 0, address: '0.0.0.0' },
  ])('$socket with "$forwarded" behind $hops proxies is $address', ({ socket, forwarded, hops, address }) => {
    expect(clientAddress(socket, forwarded, hops)).toBe(address)
  })

  test.each(['GET /health', 'GET /home', 'GET /sandbox/supported'])('%s: only the server sets it', async (target) => {
    const forged = { 'X-Quittance-Client-Ip': '6.6.6.6', 'X-Forwarded-For': '6.6.6.6', 'x-quittance-admin': 'yes' }
    const headers = await seenBy(target, forged)
    expect(headers['x-quittance-client-ip']).toBe('127.0.0.1')
    expect(headers).not.toHaveProperty('x-quittance-admin')
    expect(headers).not.toHaveProperty('x-forwarded-for')
  })

  test("behind one trusted proxy, the proxy's entry counts", async () => {
    const headers = await seenBy('GET /health', { 'X-Forwarded-For': '6.6.6.6, 203.0.113.9' }, 1)
    expect(headers['x-quittance-client-ip']).toBe('203.0.113.9')
  })
})

test('internal headers of Next and proxy headers are removed', async () => {
  const names = [
    'x-forwarded-host',
    'x-forwarded-proto',
    'forwarded',
    'x-real-ip',
    'x-middleware-subrequest',
    'x-middleware-prefetch',
    'x-middleware-rewrite',
    'x-invoke-path',
    'x-invocation-id',
    'x-matched-path',
    'x-now-route-matches',
    'x-nextjs-data',
    'x-next-resume-state-length',
    'x-next-revalidated-tags',
    'x-prerender-revalidate',
    'x-action-forwarded',
    'x-vercel-protection-bypass',
    'next-resume',
    'next-action',
  ]
  const kept = {
    rsc: '1',
    'next-router-state-tree': 'x',
    'next-url': '/home',
    'x-nextjs-request-id': 'c82c7722',
    accept: '*/*',
  }
  const headers = await seenBy('GET /home', { ...Object.fromEntries(names.map((name) => [name, '1'])), ...kept })
  for (const name of names) expect(headers).not.toHaveProperty(name)
  expect(headers).toMatchObject(kept)
})

describe('the request id', () => {
  test.each([
    'GET /health',
    'GET /home',
    'GET /sandbox/supported',
    'POST /health',
    'GET /sandbox/x',
    'GET /%',
    'OPTIONS /health',
  ])('%s keeps a valid one', async (target) => {
    const { ask, line } = await openServer()
    const answer = await ask(request(target, { 'X-Request-Id': 'abc-1.2_3' }))
    expect(answer.headers['x-request-id']).toBe('abc-1.2_3')
    expect((await line()).requestId).toBe('abc-1.2_3')
  })

  test.each(['has space', '{"level":"fatal"}', 'x'.repeat(65), '', `qt_${'x'.repeat(43)}`])(
    '"%s" is replaced by a new one',
    async (id) => {
      const { ask } = await openServer()
      const answer = await ask(request('GET /health', { 'X-Request-Id': id }))
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      expect(JSON.parse(answer.body).headers['x-request-id']).toBe(answer.headers['x-request-id'])
    },
  )
})

test('a log line has the route pattern and never the path', async () => {
  const { ask, line } = await openServer()
  await ask(request('POST /v1/qt_secret_key/settle', {}, '{"a":1}'))
  const { milliseconds, requestId, ...rest } = await line()
  expect(rest).toEqual({ method: 'POST', route: '/v1/:key/settle', status: 200, bytesIn: 7 })
  expect([typeof milliseconds, typeof requestId]).toEqual(['number', 'string'])
})

test.each([
  'POST /v1/qt_secret_key/nothing',
  'GET /v1/qt_secret_key/settle',
  'POST /v1/qt_secret_key/../settle',
  'POST /v1/qt_secret_key/%',
])('%s: neither the refusal nor the log contains the key', async (target) => {
  const { ask, line } = await openServer()
  const answer = await ask(request(target, {}, ''))
  expect(JSON.stringify([answer, await line()])).not.toContain('qt_secret')
})
