import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { remoteFacilitator } from './client'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`
}

const HASH = `0x${'ab'.repeat(32)}`
const settle = (url: string, timeoutMs = 5_000) =>
  remoteFacilitator(url, 'a-token').settle({ some: 'request' }, { timeoutMs, signal: new AbortController().signal })
const saying = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  serve((_, res) => res.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body)))

describe("another facilitator's response to a settle request", () => {
  test.each<[number, unknown, object]>([
    [
      200,
      { success: true, transaction: HASH.toUpperCase().replace('0X', '0x'), network: 'n' },
      { end: 'answered', success: true, transaction: HASH },
    ],
    [200, { success: true, transaction: '' }, { end: 'answered', success: true, transaction: null }],
    [200, { success: true, transaction: 'https://host/' }, { end: 'answered', success: true, transaction: null }],
    [200, { success: false, transaction: HASH }, { end: 'answered', success: false, transaction: HASH }],
    [200, { success: false, transaction: null }, { end: 'answered', success: false, transaction: null }],
    [200, { success: false, txHash: HASH }, { end: 'answered', success: false, transaction: HASH }],
    [500, { success: true, transaction: HASH }, { end: 'answered', success: false, transaction: HASH }],
    [409, { error: 'duplicate', transaction: HASH }, { end: 'answered', success: false, transaction: HASH }],
    [409, { error: 'duplicate' }, { end: 'unknown', detail: 'status 409' }],
    [200, '<html>', { end: 'unknown', detail: 'status 200' }],
    [200, [], { end: 'unknown', detail: 'status 200' }],
    [402, {}, { end: 'unknown', detail: 'status 402' }],
    [503, {}, { end: 'unknown', detail: 'status 503' }],
    [302, '', { end: 'unknown', detail: 'status 302' }],
    [307, '', { end: 'refused', status: 307 }],
    [400, { error: 'Missing paymentPayload' }, { end: 'refused', status: 400 }],
    [400, { success: false, transaction: '' }, { end: 'answered', success: false, transaction: null }],
    [401, '<html>', { end: 'refused', status: 401 }],
    [429, { success: false, transaction: '' }, { end: 'refused', status: 429 }],
    [403, { transaction: HASH }, { end: 'answered', success: false, transaction: HASH }],
  ])('%i %j', async (status, body, expected) => {
    expect(await settle(await saying(status, body, { location: 'http://127.0.0.1:9/' }))).toEqual(expected)
  })

  test('is unknown when it is late, breaks off or never ends', async () => {
    const late = await serve(() => {})
    const cut = await serve(
      (_, res) => void res.writeHead(200, { 'content-length': 100 }).write('{"success":', () => res.destroy()),
    )
    const endless = await serve((_, res) => {
      const more = () => res.write('x'.repeat(65_536), () => !res.destroyed && setImmediate(more))
      more()
    })
    for (const url of [late, cut, endless]) expect(await settle(url, 1_000)).toMatchObject({ end: 'unknown' })
  })

  test('a refusal that breaks off is unknown: its body may have named a transaction', async () => {
    const url = await serve((_, res) => void res.writeHead(403, { 'content-length': 100 }).write('{', () => res.destroy()))
    expect(await settle(url)).toMatchObject({ end: 'unknown' })
  })

  test('is certainly not reached when the port is closed or the host does not exist', async () => {
    const url = await serve(() => {})
    const [server] = servers.splice(0)
    await new Promise((resolve) => server?.close(resolve))
    expect(await settle(url)).toEqual({ end: 'not reached', detail: 'ECONNREFUSED' })
    expect(await settle('http://no-such-host.invalid')).toMatchObject({ end: 'not reached' })
  })

  test('the request is one POST of that body below the base URL, with the token', async () => {
    const seen: unknown[] = []
    const url = await serve(async (req, res) => {
      const pieces: Uint8Array[] = []
      for await (const piece of req) pieces.push(piece)
      const { authorization, 'content-type': type } = req.headers
      seen.push([req.method, req.url, authorization, type, Buffer.concat(pieces).toString()])
      res.end('{"success":true}')
    })
    await settle(url)
    expect(seen).toEqual([['POST', '/base/settle', 'Bearer a-token', 'application/json', '{"some":"request"}']])
  })
})

describe('what another facilitator supports', () => {
  const supported = (url: string) => remoteFacilitator(url, undefined).supported(new AbortController().signal)

  test('is read as far as we use it', async () => {
    const kinds = [
      { x402Version: 2, scheme: 'exact', network: 'eip155:84532', extra: null },
      { x402Version: 2, scheme: 'exact', network: 'solana:x', extra: { feePayer: 'Fee', more: 1 } },
      { x402Version: 2, scheme: 'upto', network: 'eip155:1' },
    ]
    const url = await saying(200, { kinds, extensions: [], signers: { 'eip155:*': ['0xABcd'], 'solana:*': ['Fee'] } })
    expect(await supported(url)).toEqual({
      kinds: [
        { network: 'eip155:84532', feePayer: null },
        { network: 'solana:x', feePayer: 'Fee' },
      ],
      signers: { 'eip155:*': ['0xabcd'], 'solana:*': ['Fee'] },
    })
    expect(await supported(await saying(200, { kinds: [] }))).toEqual({ kinds: [], signers: {} })
  })

  test.each<[number, unknown]>([
    [200, '<html>'],
    [200, { kinds: 'all' }],
    [500, { kinds: [] }],
    [302, ''],
  ])('is an error without details after %i %j', async (status, body) => {
    const url = await saying(status, body, { location: '/elsewhere' })
    await expect(supported(url)).rejects.toThrow('it answered with something else than what it supports')
    expect(String(await supported('http://127.0.0.1:9').catch((error: unknown) => error))).not.toMatch(/127|http/)
  })
})

test.each([
  ['ftp://host', 'token'],
  ['http://user:password@host', 'token'],
  ['http://host', 'to\nken'],
])('%s with the token %j is refused without being quoted', (url, token) => {
  expect(() => remoteFacilitator(url, token)).toThrow(
    /^the URL or the token of a remote facilitator cannot be used in a request$/,
  )
})
