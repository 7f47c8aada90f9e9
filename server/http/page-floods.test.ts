import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { request } from '../../test/support/service/http-server'
import { openPages, rendered } from '../../test/support/service/pages'

const from = (ip: string) => ({ 'X-Forwarded-For': ip })

/** How many of these requests have got each status by now. */
function countStatuses(asks: Promise<{ status: number }>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const ask of asks) {
    void ask.then(({ status }) => {
      counts[status] = (counts[status] ?? 0) + 1
    })
  }
  return counts
}

describe('the pages of one address', () => {
  test('are limited, kept ones and missing ones too, and another address still gets its own', async () => {
    const { get } = await openPages()
    for (const target of ['/home', '/no-such']) {
      const flood = Array.from({ length: 800 }, () => get(target, from('203.0.113.1')))
      const refused = (await Promise.all(flood)).filter(({ status }) => status === 429)
      expect(refused.length).toBeGreaterThanOrEqual(200)
      expect(refused[0]?.headers['retry-after']).toBe('1')
      expect(JSON.parse(refused[0]?.body ?? '')).toEqual({ error: expect.stringContaining('wait 1 s') })
      expect((await get(target, from('203.0.113.2'))).status).toBe(200)
    }
  })

  test('that are rendered cost more than kept ones, and those of the documentation most', async () => {
    const spent = async (target: string, headers: Record<string, string>) => {
      const { ask } = await openPages()
      let passed = 0
      for (; passed < 1_000; passed++) {
        const { status } = await ask(request(`GET ${target}`, { ...headers, ...from('203.0.113.3') }))
        if (status === 429) break
      }
      return passed
    }
    const [documentation, page] = [await spent('/docs/errors', { RSC: '1' }), await spent('/payments/1', { Accept: 'text/html' })]
    expect([documentation, page]).toEqual([20, 100])
  })

  test('are limited for an IPv6 /48 too', async () => {
    const { ask } = await openPages()
    let passed = 0
    for (; passed < 1_000; passed++) {
      const ip = `2001:db8:7:${passed.toString(16)}::1`
      if ((await ask(request('GET /docs/errors', { RSC: '1', ...from(ip) }))).status === 429) break
    }
    expect(passed).toBe(8 * 20)
  })
})

describe('renders at once', () => {
  /** Pages that are rendered only when the test lets them. */
  async function openGate() {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let [running, most] = [0, 0]
    const server = await openPages(async (req, res) => {
      most = Math.max(most, ++running)
      await gate
      running--
      rendered(req, res)
    })
    return { ...server, open, most: () => most }
  }

  test('are few; more wait, and beyond that a page is 503 with Retry-After', async () => {
    const { get, open, most, renders } = await openGate()
    const asks = Array.from({ length: 12 }, (_, at) => get(`/payments/${at}`, from(`203.0.113.${at}`)))
    const counts = countStatuses(asks)
    expect(await Promise.any(asks)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    await expect.poll(() => counts).toEqual({ 503: 6 })
    expect(renders).toHaveLength(2)
    open()
    await expect.poll(() => counts).toEqual({ 200: 6, 503: 6 })
    expect(most()).toBe(2)
  })

  test('of one address leave room for others', async () => {
    const { get, open } = await openGate()
    const flood = Array.from({ length: 10 }, (_, at) => get(`/payments/${at}`, from('203.0.113.1')))
    const counts = countStatuses(flood)
    expect(await Promise.any(flood)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    await expect.poll(() => counts).toEqual({ 429: 7 })
    const other = get('/payments/7', from('203.0.113.2'))
    open()
    expect((await other).status).toBe(200)
    await expect.poll(() => counts).toEqual({ 200: 3, 429: 7 })
  })

  test('do not count clients that read slowly', async () => {
    const { get, port, renders } = await openPages((_req, res) => void res.end('x'.repeat(2_000_000)))
    const lazy = [1, 2, 3].map((at) => {
      const socket = connect(port, '127.0.0.1').pause()
      socket.write(request(`GET /payments/${at}`, from('203.0.113.1')))
      return socket
    })
    await expect.poll(() => renders.length).toBe(3)
    expect((await get('/payments/4', from('203.0.113.2'))).status).toBe(200)
    for (const socket of lazy) socket.destroy()
  })
})
