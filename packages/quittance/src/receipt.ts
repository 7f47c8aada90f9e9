import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import type { Receipt, SettledState } from './answers'
import { baseOf } from './config'
import { fieldOf } from './payment-key'

/** A receipt that proves no payment. The message says why. */
export class InvalidReceipt extends Error {
  override name = 'InvalidReceipt'
}

export type ReceiptOptions = {
  /** Reads the key set; by default `fetch`. */
  fetch?: typeof fetch
}

const TYPE = 'settlement-receipt+jwt'
const STATES: readonly SettledState[] = ['preconfirmed', 'included', 'safe', 'finalized', 'reversed']
const TIMEOUT_MS = 10_000

type Keys = (JsonWebKey & { kid: string })[]

const keySets = new Map<string, Keys>()

/**
 * The claims of a receipt. `facilitator` is the base URL of its signer, or any facilitator URL of it. Throws `InvalidReceipt` unless that
 * facilitator signed it and the money moved: also for a receipt whose state is `reversed`. Throws another error if the keys cannot be read.
 */
export async function verifyReceipt(receipt: string, facilitator: string, options: ReceiptOptions = {}): Promise<Receipt> {
  const base = baseOf(facilitator)
  const [header = '', claims = '', signature = '', ...more] = receipt.split('.')
  const head = decoded(header)
  if (more.length > 0 || fieldOf(head, 'alg') !== 'ES256') throw new InvalidReceipt('it is no JWS with ES256')
  if (fieldOf(head, 'typ') !== TYPE) throw new InvalidReceipt(`its type is not ${TYPE}`)
  const key = await keyOf(base, fieldOf(head, 'kid'), options.fetch ?? fetch)
  const signed = Buffer.from(`${header}.${claims}`)
  const by = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', signed, by, Buffer.from(signature, 'base64url'))) throw new InvalidReceipt('its signature does not hold')
  const said = decoded(claims)
  if (!isReceipt(said)) throw new InvalidReceipt('a claim is missing')
  if (said.iss !== base) throw new InvalidReceipt(`its issuer is ${said.iss}, not ${base}`)
  if (said.state === 'reversed') throw new InvalidReceipt('the chain took this payment back')
  return said
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    throw new InvalidReceipt('it is no JWS')
  }
}

/** The key with this id. The set is read again for an id that it lacks: a facilitator adds keys. */
async function keyOf(base: string, kid: unknown, get: typeof fetch): Promise<JsonWebKey> {
  const find = (keys: Keys) => keys.find((key) => key.kid === kid)
  const known = find(keySets.get(base) ?? [])
  if (known) return known
  const answer = await get(`${base}/.well-known/jwks.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`the keys of ${base} were answered with ${answer.status}`)
  const keys = keysIn(await answer.json())
  keySets.set(base, keys)
  const key = find(keys)
  if (!key) throw new InvalidReceipt('its facilitator publishes no key with this kid')
  return key
}

function keysIn(set: unknown): Keys {
  const keys = fieldOf(set, 'keys')
  return Array.isArray(keys) ? keys.filter((key): key is Keys[number] => typeof fieldOf(key, 'kid') === 'string') : []
}

const TEXTS = ['iss', 'settlement_id', 'network', 'asset', 'payer', 'pay_to', 'amount', 'resource', 'transaction']
const NUMBERS = ['iat', 'seq', 'created_at']

function isReceipt(claims: unknown): claims is Receipt {
  return (
    TEXTS.every((name) => typeof fieldOf(claims, name) === 'string') &&
    NUMBERS.every((name) => typeof fieldOf(claims, name) === 'number') &&
    STATES.some((state) => state === fieldOf(claims, 'state'))
  )
}
