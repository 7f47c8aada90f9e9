import { expect, test } from 'vitest'
import { route } from './app'
import { addressed, endpoints } from './endpoints'
import { listed } from './http/openapi/document'
import { readTarget } from './http/request-target'
import { getHealth } from './operations/endpoints'
import { settle } from './payments/endpoints'

/** The addresses below each prefix, and the others: clients depend on them. */
const BELOW = [
  'POST verify',
  'POST settle',
  'GET settlements/:id',
  'GET settlements',
  'POST settlements/lookup',
  'POST explain',
  'GET supported',
  'GET discovery/resources',
  'GET discovery/search',
  'GET discovery/report',
]
const PREFIXES = { Sandbox: '/sandbox', Keyed: '/v1/:key', Flash: '/v1/:key/flash' }
const OTHERS = [
  'GET /supported',
  'GET /.well-known/jwks.json',
  'GET /discovery/resources',
  'GET /discovery/search',
  'GET /discovery/skill',
  'POST /api/v1/keys',
  'GET /api/v1/keys',
  'DELETE /api/v1/keys/:id',
  'POST /api/v1/auth/siwe',
  'GET /api/v1/agent/purchase',
  'POST /api/v1/agent/purchase',
  'GET /api/v1/agent/balance',
  'POST /api/v1/agent/keys',
  'DELETE /api/v1/agent/keys/:id',
  'PATCH /api/v1/agent/config',
  'GET /api/v1/agent/history',
  'GET /api/v1/history',
  'GET /api/me/history',
  'GET /api/me/analytics',
  'PATCH /api/me/tenants/:id',
  'POST /api/me/keys',
  'GET /api/me/keys',
  'GET /api/me/keys/:id',
  'PATCH /api/me/keys/:id',
  'DELETE /api/me/keys/:id',
  'POST /api/me/keys/:id/rotate',
  'POST /api/me/webhooks',
  'GET /api/me/webhooks',
  'PATCH /api/me/webhooks/:id',
  'DELETE /api/me/webhooks/:id',
  'POST /api/me/webhooks/:id/rotate',
  'POST /api/me/webhooks/:id/test',
  'GET /api/me/deliveries',
  'GET /api/me/deliveries/:id',
  'POST /api/me/deliveries/:id/resend',
  'POST /admin/tenants',
  'GET /admin/tenants',
  'GET /admin/tenants/:id',
  'PATCH /admin/tenants/:id',
  'POST /admin/tenants/:id/rotate',
  'GET /admin/lanes',
  'POST /admin/lanes/:id/release',
  'GET /admin/history',
  'GET /admin/analytics',
  'GET /v1/:key/channels/:network',
  'GET /v1/:key/channels/:network/:id',
  'PUT /v1/:key/channels/:network/:id',
  'DELETE /v1/:key/channels/:network/:id',
  'GET /metrics',
  'GET /',
  'GET /health',
  'GET /status.json',
  'GET /openapi.json',
  'GET /llms.txt',
  'POST /mcp',
]

const published = listed(endpoints)

test('the published addresses are those of the contract', () => {
  const below = Object.values(PREFIXES).flatMap((prefix) => BELOW.map((one) => one.replace(' ', ` ${prefix}/`)))
  expect(published.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...below, ...OTHERS].sort())
})

test('each prefix has its own endpoints', () => {
  for (const { path, operation } of published.filter(({ operation }) => operation.group)) {
    const own = path.startsWith(`${PREFIXES.Flash}/`) ? 'Flash' : path.startsWith(`${PREFIXES.Keyed}/`) ? 'Keyed' : 'Sandbox'
    const suffix = /(Sandbox|Flash)?$/.exec(operation.id)?.[1] ?? 'Keyed'
    expect([path, suffix]).toEqual([path, own])
  }
})

test('the server answers every published endpoint itself, not by way of Next', () => {
  expect(published.filter(({ path }) => readTarget(path).kind !== 'api').map(({ path }) => path)).toEqual([])
  expect(published.filter(({ handler }) => handler === 'next')).toEqual([])
})

test.each<[string, Record<string, Record<string, unknown>>, string]>([
  ['exports a method that does not exist', { '/health': { GTE: route(getHealth) } }, 'exports "GTE", which is no method'],
  ['exports another handler', { '/health': { GET: async () => new Response() } }, 'is not made by route()'],
  [
    'gives an endpoint an address with other errors',
    { '/sandbox/setle': { POST: route(settle.sandbox) } },
    'has errors for "settle"',
  ],
  [
    'gives a keyed endpoint an address without a key',
    { '/sandbox/settle': { POST: route(settle.v1) } },
    'reads "key" from its path, which has none',
  ],
  [
    'gives the sandbox an address with a key',
    { '/v1/[key]/settle': { POST: route(settle.sandbox) } },
    'reads none from its path',
  ],
])('a route file that %s stops the start', (_, modules, message) => {
  expect(() => addressed(modules)).toThrow(message)
})
