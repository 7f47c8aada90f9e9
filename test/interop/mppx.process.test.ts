import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { Hono } from 'hono'
import * as mppxExpress from 'mppx/express'
import * as mppxHono from 'mppx/hono'
import { SettleResponseSchema } from 'mppx/x402'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { networks } from '../../devnet/networks'
import { createPayer } from '../../devnet/payer'
import { fixture } from '../support/fixture'
import { requirements, signed, v2Body } from '../support/payloads/payments'
import { newAddress } from '../support/service/purchases'
import { startTwoNetworks, wallet } from './official-clients'

const all = fixture(startTwoNetworks)

const { usdc } = networks[84532]
type Charges = { facilitatorUrl: string; payTo: Address }

/** What every merchant with mppx writes: the token, the recipient and the facilitator. */
const charging = ({ facilitatorUrl, payTo }: Charges) => ({
  methods: [
    mppxExpress.evm.charge({
      currency: usdc,
      chainId: 84532,
      decimals: 6,
      recipient: payTo,
      authorization: { name: 'USDC', version: '2' },
      x402: { facilitator: facilitatorUrl },
    }),
  ] as const,
  secretKey: 'the secret of a merchant in tests',
})
const SOLD = { city: 'Lisbon' }

const merchants = {
  Express(charges: Charges) {
    const app = express()
    const mppx = mppxExpress.Mppx.create(charging(charges))
    app.get('/weather', mppx.charge({ amount: '0.001' }), (_request, response) => void response.json(SOLD))
    return createServer(app)
  },
  Hono(charges: Charges) {
    const app = new Hono()
    const mppx = mppxHono.Mppx.create(charging(charges))
    app.get('/weather', mppx.charge({ amount: '0.001' }), (context) => context.json(SOLD))
    return createServer(getRequestListener(app.fetch))
  },
}

/** Runs the merchant while the official client buys once. */
async function buy(server: Server, key: `0x${string}`) {
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return createPayer(key)
    .pay(`http://localhost:${port}/weather`)
    .finally(() => {
      server.close()
      server.closeAllConnections()
    })
}

const wrongKey = () => `${all.service.url}/v1/qt_${'0'.repeat(43)}`
const noKey = () => `${all.service.url}/v1`

describe.each(['Express', 'Hono'] as const)('a merchant of mppx with %s', (framework) => {
  test('reads the answer of a landed payment, and delivers', async () => {
    const { chain, id } = all.networks.sepolia
    const [key, payTo] = [await wallet(chain), newAddress()]
    const { url: facilitatorUrl } = await all.tenant()
    const paid = await buy(merchants[framework]({ facilitatorUrl, payTo }), key)
    expect(paid).toMatchObject({ status: 200, body: SOLD, receipt: { success: true, network: id } })
    expect(await chain.tokens(payTo)).toBe(1_000n)
  })

  test('reads why a payment failed', async () => {
    const { url: facilitatorUrl } = await all.tenant()
    const paid = await buy(merchants[framework]({ facilitatorUrl, payTo: newAddress() }), generatePrivateKey())
    expect([paid.status, paid.problem]).toEqual([402, expect.stringContaining('balance is lower than the amount')])
  })

  test('reads why it was refused', async () => {
    const { chain } = all.networks.sepolia
    const paid = await buy(merchants[framework]({ facilitatorUrl: wrongKey(), payTo: newAddress() }), await wallet(chain))
    expect([paid.status, paid.problem]).toEqual([402, expect.stringContaining('the API key in the path is missing or not valid')])
  })
})

const bases: Record<string, () => string> = { 'a wrong key': wrongKey, 'no key': noKey }

test.each<[number, string, object]>([
  [401, 'a wrong key', {}],
  [401, 'no key', {}],
  [400, 'a field of another form', { amount: 'much' }],
  [400, 'a missing field', { payTo: undefined }],
  [403, 'a network that is not served', { network: 'eip155:999' }],
])('the reader of mppx takes a refusal of settle: %i for %s', async (status, what, changed) => {
  const paymentRequirements = { ...requirements(), ...changed }
  const url = bases[what]?.() ?? (await all.tenant()).url
  const body = JSON.stringify({ ...v2Body(await signed(privateKeyToAccount(generatePrivateKey()))), paymentRequirements })
  const response = await fetch(`${url}/settle`, { method: 'POST', body })
  expect(response.status).toBe(status)
  const { network } = paymentRequirements
  expect(SettleResponseSchema.parse(await response.json())).toMatchObject({ success: false, network })
})
