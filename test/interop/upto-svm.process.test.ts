import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import {
  paymentMiddlewareFromHTTPServer,
  setSettlementOverrides,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/express'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { UptoSvmScheme as UptoClient } from '@x402/svm/upto/client'
import { UptoSvmScheme } from '@x402/svm/upto/server'
import express from 'express'
import { describe, expect, test } from 'vitest'
import { addressOf, newSecretKey, signerOf } from '../../devnet/solana/keys'
import { startSolana } from '../../devnet/solana/solana'
import { freshDatabase } from '../support/database/database'
import { fixture } from '../support/fixture'
import { ADMIN_KEY } from '../support/service/harness'
import { startServiceProcess } from '../support/service/process'

const MAXIMUM = 100_000n
const SOL = 1_000_000_000n

const all = fixture(async () => {
  const [database, chain] = await Promise.all([freshDatabase(), startSolana({ cluster: 'mainnet', slotMs: 300 })])
  const feePayer = newSecretKey()
  await chain.airdrop(addressOf(feePayer), SOL)
  await chain.openAccount(addressOf(feePayer))
  const service = await startServiceProcess({
    DATABASE_URL: database.url,
    KYT: 'off',
    ADMIN_KEY,
    SVM_UPTO: '1',
    CHANNEL_SECRETS: 'the secret of the channels of the tests',
    SOLANA_RPC_URL: chain.url,
    SOLANA_SIGNER_KEYS: feePayer,
  })
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ owner_id: 'owner', plan: 'growth' })
  const response = await fetch(`${service.url}/admin/tenants`, { method: 'POST', headers, body })
  const { api_key }: { api_key: string } = await response.json()
  const close = () => service.kill('SIGTERM').then(() => Promise.all([database.close(), chain.stop()]))
  return { chain, url: `${service.url}/v1/${api_key}`, close }
})

/** A merchant with the official middleware who charges what its handler says, or whose handler fails. */
async function startMeter(payTo: string, charge: string | null) {
  const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url: all.url })).register(
    all.chain.network,
    new UptoSvmScheme({ rpcUrl: all.chain.url }),
  )
  const price = { amount: String(MAXIMUM), asset: all.chain.mint, extra: {} }
  const route = { accepts: { scheme: 'upto', network: all.chain.network, price, payTo } as const, description: 'Tokens' }
  const paid = new x402HTTPResourceServer(resources, { 'GET /tokens': route })
  await paid.initialize()
  const app = express()
  app.use(paymentMiddlewareFromHTTPServer(paid, undefined, undefined, false))
  app.get('/tokens', (_request, response) => {
    if (charge === null) return void response.status(500).json({ error: 'out of tokens' })
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
async function buy(charge: string | null) {
  const { chain } = all
  const [payer, payee] = [await signerOf(newSecretKey()), await signerOf(newSecretKey())]
  await chain.mintTo(payer.address, 1_000_000n)
  await chain.openAccount(payee.address)
  const merchant = await startMeter(payee.address, charge)
  const client = x402Client.fromConfig({
    schemes: [{ network: 'solana:*', client: new UptoClient(payer, { rpcUrl: chain.url }) }],
    spendControls: false,
  })
  try {
    const response = await wrapFetchWithPayment(fetch, client)(merchant.url)
    const header = response.headers.get('payment-response')
    return {
      status: response.status,
      body: await response.json(),
      receipt: header ? decodePaymentResponseHeader(header) : undefined,
      payer: payer.address,
      held: [await chain.tokens(payer.address), await chain.tokens(payee.address)],
    }
  } finally {
    await merchant.stop()
  }
}

describe('unmodified official clients and servers pay by upto on Solana', () => {
  test.each([
    ['the part that the handler names', '700', 700n],
    ['a share of the maximum', '12.5%', 12_500n],
    ['the maximum', String(MAXIMUM), MAXIMUM],
    ['nothing', '0', 0n],
  ])('%s', async (_, charge, moved) => {
    const paid = await buy(charge)
    expect(paid).toMatchObject({
      status: 200,
      body: { tokens: 7 },
      receipt: { success: true, network: all.chain.network, payer: paid.payer, amount: String(moved) },
      held: [1_000_000n - moved, moved],
    })
  })

  test('get all back when the handler fails', async () => {
    const paid = await buy(null)
    expect(paid).toMatchObject({ status: 500, held: [1_000_000n, 0n] })
  })
})
