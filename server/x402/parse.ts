import type { z } from 'zod'
import { decodeBase64 } from './encodings'
import { malformed, parseJson } from './json'
import { isEvmNetwork, type NetworkId, readNetwork } from './networks/networks'
import { addressOf, amountOf, assetOf, check, networkOf } from './parse-terms'
import type { Declared, Payment, Transfer } from './payment'
import { type ChannelRequest, readChannelPayload } from './schemes/batch-settlement/requests'
import { BATCH_SETTLEMENT } from './schemes/batch-settlement/scheme'
import { hex } from './schemes/hex'
import type { SchemeRow } from './schemes/scheme-row'
import { schemeOn } from './schemes/schemes'
import { type WirePayload, type WireRequirements, wireBody, wirePayload, wireRequirements } from './wire'

/**
 * Reads one payment from a verify or settle body in any form: v1, v2 or a mixture, payload as object or base64. Throws `bad_request`
 * with the field, or `forbidden` for a network that exists but is not served.
 */
export function parsePayment(body: unknown): Payment {
  return paymentOf(opened(body))
}

/** As `parsePayment`, or a request about channels that is no payment (schemes/batch-settlement/requests.ts). */
export function parseRequest(body: unknown): { payment: Payment } | { channel: ChannelRequest } {
  const parts = opened(body)
  const channel = channelRequestOf(parts)
  return channel ? { channel } : { payment: paymentOf(parts) }
}

type Opened = { outer: z.output<typeof wireBody>; payload: WirePayload; requirements: WireRequirements }

function opened(body: unknown): Opened {
  const outer = check(wireBody, body, 'body')
  return {
    outer,
    payload: check(wirePayload, payloadOf(outer), 'paymentPayload'),
    requirements: check(wireRequirements, outer.paymentRequirements, 'paymentRequirements'),
  }
}

function channelRequestOf({ payload, requirements }: Opened): ChannelRequest | null {
  if (requirements.scheme !== BATCH_SETTLEMENT || (payload.accepted?.scheme ?? payload.scheme) !== BATCH_SETTLEMENT) return null
  const network = networkOf(requirements.network)
  const read = isEvmNetwork(network) ? readChannelPayload(payload.payload) : null
  if (!read || !isEvmNetwork(network)) return null
  return {
    claimed: claimOf(payload),
    scheme: requirements.scheme,
    network,
    spelling: requirements.network,
    asset: hex(assetOf(network, requirements.asset)),
    payTo: hex(addressOf(network, requirements.payTo, 'payTo')),
    extra: requirements.extra ?? undefined,
    payload: read,
  }
}

function paymentOf({ outer, payload, requirements }: Opened): Payment {
  const x402Version = versionOf(payload, outer.x402Version)
  const network = networkOf(requirements.network)
  const asked = amountOf(requirements)
  const claimed = claimOf(payload)
  const row = claimed.scheme === requirements.scheme ? schemeOn(network, requirements.scheme) : null
  const transfer = transferOf(payload, row, { network, extra: requirements.extra })
  const asset = assetOf(network, requirements.asset)
  return {
    x402Version,
    scheme: requirements.scheme,
    claimed,
    network,
    spelling: requirements.network,
    ...moneyOf(transfer, asked),
    asset,
    payTo: addressOf(network, requirements.payTo, 'payTo'),
    resource: requirements.resource || payload.resource?.url || '',
    domain: domainOf(requirements.extra),
    transfer,
    declared: { ...declaredOf(payload, requirements), ...priceIn(transfer, payload.accepted?.amount ?? asked) },
  }
}

/** The terms of requirements without a payment. Throws as `parsePayment` does. */
export function parseTerms(value: unknown): Terms {
  const requirements = check(wireRequirements, value, 'paymentRequirements')
  const network = networkOf(requirements.network)
  return {
    scheme: requirements.scheme,
    network,
    spelling: requirements.network,
    amount: amountOf(requirements),
    asset: assetOf(network, requirements.asset),
    payTo: addressOf(network, requirements.payTo, 'payTo'),
    resource: requirements.resource ?? '',
    domain: domainOf(requirements.extra),
    declared: declaredOf({}, requirements),
  }
}

type Terms = Omit<Payment, 'x402Version' | 'claimed' | 'transfer'>

function payloadOf(outer: z.output<typeof wireBody>): unknown {
  const given = outer.paymentPayload ?? outer.paymentHeader
  if (typeof given !== 'string') return given
  return parseJson(decodeBase64(given, 'paymentPayload'), 'paymentPayload')
}

function versionOf(payload: WirePayload, outer: number | null | undefined): 1 | 2 {
  const version = payload.x402Version ?? outer ?? (payload.accepted ? 2 : 1)
  if (version === 1 || version === 2) return version
  throw malformed(`x402Version ${version} is not supported; use 1 or 2`, undefined, 'invalid_x402_version')
}

function claimOf(payload: WirePayload): { scheme: string; network: string } {
  const scheme = payload.accepted?.scheme ?? payload.scheme
  const written = payload.accepted?.network ?? payload.network
  if (!scheme || !written)
    throw malformed(`paymentPayload.${scheme ? 'network' : 'scheme'} is missing (v2 carries it in accepted)`)
  const network = readNetwork(written)
  return { scheme, network: network && 'known' in network ? network.known : written }
}

function domainOf(extra: Record<string, unknown> | null | undefined): Payment['domain'] {
  const { name, version } = extra ?? {}
  return typeof name === 'string' && typeof version === 'string' && name && version ? { name, version } : null
}

type Asked = { network: NetworkId; extra: WireRequirements['extra'] }

function transferOf({ payload: inner, extensions }: WirePayload, row: SchemeRow | null, { network, extra }: Asked): Transfer {
  const signed =
    row?.family === 'evm' && isEvmNetwork(network) ? row.read(inner, extensions, { network, extra }) : readSvm(row, inner)
  return signed ?? { kind: 'other', payload: 'permit2Authorization' in inner ? 'permit2' : null }
}

const readSvm = (row: SchemeRow | null, inner: Record<string, unknown>) => (row?.family === 'svm' ? row.read(inner) : null)

/** What a payment moves: a deposit another amount than is asked for. */
function moneyOf(transfer: Transfer, asked: bigint): Pick<Payment, 'amount' | 'price'> {
  return 'deposit' in transfer ? { amount: transfer.deposit.amount, price: asked } : { amount: asked }
}

/** What one answer costs at most through the channel of a deposit: settle asks for the charge, and the client accepted the price. */
const priceIn = (transfer: Transfer, price: bigint) => ('deposit' in transfer ? { price: price.toString() } : {})

function declaredOf(payload: Pick<WirePayload, 'extensions' | 'resource'>, requirements: WireRequirements): Declared {
  const entries = {
    description: requirements.description,
    mimeType: requirements.mimeType,
    maxTimeoutSeconds: requirements.maxTimeoutSeconds,
    outputSchema: requirements.outputSchema,
    extra: requirements.extra,
    extensions: payload.extensions,
    resourceInfo: payload.resource,
  }
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null && value !== undefined))
}
