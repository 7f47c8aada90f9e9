import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from './chain'
import { type PlaygroundOptions, playground } from './playground'

let chain: Chain
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
})
afterAll(() => chain.stop())

const newAddress = () => privateKeyToAddress(generatePrivateKey())

/** Runs `work` with a merchant that has only its playground. */
async function withMerchant(
  now: () => number,
  work: (url: string) => Promise<void>,
  wallets?: PlaygroundOptions['wallets'],
): Promise<void> {
  const server = express()
    .use(playground({ give: chain.mint, wallets, now }))
    .listen(0)
  await once(server, 'listening')
  try {
    await work(`http://localhost:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const ask = (url: string, to: string) => fetch(`${url}/faucet/${to}`, { method: 'POST' })

test('the faucet gives a wallet one cent of test USDC', () =>
  withMerchant(Date.now, async (url) => {
    const to = newAddress()
    const answer = await ask(url, to)
    expect([answer.status, await answer.json()]).toEqual([200, { given: '10000', to }])
    expect(await chain.tokens(to)).toBe(10_000n)
  }))

test('an invalid address is a 400', () =>
  withMerchant(Date.now, async (url) => {
    expect((await ask(url, '0x12')).status).toBe(400)
    expect((await ask(url, 'no address')).status).toBe(400)
  }))

test('the faucet gives 30 times a minute, then answers 429 until the next minute', async () => {
  let time = 0
  await withMerchant(
    () => time,
    async (url) => {
      const askFor = async (count: number) => {
        const answers = await Promise.all(Array.from({ length: count }, () => ask(url, newAddress())))
        return answers.map(({ status }) => status)
      }
      expect(await askFor(30)).toEqual(Array(30).fill(200))
      const refused = await ask(url, newAddress())
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      time = 60_000
      expect(await askFor(1)).toEqual([200])
    },
  )
})

test('pages of other origins may send a payment and read the x402 headers', () =>
  withMerchant(Date.now, async (url) => {
    const asked = { origin: 'http://localhost:1', 'access-control-request-headers': 'payment-signature' }
    const { status, headers } = await fetch(`${url}/weather`, { method: 'OPTIONS', headers: asked })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-headers')).toContain('payment-signature')
    expect(headers.get('access-control-expose-headers')).toContain('payment-required, payment-response')
  }))

test("the keys of the demo's wallets are only for the pages of its service", async () => {
  const origin = 'http://localhost:3000'
  const list = () => [{ network: 'eip155:84532', name: 'Agent on Base Sepolia', key: '0x01' }]
  const check = async (url: string) => {
    const read = (headers: Record<string, string>) => fetch(`${url}/wallets`, { headers })
    for (const headers of [{}, { origin: 'http://localhost:1' }, { origin: 'null' }]) {
      const refused = await read(headers)
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null])
      expect(await refused.json()).toEqual({ error: `Only for pages of ${origin}` })
    }
    const answer = await read({ origin })
    expect([answer.headers.get('access-control-allow-origin'), answer.headers.get('cache-control')]).toEqual([origin, 'no-store'])
    expect(await answer.json()).toEqual(list())
  }
  await withMerchant(Date.now, check, { origin, list })
})
