import type { AddressInfo } from 'node:net'
import { type FacilitatorClient, HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'
import { evmAuthorizations } from '../src/evm-authorizations'
import { FailoverFacilitatorClient } from '../src/failover'
import { type NamedFacilitator, RecoveringFacilitatorClient } from '../src/recovering'
import { fileStore } from '../src/stores/file'
import type { ServedStore } from '../src/stores/store'
import type { MerchantSettings, Step } from './settings'

const network = 'eip155:84532'
const settings: MerchantSettings = JSON.parse(process.env.MERCHANT ?? '{}')

function die(step: Step): void {
  if (settings.killAt === step) process.kill(process.pid, 'SIGKILL')
}

/** The official client of one of the facilitators, which kills the process around its requests. */
function mortal(url: string, at: number): NamedFacilitator {
  const { killAtFacilitator = at } = settings
  const dieHere = (step: Step) => (killAtFacilitator === at ? die(step) : undefined)
  const client = new HTTPFacilitatorClient({ url, timeoutMs: settings.timeoutMs ?? 30_000 })
  return {
    url,
    getSupported: () => client.getSupported(),
    async verify(payload, requirements) {
      dieHere('verify')
      const answer = await client.verify(payload, requirements)
      dieHere('verified')
      return answer
    },
    async settle(payload, requirements) {
      dieHere('settle')
      // Long enough for the request to arrive, too short for the answer: that takes a block.
      setTimeout(() => dieHere('sent'), 60)
      const answer = await client.settle(payload, requirements)
      dieHere('settled')
      return answer
    },
  }
}

/** The store, which kills the process once it has the mark of an answer. */
function mortalStore(store: ServedStore): ServedStore {
  return {
    ...store,
    async replace(key, before, after) {
      const replaced = await store.replace(key, before, after)
      if (!key.startsWith('sent ')) die('marked')
      return replaced
    },
  }
}

function clientOf({
  facilitators,
  client,
  node,
  store,
  answerWithinMs = 300,
  waitMs = 20_000,
}: MerchantSettings): FacilitatorClient {
  const [first, ...others] = facilitators
  if (client === 'plain') return mortal(first, 0)
  const options = { store: mortalStore(fileStore(store)), answerWithinMs, waitMs }
  if (client === 'recovering') return new RecoveringFacilitatorClient(mortal(first, 0), options)
  const authorizations = evmAuthorizations({ [network]: node })
  return new FailoverFacilitatorClient([mortal(first, 0), ...others.map((url, at) => mortal(url, at + 1))], {
    ...options,
    authorizations,
  })
}

const payments = new x402ResourceServer(clientOf(settings)).register(network, new ExactEvmScheme())
const app = express()
const accepts = { scheme: 'exact', network, price: '$0.001', payTo: settings.payTo } as const
app.use(paymentMiddleware({ 'GET /weather': { accepts } }, payments))
app.get('/weather', (_request, response) => {
  die('handler')
  response.json({ weather: 'sunny' })
})
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`port ${port}`)
})
