import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  /** Runs before an answer. */
  working?: () => Promise<void>
}

/** A merchant with the official middleware that sells a stream through channels, at most `PRICE` a request. */
export async function startStream(
  chain: Pick<Chain, 'usdc'>,
  facilitatorUrl: string,
  receiver: Address,
  options: StreamOptions = {},
) {
  const { method, storage, maxTimeoutSeconds, working } = options
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl })
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
  let charge = String(PRICE)
  let answers = 0
  app.get('/stream', async (_request, response) => {
    const charged = charge
    await working?.()
    answers++
    setSettlementOverrides(response, { amount: charged })
    response.json({ answer: 7 })
  })
  const { url, stop } = await listen(app)
  const manager = scheme.createChannelManager(facilitator, NETWORK, chain.usdc)
  return {
    url: `${url}/stream`,
    stop,
    manager,
    /** How often its handler ran to its end. */
    answers: () => answers,
    charging(amount: bigint) {
      charge = String(amount)
    },
  }
}
