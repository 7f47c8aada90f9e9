import { describe, expect, test } from 'vitest'
import { openServer, request, routes } from '../../test/support/service/http-server'
import { readTarget } from './request-target'
import { routeTable } from './route-table'

const KEY = `qt_${'Ab3-_'.repeat(8)}xyz`

describe('paths', () => {
  test.each([
    ['/sandbox/settle', '/sandbox/settle'],
    ['/sandbox//settle', '/sandbox/settle'],
    ['//sandbox///settle/', '/sandbox/settle'],
    ['/sandbox/settle/', '/sandbox/settle'],
    ['/sandbox/settle?a=//b/..', '/sandbox/settle?a=//b/..'],
    ['http://elsewhere.test/sandbox/settle', '/sandbox/settle'],
    ['/v1//settle', '/v1/settle'],
  ])('POST %s is answered at once, without a redirect', async (target, url) => {
    const { ask } = await openServer()
    const answer = await ask(request(`POST ${target}`, {}, '{}'))
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toMatchObject({ url, body: '{}' })
  })

  test.each([
    '/sandbox/nothing',
    '/sandbox/Settle',
    '/Sandbox/settle',
    '/sandbox/%73ettle',
    '/%73andbox/settle',
    '/sandbox/./settle',
    '/sandbox/x/../settle',
    '/sandbox/x/%2e%2E/settle',
    '/home/../sandbox/settle',
    '/home/%2e%2e/sandbox/settle',
    '/home%2f..%2fsandbox/settle',
    '/sandbox%2Fsettle',
    '/sandbox%5csettle',
    '/sandbox/settle%00',
    '/v1/a%2Fb/settle',
    '/sandbox',
    '/api',
    `/v2/${KEY}/settle`,
    `/facilitator/v1/${KEY.replace('_', '%5F')}/settle`,
    `/${KEY}`,
  ])('POST %s is 404 and reaches neither a handler nor Next', async (target) => {
    const reached: string[] = []
    const { ask } = await openServer({ fallback: async (req) => void reached.push(req.url ?? '') })
    const answer = await ask(request(`POST ${target}`, {}, '{}'))
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.body)).toMatchObject({ error: expect.stringContaining('no such path') })
    expect(answer.body).not.toContain('qt_')
    expect(reached).toEqual([])
  })

  test('a file of Next whose name only looks like a token reaches Next', async () => {
    const { ask } = await openServer()
    const name = 'next_dist_compiled_react-server-dom-turbopack_164kp-67asdr9.js'
    expect((await ask(request(`GET /_next/static/chunks/${name}`))).status).toBe(200)
  })

  test.each([
    '/_next/image?url=%2Fpictures%2Fhome.png%231&w=3840&q=75',
    '/_next/image?url=%2Fsandbox%2Fsupported&w=640&q=75',
    '//_next//image/?url=x',
    '/_next/%69mage?url=x',
    '/_next/data/build/home.json',
  ])('GET %s is 404: Next gets no request for the parts that our pages do not use', async (target) => {
    const reached: string[] = []
    const { ask } = await openServer({ fallback: async (req) => void reached.push(req.url ?? '') })
    expect((await ask(request(`GET ${target}`))).status).toBe(404)
    expect(reached).toEqual([])
  })

  test.each([
    '/sandbox/%',
    '/sandbox/%zz',
    '/sandbox/%ff',
    '/home/%e0%a4',
    '/sandbox\\settle',
    '/sandbox/#x',
    'sandbox/settle',
    'ftp://x/y',
  ])('POST %s is 400', async (target) => {
    const { ask } = await openServer()
    const answer = await ask(request(`POST ${target}`, {}, '{}'))
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) })
  })

  test.each([
    '//evil.test',
    '/\\evil.test',
    '/%5cevil.test',
    'http://evil.test',
    'http://evil.test/',
    '/?next=//evil.test',
    '//evil.test/..',
  ])('GET %s redirects nowhere', async (target) => {
    const { ask } = await openServer()
    expect((await ask(request(`GET ${target}`))).headers.location).toBeUndefined()
  })

  test('a page gets its path with single slashes, its query untouched', async () => {
    const { ask } = await openServer()
    const answer = await ask(request('GET //home//x/?q=%2e%2e//'))
    expect(JSON.parse(answer.body)).toMatchObject({ page: true, url: '/home/x?q=%2e%2e//' })
  })

  test('parameters are decoded once', async () => {
    const { ask } = await openServer()
    const answer = await ask(request('GET /v1/a%20b/settlements/%2541'))
    expect(JSON.parse(answer.body)).toMatchObject({ params: { key: 'a b', id: '%41' } })
  })
})

describe('the route table', () => {
  const find = routeTable(routes)
  const pattern = (path: string) => find(path.split('/').filter(Boolean))?.route.pattern

  test('prefers literals, then parameters, then wildcards', () => {
    expect(pattern('/')).toBe('/')
    expect(pattern('/v1/settle')).toBe('/v1/settle')
    expect(pattern('/v1/settle/settle')).toBe('/v1/:key/settle')
    expect(pattern('/api/trpc/a.b,c.d/e')).toBe('/api/trpc/*')
    expect(pattern('/api/trpc')).toBeUndefined()
    expect(pattern('/v1/__proto__')).toBeUndefined()
  })

  test('refuses two routes with one path', () => {
    expect(() => routeTable([...routes, ...routes.slice(0, 1)])).toThrow('have the path /')
  })
})

test('every prefix of the API is recognised in any letter case and encoding', () => {
  for (const target of ['/', '/v1', '/V1/x', '/%76%31/x', '/api/x', '/metrics', '/?x'])
    expect(readTarget(target).kind).toBe('api')
  for (const target of ['/home', '/v10', '/_next/static/x', '/apiary']) expect(readTarget(target).kind).toBe('page')
})
