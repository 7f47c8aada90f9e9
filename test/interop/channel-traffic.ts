import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { BatchSettlementEvmScheme as BatchClient } from '@x402/evm/batch-settlement/client'
import { BatchSettlementEvmScheme, type ChannelStorage } from '@x402/evm/batch-settlement/server'
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
import type { Chain } from '../../devnet/chain'
import { keyOn } from '../../devnet/payer'
import { RecoveringFacilitatorClient } from '../../packages/quittance/src/recovering'
import { memoryStore } from '../../packages/quittance/src/stores/memory'
import type { App } from '../../server/app'
import type { Unaddressed } from '../../server/http/endpoint'
import { deleteChannel, getChannel, listChannels, putChannel } from '../../server/payments/channels/endpoints'
import { getSupported, settle, verify } from '../../server/payments/endpoints'
import { newPermit2Payer } from '../support/permit2/permit2'
import { documented } from '../support/service/documented'

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
export async function startStream(chain: Chain, facilitatorUrl: string, receiver: Address, options: StreamOptions = {}) {
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

/** A payer with the official client, which keeps its channels in memory. */
export async function newBuyer(chain: Chain, sending: typeof fetch = fetch) {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await newPermit2Payer(chain, 1_000_000n, privateKeyToAccount(key))
  const scheme = new BatchClient(keyOn(chain.client, key))
  const client = x402Client.fromConfig({ schemes: [{ network: 'eip155:*', client: scheme }], spendControls: false })
  const pay = wrapFetchWithPayment((input, init) => sending(input, init), client)
  return {
    address,
    scheme,
    async buy(url: string) {
      const response = await pay(url)
      const header = response.headers.get('payment-response')
      return {
        status: response.status,
        body: await response.json(),
        receipt: header ? decodePaymentResponseHeader(header) : undefined,
      }
    },
  }
}

/** The channel in a receipt. */
export const channelIn = (receipt: unknown): Hex => Object(Object(receipt).extra).channelState.channelId

/** What becomes of a request: served, lost with nothing done, or done and its answer lost. */
type Fate = 'served' | 'lost' | 'answer lost'

/** The service's routes below API keys over HTTP. `asked` has each request's method and last words. */
export async function serveKeys(app: App) {
  const asked: string[] = []
  let fateOf: (method: string, path: string) => Fate = () => 'served'
  const endpoints = new Map<string, Unaddressed>([
    ['POST verify', verify.v1],
    ['POST settle', settle.v1],
    ['GET supported', getSupported.v1],
    ['GET channels', listChannels],
    ['GET channel', getChannel],
    ['PUT channel', putChannel],
    ['DELETE channel', deleteChannel],
  ])
  const served = await listen(async (incoming, outgoing) => {
    const { method = '', headers } = incoming
    const url = new URL(incoming.url ?? '/', 'http://quittance.test')
    const [, , key = '', what = '', network = '', id] = url.pathname.split('/').map(decodeURIComponent)
    const name = what === 'channels' && id !== undefined ? 'channel' : what
    const pieces: Uint8Array[] = []
    for await (const piece of incoming) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const type = method === 'POST' ? ` ${Object(JSON.parse(body.toString())).paymentPayload?.payload?.type}` : ''
    asked.push(`${method} ${name}${type}`)
    const fate = fateOf(method, name)
    const declared = endpoints.get(`${method} ${name}`)
    if (fate === 'lost' || !declared) return void incoming.socket.destroy()
    const sent = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    const request = new Request(url, {
      method,
      headers: [...sent, ['x-quittance-client-ip', '10.8.8.8']],
      ...(body.length > 0 ? { body } : {}),
    })
    const params = what !== 'channels' ? { key } : id === undefined ? { key, network } : { key, network, id }
    const response = await declared.handle(app, request, params)
    const text = await response.text()
    const address = what !== 'channels' ? what : id === undefined ? 'channels/:network' : 'channels/:network/:id'
    documented(`${method} /v1/:key/${address}`, { status: response.status, headers: response.headers, body: JSON.parse(text) })
    if (fate === 'answer lost') return void incoming.socket.destroy()
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(text)
  })
  return {
    ...served,
    asked,
    /** Decides what becomes of each request from now on. */
    faulty(fate: typeof fateOf) {
      fateOf = fate
    },
  }
}
