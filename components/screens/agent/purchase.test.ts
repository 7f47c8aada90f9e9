import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { EvmTerms, SvmTerms, Terms } from '../../client/wallets/terms'
import { checkedTerms, fetchTerms, pay } from './purchase'

/** The origin of a service with this request handler. */
async function serviceThat(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const saying = (status: number, body: string, headers: Record<string, string> = {}) =>
  serviceThat((_request, response) => response.writeHead(status, headers).end(body))

const purchased = {
  status: 'paid',
  api_key: 'qt_key',
  endpoint: 'http://x/v1/qt_key',
  credits_added: 100,
  network: 'eip155:8453',
  transaction: '0xab',
}

describe('a payment for credits', () => {
  test('goes in its header and returns the key', async () => {
    const origin = await serviceThat(({ method, url, headers }, response) => {
      const right = method === 'POST' && url === '/api/v1/agent/purchase?key=new' && headers['payment-signature'] === 'signed'
      response.writeHead(right ? 200 : 500).end(JSON.stringify({ ...purchased, more: true }))
    })
    expect(await pay('signed', 'new', origin)).toEqual({ end: 'bought', purchased })
  })

  test('that keeps the key of the wallet returns none', async () => {
    const { api_key: _, endpoint: __, ...rest } = purchased
    const origin = await serviceThat(({ url }, response) => {
      response.writeHead(url === '/api/v1/agent/purchase?key=keep' ? 200 : 500).end(JSON.stringify(rest))
    })
    expect(await pay('signed', 'keep', origin)).toEqual({ end: 'bought', purchased: rest })
  })

  test('that is pending has bought credits too', async () => {
    const origin = await saying(202, JSON.stringify({ ...purchased, status: 'pending' }))
    expect(await pay('signed', 'new', origin)).toMatchObject({ end: 'bought', purchased: { status: 'pending' } })
  })

  test.each([402, 400, 409])('answered with %i is refused with the error of the service', async (status) => {
    const origin = await saying(status, '{"error":"no money"}')
    expect(await pay('signed', 'new', origin)).toEqual({ end: 'refused', message: 'no money' })
  })

  test.each([
    ['503 while it is pending', 503, '{"error":"later"}', { 'retry-after': '2' }, 'later'],
    ['409 while another request settles it', 409, '{"error":"later"}', { 'retry-after': '2' }, 'later'],
    ['502 of a proxy', 502, '<html>', {}, 'The service answered 502.'],
    ['an incomplete success', 200, '{"status":"pa', {}, 'The response was incomplete.'],
  ])('has an unknown outcome after %s', async (_what, status, body, headers, message) => {
    expect(await pay('signed', 'new', await saying(status, body, headers))).toEqual({ end: 'unknown', message })
  })

  test('has an unknown outcome without a response', async () => {
    const origin = await serviceThat(({ socket }) => void socket.destroy())
    expect(await pay('signed', 'new', origin)).toEqual({ end: 'unknown', message: 'The service did not respond.' })
  })
})

test('if no credits are sold, the error of the service is thrown', async () => {
  const origin = await saying(503, '{"error":"this facilitator does not sell credits"}')
  await expect(fetchTerms(100, origin)).rejects.toThrow('this facilitator does not sell credits')
})

describe('a wallet signs terms', () => {
  const base: EvmTerms = {
    scheme: 'exact',
    network: 'eip155:84532',
    amount: '100000',
    maxTimeoutSeconds: 300,
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    payTo: '0x9A676e781A523b5d0C0e43731313A708CB607508',
    extra: { name: 'USDC', version: '2' },
  }
  const solana: SvmTerms = {
    ...base,
    network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    asset: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    payTo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
    extra: { feePayer: 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' },
  }
  const chosen = (...accepts: Terms[]) => checkedTerms({ resource: null, accepts }, accepts[0]?.network ?? base.network, 100)

  test('that match the screen', () => {
    expect([chosen(base, solana), chosen(solana, base)]).toEqual([base, solana])
  })

  test.each<[string, Terms]>([
    ['another amount', { ...base, amount: '100001' }],
    ['an amount that overflows eight bytes', { ...solana, amount: String(2n ** 64n + 100_000n) }],
    ['another token', { ...base, asset: base.payTo }],
    ['another Solana token', { ...solana, asset: solana.asset.toLowerCase() }],
  ])('and refuses %s', (_what, offered) => {
    expect(() => chosen(offered)).toThrow('differs from this page')
  })

  test('and refuses another network', () => {
    expect(() => chosen()).toThrow('no longer sold on this network')
  })
})
