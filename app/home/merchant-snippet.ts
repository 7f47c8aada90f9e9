/** A whole merchant server that is paid through this facilitator's sandbox, with the official middleware. */
export function merchantSnippet(baseUrl: string): string {
  return `// npm install express @x402/core @x402/evm @x402/express
import express from 'express'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'

const facilitator = new HTTPFacilitatorClient({ url: '${baseUrl}/sandbox' })
const payments = new x402ResourceServer(facilitator).register('eip155:84532', new ExactEvmScheme())

const prices = {
  'GET /weather': {
    accepts: { scheme: 'exact', price: '$0.001', network: 'eip155:84532', payTo: '0xYourAddress' },
    description: 'The weather, for a tenth of a cent',
  },
}

const app = express()
app.use(paymentMiddleware(prices, payments))
app.get('/weather', (_req, res) => res.json({ weather: 'sunny' }))
app.listen(4022)`
}
