import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { UptoEvmScheme as UptoClient } from '@x402/evm/upto/client'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import {
  paymentMiddlewareFromHTTPServer,
  setSettlementOverrides,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/express'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import express from 'express'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { startChain } from '../../devnet/chain'
import { keyOn } from '../../devnet/payer'
import { fundedKey } from '../support/chain/funded-key'
import { freshDatabase } from '../support/database/database'
import { fixture } from '../support/fixture'
import { newPermit2Payer } from '../support/permit2/permit2'
import { newIp } from '../support/service/history'
import { startServiceProcess } from '../support/service/process'

const NETWORK = 'eip155:84532'
const MAXIMUM = 100_000n

const all = fixture(async () => {
  const [database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
  const keys = await Promise.all(Array.from({ length: 3 }, () => fundedKey(chain)))
  const env = {
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: chain.url,
    KYT: 'off',
    EVM_SANDBOX_SIGNER_KEYS: keys.join(','),
  }
  const services = [await startServiceProcess(env), await startServiceProcess(env, '"to":"leased elsewhere"')]
  const lone = await freshDatabase()
  const apart = { ...env, DATABASE_URL: lone.url }
  const separate: Awaited<ReturnType<typeof startServiceProcess>>[] = []
  for (let at = 0; at < 2; at++)
    separate.push(await startServiceProcess({ ...apart, EVM_SANDBOX_SIGNER_KEYS: await fundedKey(chain) }))
  const urls = services.map(({ url }) => `${url}/sandbox`)
  const separateUrls = separate.map(({ url }) => `${url}/sandbox`)
  const close = () =>
    Promise.all([...services, ...separate].map((one) => one.kill('SIGTERM'))).then(() =>
      Promise.all([database.close(), lone.close(), chain.stop()]),
    )
  return { chain, urls, separateUrls, close }
})

/** A merchant with the official middleware who asks for a maximum and charges what its handler says. */
async function startMeter(facilitatorUrl: string, payTo: Address, charge: string) {
  // The sandbox counts requests by address.
  const headers = { 'x-forwarded-for': newIp() }
  const createAuthHeaders = async () => ({ verify: headers, settle: headers, supported: headers })
  const client = new HTTPFacilitatorClient({ url: facilitatorUrl, createAuthHeaders })
  const resources = new x402ResourceServer(client).register(NETWORK, new UptoEvmScheme())
  const price = { amount: String(MAXIMUM), asset: all.chain.usdc, extra: { name: 'USDC', version: '2' } }
  const route = { accepts: { scheme: 'upto', network: NETWORK, price, payTo } as const, description: 'Tokens' }
  const paid = new x402HTTPResourceServer(resources, { 'GET /tokens': route })
  await paid.initialize()
  const app = express()
  app.use(paymentMiddlewareFromHTTPServer(paid, undefined, undefined, false))
  app.get('/tokens', (_request, response) => {
    setSettlementOverrides(response, { amount: charge })
    response.json({ tokens: 7 })
  })
  const server = app.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}/tokens`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Buys with `@x402/fetch`. */
async function buy(key: Hex, facilitatorUrl: string, payTo: Address, charge: string) {
  const merchant = await startMeter(facilitatorUrl, payTo, charge)
  const scheme = new UptoClient(keyOn(all.chain.client, key))
  const client = x402Client.fromConfig({ schemes: [{ network: 'eip155:*', client: scheme }], spendControls: false })
  try {
    const response = await wrapFetchWithPayment(fetch, client)(merchant.url)
    const header = response.headers.get('payment-response')
    return {
      status: response.status,
      body: await response.json(),
      receipt: header ? decodePaymentResponseHeader(header) : undefined,
    }
  } finally {
    await merchant.stop()
  }
}

async function newPayer(): Promise<{ key: Hex; address: Address }> {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await newPermit2Payer(all.chain, 1_000_000n, privateKeyToAccount(key))
  return { key, address }
}

describe('unmodified official clients and servers pay by upto', () => {
  test.each([
    ['the part that the handler names', '700', 700n],
    ['a share of the maximum', '12.5%', 12_500n],
    ['the maximum', String(MAXIMUM), MAXIMUM],
  ])('%s', async (_, charge, moved) => {
    const [{ key, address }, payTo] = [await newPayer(), privateKeyToAccount(generatePrivateKey()).address]
    const paid = await buy(key, all.urls[0] ?? '', payTo, charge)
    expect(paid).toMatchObject({
      status: 200,
      body: { tokens: 7 },
      receipt: { success: true, network: NETWORK, payer: address, amount: String(moved) },
    })
    expect([await all.chain.tokens(payTo), await all.chain.tokens(address)]).toEqual([moved, 1_000_000n - moved])
  })

  test('and nothing, which is answered without a transaction', async () => {
    const [{ key, address }, payTo] = [await newPayer(), privateKeyToAccount(generatePrivateKey()).address]
    const paid = await buy(key, all.urls[0] ?? '', payTo, '0')
    expect(paid).toMatchObject({ status: 200, body: { tokens: 7 }, receipt: { success: true, transaction: '', amount: '0' } })
    expect(await all.chain.tokens(address)).toBe(1_000_000n)
  })

  test.each([
    ['of which one has every signer', () => all.urls],
    ['each with a signer of its own', () => all.separateUrls],
  ])('at either of two instances, %s', async (_, urls) => {
    const named = await Promise.all(
      urls().map(async (url) => {
        const { kinds } = await new HTTPFacilitatorClient({ url }).getSupported()
        return kinds.find(({ scheme }) => scheme === 'upto')?.extra?.facilitatorAddress
      }),
    )
    expect(named[0]).toMatch(/^0x/)
    expect(named[1]).toBe(named[0])
    for (const url of urls()) {
      const [{ key, address }, payTo] = [await newPayer(), privateKeyToAccount(generatePrivateKey()).address]
      expect(await buy(key, url, payTo, '5')).toMatchObject({ status: 200, receipt: { success: true, amount: '5' } })
      expect(await all.chain.tokens(address)).toBe(1_000_000n - 5n)
    }
  })
})
