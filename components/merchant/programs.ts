import { merchantProgram, settleCommands, settleScript } from '@/server/http/guide/snippets'

/** What is filled into a program: the facilitator URL with the key, and where the money goes. */
export type Filling = { url: string; payTo: string; network: string }

const filled = (program: string, { payTo }: Filling) =>
  program.replaceAll('0xYourAddress', payTo).replaceAll('0x209693Bc6afc0C5328bA36FaF03C514EF312287C', payTo)

const hono = ({ url, payTo, network }: Filling) => `// npm install hono @hono/node-server @x402/core @x402/evm @x402/hono
import { serve } from '@hono/node-server'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'

const facilitator = new HTTPFacilitatorClient({ url: '${url}' })
const payments = new x402ResourceServer(facilitator).register('${network}', new ExactEvmScheme())

const prices = {
  'GET /weather': {
    accepts: { scheme: 'exact', price: '$0.001', network: '${network}', payTo: '${payTo}' },
    description: 'The weather, for a tenth of a cent',
  },
}

const app = new Hono()
app.use(paymentMiddleware(prices, payments))
app.get('/weather', (context) => context.json({ weather: 'sunny' }))
serve({ fetch: app.fetch, port: 4022 })`

const next = ({ url, payTo, network }: Filling) => `// npm install @x402/core @x402/evm @x402/next
// proxy.ts, beside app/
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentProxy, x402ResourceServer } from '@x402/next'

const facilitator = new HTTPFacilitatorClient({ url: '${url}' })
const payments = new x402ResourceServer(facilitator).register('${network}', new ExactEvmScheme())

export const proxy = paymentProxy(
  {
    '/weather': {
      accepts: { scheme: 'exact', price: '$0.001', network: '${network}', payTo: '${payTo}' },
      description: 'The weather, for a tenth of a cent',
    },
  },
  payments,
)

export const config = { matcher: ['/weather'] }`

/** The ways to charge for a route, each as a whole program. */
export const programs = [
  { name: 'Express', text: (with_: Filling) => filled(merchantProgram(with_.url, with_.network), with_) },
  { name: 'Hono', text: hono },
  { name: 'Next.js', text: next },
  { name: 'Python', text: (with_: Filling) => filled(settleScript(with_.url), with_).replaceAll('eip155:84532', with_.network) },
  { name: 'curl', text: (with_: Filling) => filled(settleCommands(with_.url), with_).replaceAll('eip155:84532', with_.network) },
] as const
