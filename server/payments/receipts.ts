import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto'
import { p256 } from '@noble/curves/nist'
import { calculateJwkThumbprint } from 'jose'
import { LRUCache } from 'lru-cache'
import { displayAddress } from '../x402/addresses'
import type { Finality } from '../x402/networks/finality'

/** The facts of a settlement for its receipt (docs/receipts.md). Amounts are atomic units as digits. */
export type ReceiptFacts = {
  id: string
  network: string
  asset: string
  payer: string
  payTo: string
  amount: string
  /** What the payer signed at most, where the amount is what was charged. */
  maximum?: string | null
  resource: string
  txHash: string | null
  logIndex: number | null
  block: bigint | null
  /** Null unless its transfer is on the chain. */
  finality: Finality | null
  /** Its transfer was on the chain, and is no more. */
  reversed: boolean
  /** How often the settlement has moved. */
  version: number
}

/** A public key that verifies receipts, as in a JWK set (RFC 7517). */
type ReceiptKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string; alg: 'ES256'; use: 'sig'; kid: string }

/** Signs receipts. `keys` verify this process's receipts and those of earlier keys that are still configured. */
export type Receipts = {
  /** A receipt of a landed payment, or of its reversal, as a compact JWS (ES256), signed by the first key; null for any other. */
  sign(facts: ReceiptFacts): string | null
  /** The same, as of `at`, when the payment reached its state: the same text each time, on every instance. */
  signAsOf(facts: ReceiptFacts, at: Date): string | null
  /** Other claims as a compact JWS of this type, with the time as `iat`. */
  signClaims(type: string, claims: object): string
  keys: readonly ReceiptKey[]
}

// Official servers send the receipt in a header, and clients read 16 KB of headers.
const RESOURCE_SHOWN = 2_048

// Signing the same text each time takes milliseconds of the thread that payments need.
const KEPT = 1_000

const CURVE = 'prime256v1'
// The order of P-256, less one: a private key is 1 up to this.
const LARGEST = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550n

/** The signer of receipts of one service. Each secret is one key; the first signs. `now` is Unix seconds. */
export async function createReceipts(
  secrets: readonly [string | Uint8Array, ...(string | Uint8Array)[]],
  issuer: string,
  now: () => bigint,
): Promise<Receipts> {
  const [first, ...earlier] = await Promise.all(secrets.map(keyOf))
  if (!first) throw new Error('receipts need a secret')
  const headerOf = (typ: string) => encoded({ alg: 'ES256', typ, kid: first.jwk.kid })
  const header = headerOf('settlement-receipt+jwt')
  const signedNow = (signed: string) => {
    const signature = sign('sha256', Buffer.from(signed), { key: first.key, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }
  const kept = new LRUCache<string, string>({ max: KEPT })
  const signedPart = (facts: ReceiptFacts, at: bigint) => {
    const state = facts.reversed ? 'reversed' : facts.finality
    return state === null ? null : `${header}.${encoded(claimsOf(issuer, at, facts, state))}`
  }
  return {
    keys: [first, ...earlier].map(({ jwk }) => jwk),
    sign(facts) {
      const signed = signedPart(facts, now())
      return signed === null ? null : signedNow(signed)
    },
    signClaims: (type, claims) => signedNow(`${headerOf(type)}.${encoded({ iat: Number(now()), ...claims })}`),
    signAsOf(facts, at) {
      const signed = signedPart(facts, BigInt(Math.floor(at.getTime() / 1_000)))
      if (signed === null) return null
      const known = kept.get(signed)
      if (known !== undefined) return known
      // Its nonce comes from key and text (RFC 6979); that of OpenSSL is random.
      const signature = p256.sign(Buffer.from(signed), first.scalar, { prehash: true, lowS: false }).toCompactRawBytes()
      const receipt = `${signed}.${Buffer.from(signature).toString('base64url')}`
      kept.set(signed, receipt)
      return receipt
    },
  }
}

// `seq` orders the receipts of one second. A payment becomes `finalized` without a move, so each version has two places.
function claimsOf(iss: string, now: bigint, facts: ReceiptFacts, state: Finality | 'reversed') {
  const { id, network, amount, txHash, version } = facts
  const resource = facts.resource.length > RESOURCE_SHOWN ? `${facts.resource.slice(0, RESOURCE_SHOWN)}…` : facts.resource
  // A reversed transfer is in no block.
  const { block, logIndex } = facts.reversed ? { block: null, logIndex: null } : facts
  return {
    iss,
    iat: Number(now),
    seq: 2 * version + Number(state === 'finalized'),
    settlement_id: id,
    created_at: secondsIn(id),
    network,
    asset: displayAddress(facts.asset),
    payer: displayAddress(facts.payer),
    pay_to: displayAddress(facts.payTo),
    amount,
    ...(facts.maximum == null ? {} : { maximum: facts.maximum }),
    resource,
    transaction: txHash ?? '',
    log_index: logIndex,
    block_number: block === null ? null : Number(block),
    state,
  }
}

/** The Unix seconds at which a settlement was accepted: a UUID of version 7 begins with its milliseconds. */
const secondsIn = (id: string): number => Math.floor(Number.parseInt(id.replace('-', '').slice(0, 12), 16) / 1_000)

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

// From the secret alone, so that all instances and later processes have the same key.
async function keyOf(secret: string | Uint8Array): Promise<{ key: KeyObject; scalar: Uint8Array; jwk: ReceiptKey }> {
  const wide = BigInt(`0x${Buffer.from(hkdfSync('sha256', secret, '', 'quittance receipts', 48)).toString('hex')}`)
  const scalar = Buffer.from(((wide % LARGEST) + 1n).toString(16).padStart(64, '0'), 'hex')
  const ecdh = createECDH(CURVE)
  ecdh.setPrivateKey(scalar)
  const point = ecdh.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  if (x === undefined || y === undefined) throw new Error('a point of the curve has two coordinates')
  const named = { kty: 'EC', crv: 'P-256', x, y } as const
  const key = createPrivateKey({ key: { ...named, d: scalar.toString('base64url') }, format: 'jwk' })
  return { key, scalar, jwk: { ...named, alg: 'ES256', use: 'sig', kid: await calculateJwkThumbprint(named) } }
}
