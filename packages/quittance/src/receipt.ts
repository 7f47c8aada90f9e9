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

/** How long the keys of a facilitator count, and how soon they are read again for an id that they lack. */
const [KEPT_MS, REREAD_MS] = [60 * 60_000, 30_000]

type Keys = (JsonWebKey & { kid: string })[]

const keySets = new Map<string, { keys: Promise<Keys>; readAt: number }>()

/**
 * The claims of a receipt. `facilitator` is the base URL of its signer, or any facilitator URL of it. Throws `InvalidReceipt` unless that
 * facilitator signed it and the money moved: also for a receipt whose state is `reversed`. Throws another error if the keys cannot be read.
 */
export async function verifyReceipt(receipt: string, facilitator: string, options: ReceiptOptions = {}): Promise<Receipt> {
  const base = baseOf(facilitator)
  const [header = '', claims = '', signature = '', ...more] = receipt.split('.')
  const head = decoded(header)
  if (more.length > 0 || fieldOf(head, 'alg') !== 'ES256') throw new InvalidReceipt('it is not a JWS with ES256')
  if (fieldOf(head, 'typ') !== TYPE) throw new InvalidReceipt(`its type is not ${TYPE}`)
  const key = await keyOf(base, fieldOf(head, 'kid'), options.fetch ?? fetch)
  const signed = Buffer.from(`${header}.${claims}`)
  const by = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', signed, by, Buffer.from(signature, 'base64url'))) throw new InvalidReceipt('its signature does not match')
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
    throw new InvalidReceipt('it is not a JWS')
  }
}

/** The key with this id. An unknown id reads the keys again: a facilitator adds keys. */
async function keyOf(base: string, kid: unknown, get: typeof fetch): Promise<JsonWebKey> {
  const find = async (youngerThanMs: number) => (await keysOf(base, get, youngerThanMs)).find((key) => key.kid === kid)
  const key = (await find(KEPT_MS)) ?? (await find(REREAD_MS))
  if (!key) throw new InvalidReceipt('its facilitator publishes no key with this kid')
  return key
}

/** The keys of a facilitator: those of an earlier read if it is recent enough. Receipts that come together share one read. */
function keysOf(base: string, get: typeof fetch, youngerThanMs: number): Promise<Keys> {
  const known = keySets.get(base)
  if (known && Date.now() - known.readAt < youngerThanMs) return known.keys
  const keys = readKeys(base, get)
  keySets.set(base, { keys, readAt: Date.now() })
  // A failure is no read.
  keys.catch(() => keySets.delete(base))
  return keys
}

async function readKeys(base: string, get: typeof fetch): Promise<Keys> {
  const answer = await get(`${base}/.well-known/jwks.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`the keys of ${base} were answered with ${answer.status}`)
  return keysIn(await answer.json())
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
