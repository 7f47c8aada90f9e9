import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { BatchSettlementEvmScheme, type ChannelStorage } from '@x402/evm/batch-settlement/server'
import {
  paymentMiddlewareFromHTTPServer,
  setSettlementOverrides,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/express'
import express from 'express'
import type { Address } from 'viem'
import type { Chain } from '../../devnet/chain'
import { RecoveringFacilitatorClient } from '../../packages/quittance/src/recovering'
import { memoryStore } from '../../packages/quittance/src/stores/memory'

export const NETWORK = 'eip155:84532'
export const PRICE = 1_000n

/** Something that listens. */
type Listening = { url: string; stop: () => Promise<void> }

/** Serves on any free port. */
export async function listen(handler: Parameters<typeof createServer>[1]): Promise<Listening> {
  const server = createServer(handler ?? (() => {})).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** What of a merchant's server differs from the usual one. */
type StreamOptions = {
  method?: 'permit2'
  storage?: ChannelStorage
  /** How long a request may take, in seconds. */
  maxTimeoutSeconds?: number
}

/**
 * A merchant with the official middleware that sells a stream through channels, at most `PRICE` a request. `?charge=10` says what an answer
 * costs, `?working=300` how many milliseconds it takes, or `for ever`. The body has `answers`: how many it has given.
 */
export async function startStream(
  chain: Pick<Chain, 'usdc'>,
  facilitatorUrl: string,
  receiver: Address,
  options: StreamOptions = {},
) {
  const { method, storage, maxTimeoutSeconds } = options
  const official = new HTTPFacilitatorClient({ url: facilitatorUrl })
  // A merchant that keeps channels with our package has its other client too.
  const facilitator = storage ? new RecoveringFacilitatorClient(official, { store: memoryStore() }) : official
  const scheme = new BatchSettlementEvmScheme(receiver, storage ? { storage } : {})
  const resources = new x402ResourceServer(facilitator).register(NETWORK, scheme)
  const extra = { name: 'USDC', version: '2', ...(method ? { assetTransferMethod: method } : {}) }
  const price = { amount: String(PRICE), asset: chain.usdc, extra }
  const terms = { scheme: 'batch-settlement', network: NETWORK, price, payTo: receiver } as const
  const accepts = { ...terms, ...(maxTimeoutSeconds === undefined ? {} : { maxTimeoutSeconds }) }
  const paid = new x402HTTPResourceServer(resources, { 'GET /stream': { accepts, description: 'A stream' } })
  await paid.initialize()
  const app = express()
  app.use(paymentMiddlewareFromHTTPServer(paid, undefined, undefined, false))
  let answers = 0
  app.get('/stream', async ({ query }, response) => {
    await (query.working === 'for ever' ? new Promise(() => {}) : delay(Number(query.working ?? 0)))
    answers++
    setSettlementOverrides(response, { amount: String(query.charge ?? PRICE) })
    response.json({ answer: 7, answers })
  })
  const { url, stop } = await listen(app)
  const manager = scheme.createChannelManager(facilitator, NETWORK, chain.usdc)
  return {
    url: `${url}/stream`,
    stop,
    manager,
  }
}
