import { describe, expect, test } from 'vitest'
import { request } from '../../test/support/service/http-server'
import { openPages, rendered, SESSION_COOKIE } from '../../test/support/service/pages'

/** The nonces of an answer: in its policy, its `Link` header and its text. */
function noncesOf({ headers, body }: { headers: Record<string, string>; body: string }) {
  const [, policy] = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '') ?? []
  return [policy, ...[...`${headers.link} ${body}`.matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce)]
}

/** A state of Next's router with so many levels. */
const nested = (levels: number): unknown => (levels === 0 ? ['', {}] : ['', { children: nested(levels - 1) }])
const LONG = 'long '.repeat(1_000)
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('a page that is alike for every visitor', () => {
  test('is rendered once, and each answer has a nonce of its own', async () => {
    const { get, renders } = await openPages()
    const answers = [await get('/home'), await get('/home'), await get('/home')]
    expect(renders).toEqual(['/home'])
    const nonces = answers.map(noncesOf)
    for (const [first, ...others] of nonces) {
      expect(first).toMatch(/^[\w+/]{22}==$/)
      expect(others).toEqual([first, first, first])
    }
    expect(new Set(nonces.map(([first]) => first)).size).toBe(3)
    expect(answers[0]).toMatchObject({ status: 200, headers: { 'x-frame-options': 'DENY' } })
  })

  test('is rendered without anything of the visitor who came first', async () => {
    const { get } = await openPages()
    const own = { Cookie: 'zone=Asia/Tokyo', 'X-Forwarded-For': '203.0.113.77', 'User-Agent': 'one', 'Accept-Language': 'de' }
    await get('/home?token=secret', own)
    const { body } = await get('/home')
    expect(JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1))).toEqual({
      method: 'GET',
      url: '/home',
      headers: { host: 'localhost', accept: 'text/html', 'x-quittance-client-ip': '127.0.0.1' },
    })
  })

  test('is rendered for each signed-in visitor, and no one else gets that document', async () => {
    const { get, renders } = await openPages()
    const signedIn = (name: string) => get('/home', { Cookie: `${SESSION_COOKIE}=${name}` })
    expect((await signedIn('ann')).body).toContain('=ann')
    expect((await get('/home')).body).not.toContain('ann')
    expect((await signedIn('bob')).body).not.toContain('ann')
    expect((await get('/home')).body).not.toContain('bob')
    expect(renders).toEqual(['/home', '/home', '/home'])
  })

  test('is one document for every spelling of its path and every query', async () => {
    const { get, renders } = await openPages()
    for (const target of ['/docs/errors', '/docs/%65rrors', '//docs//errors/', '/docs/errors?a=1', '/docs/errors?a=2'])
      expect((await get(target)).status).toBe(200)
    expect(renders).toEqual(['/docs/errors'])
  })

  test('is rendered again when it is old', async () => {
    const { get, renders } = await openPages(rendered, { keptMs: 1 })
    await get('/home')
    await expect.poll(async () => (await get('/home')) && renders.length).toBeGreaterThan(1)
  })

  test.each([
    ['an error', 500, {}],
    ['a cookie', 200, { 'set-cookie': 'a=b' }],
  ])('is not kept with %s', async (_what, status, headers) => {
    const { get, renders } = await openPages((req, res) => {
      res.statusCode = status
      res.setHeaders(new Headers(headers))
      rendered(req, res)
    })
    await get('/home', { Cookie: 'a=1' })
    expect((await get('/home', { Cookie: 'b=2' })).body).toContain('b=2')
    expect(renders.length).toBeGreaterThan(2)
  })

  test('keeps the headers of its renderer, and gets none of ours', async () => {
    const own = { 'cache-control': 'public, max-age=86400', etag: '"a"', 'content-type': 'image/png' }
    const { get } = await openPages((_req, res) => void res.writeHead(200, own).end('x'))
    expect((await get('/payments/1')).headers).toMatchObject(own)
    const bare = await openPages((_req, res) => void res.end('x'))
    const { headers } = await bare.get('/payments/1')
    expect(Object.keys(headers).filter((name) => /cache-control|captured/.test(name))).toEqual([])
  })

  test('is compressed for clients that ask for it, and HEAD has its length', async () => {
    const { dial, get, port } = await openPages((_req, res) => void res.setHeader('content-type', 'text/html').end(LONG))
    expect(await get('/home')).toMatchObject({ body: LONG, headers: { 'content-length': String(LONG.length) } })
    const wire = await dial()
    wire.say(request('HEAD /home', BROWSER))
    const [head] = await wire.answers(1, 'bodiless')
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': String(LONG.length) } })
    // This client asks for gzip and unpacks it.
    const zipped = await fetch(`http://127.0.0.1:${port}/home`)
    expect([zipped.headers.get('content-encoding'), await zipped.text()]).toEqual(['gzip', LONG])
  })
})

describe('a path without a page', () => {
  test.each([
    ['POST /verify', '*/*', { isValid: false, invalidReason: 'invalid_request' }],
    ['POST /settle', 'application/json', { success: false, errorReason: 'invalid_request' }],
    ['POST /sandbx/settle', undefined, { success: false }],
    ['GET /sandbx/supported', '*/*', {}],
    ['GET /sandbx/supported', undefined, {}],
    ['POST /no-such', 'text/html', {}],
    ['PUT /wp-login.php', '*/*', {}],
  ])('%s with Accept %s is a 404 in JSON that names the base URLs', async (line, accept, fields) => {
    const { ask, renders, line: logged } = await openPages()
    const answer = await ask(
      request(line, accept === undefined ? {} : { Accept: accept }, line.startsWith('POST') ? '{}' : undefined),
    )
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
    expect(JSON.parse(answer.body)).toMatchObject({ error: expect.stringMatching(/\/sandbox, or \/v1\/<API_KEY>/), ...fields })
    expect(renders).toEqual([])
    expect((await logged()).route).toBe('unknown')
  })

  test('is one kept document for browsers, however many paths they try', async () => {
    const { get, renders } = await openPages((req, res) => {
      res.statusCode = 404
      rendered(req, res)
    })
    for (let at = 0; at < 50; at++) expect((await get(`/no-such-${at}`, BROWSER)).status).toBe(404)
    expect(renders).toEqual(['/404'])
  })
})

describe('what never reaches Next', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s to a page is 405', async (method) => {
    const { ask, renders } = await openPages()
    const form = { 'Content-Type': 'multipart/form-data; boundary=x', 'Next-Action': 'a' }
    const answer = await ask(request(`${method} /home`, form, '--x--'))
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(renders).toEqual([])
  })

  test('OPTIONS on a page lists its methods', async () => {
    const { ask } = await openPages()
    expect(await ask(request('OPTIONS /home'))).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } })
  })

  test.each([
    ['next-router-state-tree', 'garbage'],
    ['next-router-state-tree', '%'],
    ['next-router-state-tree', encodeURIComponent('["a"]')],
    ['next-router-state-tree', encodeURIComponent('["a",{"c":["b",7]}]')],
    ['next-router-state-tree', encodeURIComponent('[["a","b","zz",null],{}]')],
    ['next-router-state-tree', encodeURIComponent(JSON.stringify(nested(400)))],
    ['next-router-prefetch', '2'],
    ['next-router-prefetch', 'x'],
  ])("a header of Next's router that no page of ours sends: %s: %.40s", async (name, value) => {
    const { ask, renders } = await openPages()
    const answer = await ask(request('GET /payments/1', { RSC: '1', [name]: value }))
    expect([answer.status, renders]).toEqual([400, []])
  })

  test('but the router of a page gets what it asks for', async () => {
    const { ask, renders } = await openPages()
    const state = [
      '',
      { children: ['(app)', { children: [['id', '7', 'd', null], { children: ['__PAGE__', {}, null, 'refetch'] }] }] },
    ]
    const headers = { RSC: '1', 'Next-Router-State-Tree': encodeURIComponent(JSON.stringify(state)), 'Next-Router-Prefetch': '1' }
    expect((await ask(request('GET /docs/errors?_rsc=a', headers))).status).toBe(200)
    expect(renders).toEqual(['/docs/errors?_rsc=a'])
  })
})
