import type { z } from 'zod'
import { isServiceError, type RefusalReason, ServiceError } from '../base/errors'
import { bytes32 } from './encodings'
import { malformed } from './json'
import { isAwaited } from './networks/mints'
import { assetOn, type NetworkId, networkIds, networkRow, readNetwork } from './networks/networks'
import { type WireRequirements, wireRequirements, word } from './wire'

/** The network that a body names, readable as a payment or not: strict clients drop an answer without one. Empty if it names none. */
export function networkNamed(body: unknown): string {
  for (const place of NETWORK_PLACES) {
    const written = word(80).safeParse(valueAt(body, place))
    if (written.success && written.data !== '') return written.data
  }
  return ''
}

/** Where a body names its network: in the requirements, else in the payment of version 2 or 1. */
const NETWORK_PLACES = [
  ['paymentRequirements', 'network'],
  ['paymentPayload', 'accepted', 'network'],
  ['paymentPayload', 'network'],
]

/** The network that a body names, once it is read. Empty if it names none, or cannot be read. */
export function networkIn(reading: Promise<{ json: unknown }>): Promise<string> {
  return reading.then(({ json }) => networkNamed(json)).catch(() => '')
}

/** A value by its schema. Throws `bad_request` with the first wrong field. */
export function check<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
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

/** The network of a name. Throws `bad_request` for no name of one, `forbidden` for one that is not served. */
export function networkOf(written: string): NetworkId {
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

/** The amount of requirements, under either name. Throws `bad_request`. */
export function amountOf(requirements: WireRequirements): bigint {
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

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** An address of a network as it is compared and stored: EVM in lower case, base58 as it is. Throws `bad_request`. */
export function addressOf(network: NetworkId, written: string, field: string): string {
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

/** A token that is settled on a network. Throws `bad_request`, or `unavailable` while it is still being checked. */
export function assetOf(network: NetworkId, written: string): string {
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
