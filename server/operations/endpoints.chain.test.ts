import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { getAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { testLog } from '../../test/support/logs'
import { MUSD, settleTooInTest } from '../../test/support/payloads/tokens'
import { documented } from '../../test/support/service/documented'
import { startHarness } from '../../test/support/service/harness'
import { createApp } from '../boot/app'
import { readEnv } from '../env/env'
import { getSupported, getSupportedEverywhere } from '../payments/endpoints'
import { getHealth, goToOperator } from './endpoints'

const asked = () => new Request('http://quittance.test/supported', { headers: { 'x-quittance-client-ip': '10.0.0.1' } })

const read = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  body: await response.json(),
})

const ok = (body: object) => ({ status: 200, headers: expect.any(Headers), body })

const harness = fixture(() => startHarness({ env: { OPERATOR_URL: 'https://operator.test/start' } }))

const signer = () => privateKeyToAddress(harness.env.EVM_SANDBOX_SIGNER_KEYS as `0x${string}`)
const EXTRA = {
  expiryMarginSeconds: 6,
  finality: {
    success: 'included',
    confirmations: { included: 1, safe: 2 },
    expectedSeconds: { preconfirmed: 0.2, included: 2, safe: 12, finalized: 1_200 },
  },
}
const expected = () => ({
  kinds: [
    { x402Version: 2, scheme: 'exact', network: 'eip155:84532', extra: EXTRA },
    {
      x402Version: 2,
      scheme: 'upto',
      network: 'eip155:84532',
      extra: { ...EXTRA, facilitatorAddress: getAddress(signer()) },
    },
    { x402Version: 2, scheme: 'batch-settlement', network: 'eip155:84532', extra: EXTRA },
    { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
  ],
  extensions: ['bazaar', 'eip2612GasSponsoring'],
  signers: { 'eip155:*': [getAddress(signer())] },
  assets: [
    {
      network: 'eip155:84532',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      symbol: 'USDC',
      decimals: 6,
      name: 'USDC',
      version: '2',
      assetTransferMethod: 'eip3009',
    },
  ],
})

describe('GET /supported', () => {
  test('lists every token of a network with its domain, its decimals and how a transfer of it is signed', async () => {
    settleTooInTest([{ ...MUSD, method: 'permit2' }])
    const { body } = documented('GET /sandbox/supported', await read(await getSupported.sandbox.handle(harness.app, asked())))
    expect(Object(body).assets).toMatchObject([
      { symbol: 'USDC', assetTransferMethod: 'eip3009' },
      {
        network: 'eip155:84532',
        asset: getAddress(MUSD.address),
        symbol: 'mUSD',
        decimals: 18,
        ...MUSD.domain,
        assetTransferMethod: 'permit2',
      },
    ])
  })

  test('lists what is configured: v2 kinds, then v1 kinds, with signers and assets', async () => {
    for (const route of [getSupportedEverywhere, getSupported.sandbox]) {
      const response = await route.handle(harness.app, asked())
      expect(documented('GET /sandbox/supported', await read(response))).toEqual(ok(expected()))
      expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    }
  })

  test('is what the official client accepts', async () => {
    const server = createServer(async (_, response) => {
      response
        .setHeader('content-type', 'application/json')
        .end(await (await getSupported.sandbox.handle(harness.app, asked())).text())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const client = new HTTPFacilitatorClient({ url: `http://127.0.0.1:${port}/sandbox` })
    const { kinds, extensions, signers } = expected()
    expect(await client.getSupported()).toMatchObject({ kinds, extensions, signers })
    server.closeAllConnections()
    server.close()
  })

  test('is empty, not missing, where nothing is configured', async () => {
    const database = await freshDatabase()
    const app = await createApp(readEnv({ NODE_ENV: 'test', DATABASE_URL: database.url }), testLog())
    const answer = documented('GET /supported', await read(await getSupportedEverywhere.handle(app, asked())))
    expect(answer).toEqual(ok({ kinds: [], extensions: ['bazaar'], signers: {}, assets: [] }))
    await app.close()
    await database.close()
  })
})

test('GET /health says ok', async () => {
  expect(documented('GET /health', await read(await getHealth.handle(harness.app, asked())))).toEqual(ok({ status: 'ok' }))
})

test('GET / leads to the operator, for now and for any query', async () => {
  const response = await goToOperator.handle(harness.app, asked())
  expect([response.status, response.headers.get('location')]).toEqual([307, 'https://operator.test/start'])
})
