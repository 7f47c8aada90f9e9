import type { z } from 'zod'
import { isServiceError, type RefusalReason, ServiceError } from '../errors'
import { bytes32, decodeBase64 } from './encodings'
import { malformed, parseJson } from './json'
import { isAwaited } from './mints'
import { assetOn, type NetworkId, networkIds, networkRow, readNetwork } from './networks'
import type { Declared, Payment, Transfer } from './payment'
import { readSponsoring } from './schemes/exact-permit2/sponsoring'
import { decodeTransaction } from './schemes/exact-svm/transaction'
import {
  type WirePayload,
  type WireRequirements,
  wireBody,
  wireEip3009,
  wirePayload,
  wirePermit2,
  wireRequirements,
  wireSvm,
  word,
} from './wire'

/**
 * Reads one payment from a verify or settle body in any form: v1, v2 or a mixture, payload as object or base64. Throws `bad_request`
 * with the field, or `forbidden` for a network that exists but is not served.
 */
export function parsePayment(body: unknown): Payment {
  const outer = check(wireBody, body, 'body')
  const payload = check(wirePayload, payloadOf(outer), 'paymentPayload')
  const requirements = check(wireRequirements, outer.paymentRequirements, 'paymentRequirements')

  const x402Version = versionOf(payload, outer.x402Version)
  const network = networkOf(requirements.network)
  const amount = amountOf(requirements)
  const claimed = claimOf(payload)
  const asset = assetOf(network, requirements.asset)
  return {
    x402Version,
    scheme: requirements.scheme,
    claimed,
    network,
    spelling: requirements.network,
    amount,
    asset,
    payTo: addressOf(network, requirements.payTo, 'payTo'),
    resource: requirements.resource || payload.resource?.url || '',
    domain: domainOf(requirements.extra),
    transfer: transferOf(payload, network, requirements.scheme === 'exact' && claimed.scheme === 'exact'),
    declared: declaredOf(payload, requirements),
  }
}

/** The network that a body names, readable as a payment or not: strict clients drop an answer without one. Empty if it names none. */
export function networkNamed(body: unknown): string {
  const written = word(80).safeParse(valueAt(body, ['paymentRequirements', 'network']))
  return written.success ? written.data : ''
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

function check<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
  if (value === undefined || value === null) throw malformed(`${what} is missing`, undefined, reasonFor(what))
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw faultOf(result.error.issues[0], value, what)
}

function faultOf(issue: z.core.$ZodIssue | undefined, value: unknown, what: string): ServiceError {
  const field = [what, ...(issue?.path ?? [])].join('.')
  const missing = issue?.code === 'invalid_type' && valueAt(value, issue.path) === undefined
  return malformed(missing ? `${field} is missing` : `${field} ${issue?.message ?? 'is not valid'}`, undefined, reasonFor(what))
}

/** All that `parseTerms` would refuse, the fault that it throws first; empty if it throws nothing. */
export function termFaults(value: unknown): ServiceError[] {
  const shape = wireRequirements.safeParse(value)
  const { network: written, asset, payTo } = Object(value)
  const network = typeof written === 'string' && written !== '' ? attempt(() => networkOf(written)) : null
  const known = network && 'done' in network ? network.done : null
  const inField = (given: unknown, read: (network: NetworkId, text: string) => unknown) =>
    known && typeof given === 'string' && given !== '' ? attempt(() => read(known, given)) : null
  const all = [
    ...(shape.success ? [] : shape.error.issues.map((issue) => ({ fault: faultOf(issue, value, 'paymentRequirements') }))),
    network,
    shape.success ? attempt(() => amountOf(shape.data)) : null,
    inField(asset, assetOf),
    inField(payTo, (on, text) => addressOf(on, text, 'payTo')),
  ]
  return all.flatMap((one) => (one && 'fault' in one ? one.fault : []))
}

function attempt<T>(read: () => T): { done: T } | { fault: ServiceError } {
  try {
    return { done: read() }
  } catch (error) {
    if (isServiceError(error)) return { fault: error }
    throw error
  }
}

function reasonFor(what: string): RefusalReason {
  return what === 'paymentRequirements' ? 'invalid_payment_requirements' : 'invalid_payload'
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let at = value
  for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  return at
}

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

function networkOf(written: string): NetworkId {
  const network = readNetwork(written)
  if (!network) {
    throw malformed(
      'paymentRequirements.network is not a network name; use a CAIP-2 id such as "eip155:84532"',
      undefined,
      'invalid_network',
    )
  }
  if ('known' in network) return network.known
  const titles = new Intl.ListFormat('en').format(networkIds.map((id) => networkRow(id).title))
  const message = `network ${network.foreign} is not served here; this facilitator serves ${titles}`
  throw new ServiceError('forbidden', message, { reason: 'invalid_network' })
}

function amountOf(requirements: WireRequirements): bigint {
  const { amount, maxAmountRequired } = requirements
  const value = amount ?? maxAmountRequired
  if (value === null || value === undefined) {
    throw malformed(
      'paymentRequirements.maxAmountRequired is missing (v2 calls it amount)',
      undefined,
      'invalid_payment_requirements',
    )
  }
  if (typeof maxAmountRequired === 'bigint' && maxAmountRequired !== value) {
    throw malformed(
      'paymentRequirements.amount and maxAmountRequired differ; send one of them',
      undefined,
      'invalid_payment_requirements',
    )
  }
  return value
}

function claimOf(payload: WirePayload): { scheme: string; network: string } {
  const scheme = payload.accepted?.scheme ?? payload.scheme
  const written = payload.accepted?.network ?? payload.network
  if (!scheme || !written)
    throw malformed(`paymentPayload.${scheme ? 'network' : 'scheme'} is missing (v2 carries it in accepted)`)
  const network = readNetwork(written)
  return { scheme, network: network && 'known' in network ? network.known : written }
}

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/

// EVM addresses are compared and stored in lower case; base58 is case-sensitive.
function addressOf(network: NetworkId, written: string, field: string): string {
  const evm = networkRow(network).family === 'evm'
  if (evm ? !EVM_ADDRESS.test(written) : bytes32(written) === null) {
    const shape = evm ? '0x and 40 hex digits' : 'base58, 32 bytes'
    throw malformed(
      `paymentRequirements.${field} is not an address on ${networkRow(network).title} (${shape})`,
      undefined,
      'invalid_payment_requirements',
    )
  }
  return evm ? written.toLowerCase() : written
}

function assetOf(network: NetworkId, written: string): string {
  const asset = addressOf(network, written, 'asset')
  if (assetOn(network, asset)) return asset
  const { title, assets } = networkRow(network)
  if (isAwaited(network, asset)) {
    throw new ServiceError('unavailable', `the token ${asset} on ${title} is still being checked; nothing was sent, try again`, {
      reason: 'facilitator_unavailable',
      retryAfterSeconds: 5,
    })
  }
  const accepted = assets.map(({ symbol, address }) => `its ${symbol}, ${address}`).join(', or ')
  throw malformed(
    `paymentRequirements.asset is not accepted on ${title}; use ${accepted}`,
    undefined,
    'invalid_payment_requirements',
  )
}

function domainOf(extra: Record<string, unknown> | null | undefined): Payment['domain'] {
  const { name, version } = extra ?? {}
  return typeof name === 'string' && typeof version === 'string' && name && version ? { name, version } : null
}

function transferOf(payload: WirePayload, network: NetworkId, exact: boolean): Transfer {
  const inner = payload.payload
  const isPermit2 = 'permit2Authorization' in inner
  const isSvm = networkRow(network).family === 'svm'
  if (!exact || (isPermit2 && isSvm)) return { kind: 'other', payload: isPermit2 ? 'permit2' : null }
  if (isSvm) {
    return { kind: 'svm', transaction: decodeTransaction(check(wireSvm, inner, 'paymentPayload.payload').transaction) }
  }
  return isPermit2 ? permit2Of(inner, payload.extensions) : eip3009Of(inner)
}

function eip3009Of(inner: Record<string, unknown>): Transfer {
  const { authorization, signature } = check(wireEip3009, inner, 'paymentPayload.payload')
  return {
    kind: 'eip3009',
    writtenFrom: authorization.from,
    signature: hex(signature),
    authorization: {
      ...authorization,
      from: hex(authorization.from),
      to: hex(authorization.to),
      nonce: hex(authorization.nonce),
    },
  }
}

function permit2Of(inner: Record<string, unknown>, extensions: WirePayload['extensions']): Transfer {
  const { permit2Authorization, signature } = check(wirePermit2, inner, 'paymentPayload.payload')
  const { from, permitted, spender, nonce, deadline, witness } = permit2Authorization
  return {
    kind: 'permit2',
    writtenFrom: from,
    signature: hex(signature),
    authorization: {
      ...{ from: hex(from), to: hex(witness.to), token: hex(permitted.token), spender: hex(spender) },
      ...{ value: permitted.amount, nonce, deadline, validAfter: witness.validAfter },
    },
    sponsoring: readSponsoring(extensions),
  }
}

// The regular expressions of the wire shapes guarantee that every string here starts with 0x.
function hex(text: string): `0x${string}` {
  return `0x${text.slice(2).toLowerCase()}`
}

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
