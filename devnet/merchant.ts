import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddlewareFromHTTPServer, x402HTTPResourceServer, x402ResourceServer } from '@x402/express'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import express from 'express'
import type { Address } from 'viem'
import { type ChainId, networks } from './networks'
import { type PlaygroundOptions, playground } from './playground'
import { type ClusterName, clusters } from './solana/clusters'

export type MerchantOptions = {
  facilitatorUrl: string
  payTo: Address
  /** The owner of the account to be paid on; a merchant without one sells nothing on Solana. */
  solanaPayTo?: string | undefined
  port?: number | undefined
  /** Sells everything on this one; absent: each route on the network of the menu. */
  network?: Network
  /** With it the home page's playground can buy here, and has its faucet. */
  give?: PlaygroundOptions['give']
}
export type Merchant = { url: string; port: number; stop: () => Promise<void> }

type Network = (typeof networks)[ChainId]['id'] | (typeof clusters)[ClusterName]['network']
type Dish = { path: string; network: Network; price: string; about: string; answer: object }

const menu: Dish[] = [
  {
    ...{ path: '/weather', network: networks[84532].id, price: '$0.001', about: "Today's weather" },
    answer: { city: 'Lisbon', celsius: 21, sky: 'clear' },
  },
  {
    ...{ path: '/quote', network: networks[84532].id, price: '$0.01', about: 'A sentence to keep' },
    answer: { quote: 'Trust, but verify; then settle.' },
  },
  {
    ...{ path: '/report', network: networks[8453].id, price: '$0.05', about: 'A report worth more' },
    answer: { title: 'On small payments', pages: 12 },
  },
  {
    ...{ path: '/almanac', network: clusters.mainnet.network, price: '$0.02', about: 'Tides and moons of a year' },
    answer: { year: 2027, moons: 13, tides: 'twice a day' },
  },
]

/** A merchant as anybody would write one: express, the official middleware, and the address of a facilitator. */
export async function startMerchant({ facilitatorUrl, port = 0, network, give, ...places }: MerchantOptions): Promise<Merchant> {
  const wished = network ? menu.map((dish) => ({ ...dish, network })) : menu
  const dishes = wished.flatMap((dish) => {
    const payTo = isSolana(dish.network) ? places.solanaPayTo : places.payTo
    return payTo === undefined ? [] : [{ ...dish, payTo }]
  })
  const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl }))
  for (const used of new Set(dishes.map((dish) => dish.network))) {
    resources.register(used, isSolana(used) ? new ExactSvmScheme() : new ExactEvmScheme())
  }
  const paid = new x402HTTPResourceServer(resources, paidRoutes(dishes))
  // Asked before the first request: left to itself the middleware ends the process when the facilitator does not suit it.
  await paid.initialize()

  const app = express()
  if (give) app.use(playground({ give }))
  app.get('/', (_request, response) => {
    response.json({ free: ['/'], paid: dishes.map(({ answer: _, payTo: __, ...shown }) => shown) })
  })
  app.use(paymentMiddlewareFromHTTPServer(paid, undefined, undefined, false))
  for (const { path, answer } of dishes) {
    app.get(path, (_request, response) => {
      response.json(answer)
    })
  }
  app.use((_request, response) => {
    response.status(404).json({ error: 'Not on the menu: see /' })
  })
  const server = app.listen(port)
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://localhost:${bound}`,
    port: bound,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const isSolana = (network: Network): boolean => network.startsWith('solana:')

function paidRoutes(dishes: (Dish & { payTo: string })[]) {
  const route = ({ path, network, price, about, answer, payTo }: Dish & { payTo: string }) => [
    `GET ${path}`,
    {
      accepts: { scheme: 'exact', network, price, payTo } as const,
      description: about,
      mimeType: 'application/json',
      extensions: { bazaar: discoverable(answer) },
    },
  ]
  return Object.fromEntries(dishes.map(route))
}

// What a facilitator's catalog learns of a route: how to call it and what comes back.
function discoverable(example: object) {
  const input = {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'http' },
      method: { type: 'string', enum: ['GET', 'HEAD', 'DELETE'] },
      queryParams: { type: 'object', properties: {} },
    },
    required: ['type', 'method'],
    additionalProperties: false,
  }
  const output = { type: 'object', properties: { type: { type: 'string' }, example: { type: 'object' } }, required: ['type'] }
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  return {
    info: { input: { type: 'http', queryParams: {} }, output: { type: 'json', example } },
    schema: { $schema, type: 'object', properties: { input, output }, required: ['input'] },
  }
}
