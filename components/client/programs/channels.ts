import type { Sale } from './merchants'

/** A server that sells through channels, which the service keeps. */
export function channelProgram({ network, payTo }: Sale): string {
  return `import { HTTPFacilitatorClient } from '@x402/core/server'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/server'
import {
  paymentMiddleware,
  setSettlementOverrides,
  x402ResourceServer,
} from '@x402/express'
import express from 'express'
import { QuittanceChannels } from '@quittance/x402'

const url = process.env.FACILITATOR_URL
const network = '${network}'
const payTo = '${payTo}'

const storage = new QuittanceChannels({ url, network })
const payments = new x402ResourceServer(new HTTPFacilitatorClient({ url }))
  .register(network, new BatchSettlementEvmScheme(payTo, { storage }))

const prices = {
  'GET /stream': {
    // The highest price of one request.
    accepts: { scheme: 'batch-settlement', price: '$0.001', network, payTo },
    description: 'A part of a stream',
  },
}

const app = express()
app.use(paymentMiddleware(prices, payments))
app.get('/stream', (_req, res) => {
  // Atomic units: a ten-thousandth of a dollar.
  setSettlementOverrides(res, { amount: '100' })
  res.json({ part: 1 })
})

const port = process.env.PORT ?? 8402
app.listen(port, (error) => {
  if (error) throw error
  console.log('Selling /stream on port ' + port)
})`
}

/** Runs that server with a key. */
export const channelCommand = ({ url }: Sale): string => `FACILITATOR_URL=${keyed(url)} node stream.mjs`

const keyed = (url: string) => url.replace(/\/sandbox$/, '/v1/<API_KEY>')

/** A payer with the official client that buys ten answers through a channel, and takes the rest back. */
export function channelPayerProgram(url: string): string {
  return `// npm install @x402/evm @x402/fetch viem
// PRIVATE_KEY=0x… node pay-by-channel.mjs
import { toClientEvmSigner } from '@x402/evm'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'

const account = privateKeyToAccount(process.env.PRIVATE_KEY)
// A node tells what a channel holds that was opened before.
const node = createPublicClient({ chain: baseSepolia, transport: http() })
const channels = new BatchSettlementEvmScheme(toClientEvmSigner(account, node))
const client = new x402Client().register('eip155:*', channels)
const pay = wrapFetchWithPayment(fetch, client)

for (let part = 1; part <= 10; part++) {
  const response = await pay('${url}')
  console.log(response.status, await response.json())
}
console.log(await channels.refund('${url}'))`
}
