import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import {
  paymentMiddlewareFromHTTPServer,
  setSettlementOverrides,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/express'
import { declareEip2612GasSponsoringExtension } from '@x402/extensions'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import express from 'express'
import type { Address } from 'viem'
import { QuittanceChannels } from '../packages/quittance/src/channels'
import { networks } from './networks'
import { type PlaygroundOptions, playground } from './playground'
import { type ClusterName, clusters } from './solana/clusters'

export type MerchantOptions = {
  facilitatorUrl: string
  payTo: Address
  /** The owner of the Solana token account that is paid. If unset, the merchant sells nothing on Solana. */
  solanaPayTo?: string | undefined
  port?: number | undefined
  /** If set, every route sells on this network. */
  network?: Network | undefined
  /** If set, every route costs this; an amount of a token where the official package knows none. */
  price?: Price | undefined
  /** If set, the home page's playground can buy here and has a faucet. */
  give?: PlaygroundOptions['give']
  /** Extensions of x402 that every route declares besides its own. */
  extensions?: Record<string, unknown>
  /** What its requirements carry besides, such as a `paymentFlow`. */
  extra?: Record<string, unknown>
  wallets?: PlaygroundOptions['wallets']
  /** If set, it also sells through channels, which the facilitator keeps: its URL has an API key then. */
  channels?: boolean
}
export type Merchant = { url: string; port: number; stop: () => Promise<void> }

type Price = string | { amount: string; asset: string; extra?: Record<string, unknown> }
type Network = `eip155:${number}` | (typeof clusters)[ClusterName]['network']
type Product = {
  path: string
  network: Network
  price: Price
  about: string
  answer: object
  /** If set, the price is a maximum, of which each answer charges what it used. It gets how many were sold before. */
  meter?: (sold: number) => { charge: bigint; answer: object }
  /** Extensions of x402 that it declares. */
  extensions?: Record<string, unknown>
  /** If set, it is sold through channels. */
  byChannel?: true
}

/** The route that is sold through channels, a price of which each answer charges a part. */
export const STREAM = '/stream'

/** An answer of a stream, for two to nine thousandths of a cent. */
function part(sold: number): { charge: bigint; answer: object } {
  return { charge: 20n + BigInt((sold * 7) % 8) * 10n, answer: { part: sold + 1 } }
}

/** Text by the token, for a thousandth of a cent each: 100 to 1,999 in an answer. */
function tokens(sold: number): { charge: bigint; answer: object } {
  // It looks random and is the same in every run.
  const used = 100 + (createHash('sha256').update(String(sold)).digest().readUInt16BE(0) % 1_900)
  return { charge: BigInt(used) * 10n, answer: { text: 'Trust, but meter.', tokens: used } }
}

const products: Product[] = [
  {
    path: '/weather',
    network: networks[84532].id,
    price: '$0.001',
    about: "Today's weather",
    answer: { city: 'Lisbon', celsius: 21, sky: 'clear' },
  },
  {
    path: '/quote',
    network: networks[84532].id,
    price: '$0.01',
    about: 'A sentence to keep',
    answer: { quote: 'Trust, but verify; then settle.' },
  },
  {
    path: '/report',
    network: networks[8453].id,
    price: '$0.05',
    about: 'A report worth more',
    answer: { title: 'On small payments', pages: 12 },
  },
  {
    path: '/almanac',
    network: clusters.mainnet.network,
    price: '$0.02',
    about: 'Tides and moons of a year',
    answer: { year: 2027, moons: 13, tides: 'twice a day' },
  },
  {
    path: '/archive',
    network: networks[84532].id,
    about: 'Old weather, paid by Permit2',
    price: {
      amount: '3000',
      asset: networks[84532].usdc,
      extra: { name: 'USDC', version: '2', assetTransferMethod: 'permit2' },
    },
    // A payer that has not approved Permit2 signs a permit of the token: it needs no gas.
    extensions: declareEip2612GasSponsoringExtension(),
    answer: { city: 'Lisbon', year: 1999, sky: 'clear' },
  },
  {
    path: '/tokens',
    network: networks[84532].id,
    about: 'Text by the token, at most two cents',
    price: { amount: '20000', asset: networks[84532].usdc, extra: { name: 'USDC', version: '2' } },
    extensions: declareEip2612GasSponsoringExtension(),
    meter: tokens,
    answer: tokens(0).answer,
  },
  {
    path: STREAM,
    network: networks[84532].id,
    about: 'A stream, at most a hundredth of a cent an answer',
    // A hundred answers by one deposit.
    price: { amount: '100', asset: networks[84532].usdc, extra: { name: 'USDC', version: '2', minDeposit: '10000' } },
    meter: part,
    byChannel: true,
    answer: part(0).answer,
  },
  {
    path: '/chart',
    network: networks[84532].id,
    price: '$0.004',
    about: 'A chart of the coast',
    answer: { coast: 'Algarve', scale: '1:50,000' },
  },
]

/** Starts a merchant as any merchant would write it: express, the official middleware and a facilitator URL. */
export async function startMerchant({
  facilitatorUrl,
  port = 0,
  network,
  price,
  give,
  wallets,
  extra,
  extensions,
  channels = false,
  ...payees
}: MerchantOptions): Promise<Merchant> {
  const changes = { ...(network ? { network } : {}), ...(price ? { price } : {}) }
  // An amount of a token is one of its network.
  const isPriced = ({ price, byChannel, ...on }: Product) => typeof price === 'string' || (byChannel && on.network === network)
  const priced = network ? products.filter(isPriced) : products
  const sold = priced.filter(({ byChannel }) => channels || !byChannel)
  const wanted = sold.map((product) => ({ ...product, ...changes, extensions: { ...product.extensions, ...extensions } }))
  const offered = wanted.flatMap((product) => {
    const payTo = isSolana(product.network) ? payees.solanaPayTo : payees.payTo
    return payTo === undefined ? [] : [{ ...product, payTo }]
  })
  const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl }))
  for (const used of new Set(offered.map((product) => product.network))) {
    resources.register(used, isSolana(used) ? new ExactSvmScheme() : new ExactEvmScheme())
  }
  for (const used of new Set(offered.flatMap(({ network, meter, byChannel }) => (meter && !byChannel ? [network] : [])))) {
    resources.register(used, new UptoEvmScheme())
  }
  for (const used of new Set(offered.flatMap(({ network, byChannel }) => (byChannel ? [network] : [])))) {
    const storage = new QuittanceChannels({ url: facilitatorUrl, network: used })
    resources.register(used, new BatchSettlementEvmScheme(payees.payTo, { storage }))
  }
  const paid = new x402HTTPResourceServer(resources, paidRoutes(offered, extra))
  // Without this call the middleware ends the process when the facilitator does not support a route.
  await paid.initialize()

  const app = express()
  if (give) app.use(playground({ give, wallets }))
  app.get('/', (_request, response) => {
    response.json({
      free: ['/'],
      paid: offered.map(({ answer: _, payTo: __, extensions: ___, meter: ____, byChannel: _____, ...shown }) => shown),
    })
  })
  app.use(paymentMiddlewareFromHTTPServer(paid, undefined, undefined, false))
  for (const { path, answer, meter } of offered) {
    let sold = 0
    app.get(path, (_request, response) => {
      const metered = meter?.(sold++)
      if (metered) setSettlementOverrides(response, { amount: String(metered.charge) })
      response.json(metered?.answer ?? answer)
    })
  }
  app.use((_request, response) => {
    response.status(404).json({ error: 'Not sold here: see /' })
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

function paidRoutes(offered: (Product & { payTo: string })[], extra: Record<string, unknown> = {}) {
  const route = ({ path, network, price, about, answer, payTo, extensions, meter, byChannel }: Product & { payTo: string }) => [
    `GET ${path}`,
    {
      accepts: { scheme: byChannel ? 'batch-settlement' : meter ? 'upto' : 'exact', network, price, payTo, extra } as const,
      description: about,
      mimeType: 'application/json',
      extensions: { bazaar: discoverable(answer), ...extensions },
    },
  ]
  return Object.fromEntries(offered.map(route))
}

// For the facilitator's catalog: how to call the route and what it returns.
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

export type Operator = { baseUrl: string; adminKey: string }

/** The sample merchant's API key: the kept one while the service accepts it, else a new one. */
export async function merchantKey(operator: Operator, kept: string | undefined): Promise<string> {
  return kept !== undefined && (await opens(operator.baseUrl, kept)) ? kept : await makeTenant(operator)
}

async function opens(baseUrl: string, key: string): Promise<boolean> {
  const { status } = await fetch(`${baseUrl}/v1/${key}/supported`)
  if (status === 200) return true
  if (status === 401) return false
  throw new Error(`The service answered ${status} when the sample merchant's key was tried.`)
}

async function makeTenant({ baseUrl, adminKey }: Operator): Promise<string> {
  const response = await fetch(`${baseUrl}/admin/tenants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ owner_id: 'sample-merchant', plan: 'growth', name: 'Sample merchant' }),
  })
  const tenant: unknown = await response.json()
  const key: unknown = typeof tenant === 'object' && tenant !== null ? Reflect.get(tenant, 'api_key') : undefined
  if (response.status === 201 && typeof key === 'string') return key
  throw new Error(`The service made no API key for the sample merchant: status ${response.status}.`)
}
