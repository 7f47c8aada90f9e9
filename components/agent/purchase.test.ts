import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { EvmTerms, SvmTerms, Terms } from '../wallets/terms'
import { askTerms, pay, termsAsShown } from './purchase'

/** The origin of a service that answers every request like this. */
async function serviceThat(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const saying = (status: number, body: string, headers: Record<string, string> = {}) =>
  serviceThat((_request, response) => response.writeHead(status, headers).end(body))

const purchased = { status: 'paid', api_key: 'qt_key', endpoint: 'http://x/v1/qt_key', credits_added: 100, transaction: '0xab' }

describe('a payment for credits', () => {
  test('is sent in its header, and brings the key', async () => {
    const origin = await serviceThat(({ method, url, headers }, response) => {
      const right = method === 'POST' && url === '/api/v1/agent/purchase' && headers['payment-signature'] === 'signed'
      response.writeHead(right ? 200 : 500).end(JSON.stringify({ ...purchased, more: true }))
    })
    expect(await pay('signed', origin)).toEqual({ end: 'bought', purchased })
  })

  test('that is on its way has bought too', async () => {
    const origin = await saying(202, JSON.stringify({ ...purchased, status: 'pending' }))
    expect(await pay('signed', origin)).toMatchObject({ end: 'bought', purchased: { status: 'pending' } })
  })

  test.each([402, 400, 409])('that is answered %i was refused, in the service’s words', async (status) => {
    const origin = await saying(status, '{"error":"no money"}')
    expect(await pay('signed', origin)).toEqual({ end: 'refused', message: 'no money' })
  })

  test.each([
    ['503 while it is under way', 503, '{"error":"later"}', { 'retry-after': '2' }, 'later'],
    ['409 while another request settles it', 409, '{"error":"later"}', { 'retry-after': '2' }, 'later'],
    ['502 of something between', 502, '<html>', {}, 'The service answered 502.'],
    ['a success that was cut off', 200, '{"status":"pa', {}, 'The answer was cut off.'],
  ])('may have been made after %s', async (_what, status, body, headers, message) => {
    expect(await pay('signed', await saying(status, body, headers))).toEqual({ end: 'unknown', message })
  })

  test('may have been made when no answer comes', async () => {
    const origin = await serviceThat(({ socket }) => void socket.destroy())
    expect(await pay('signed', origin)).toEqual({ end: 'unknown', message: 'No answer came back.' })
  })
})

test('where no credits are sold, the service’s words are told', async () => {
  const origin = await saying(503, '{"error":"this facilitator does not sell credits"}')
  await expect(askTerms(100, origin)).rejects.toThrow('this facilitator does not sell credits')
})

describe('a wallet is given terms', () => {
  const base: EvmTerms = {
    ...{ scheme: 'exact', network: 'eip155:84532', amount: '100000', maxTimeoutSeconds: 300 },
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
  const chosen = (...accepts: Terms[]) => termsAsShown({ resource: null, accepts }, accepts[0]?.network ?? base.network, 100)

  test('that are those on the screen', () => {
    expect([chosen(base, solana), chosen(solana, base)]).toEqual([base, solana])
  })

  test.each<[string, Terms]>([
    ['another amount', { ...base, amount: '100001' }],
    ['an amount that eight bytes would cut', { ...solana, amount: String(2n ** 64n + 100_000n) }],
    ['another token', { ...base, asset: base.payTo }],
    ['another token of Solana', { ...solana, asset: solana.asset.toLowerCase() }],
  ])('and not for %s', (_what, offered) => {
    expect(() => chosen(offered)).toThrow('not what this page shows')
  })

  test('and not of another network', () => {
    expect(() => chosen()).toThrow('not sold on this network')
  })
})
