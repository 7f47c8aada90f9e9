import { hexToBytes, numberToHex, pad } from 'viem'
import { z } from 'zod'
import { allowedNetworks, type Caller } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { signedByKey } from '../chains/evm/judgement'
import { isIn, landedStates, type State } from '../ledger/states'
import { readTransaction } from '../x402/addresses'
import { intentKeysIn, intentKeysOf } from '../x402/intent'
import { malformed } from '../x402/json'
import { isEvmNetwork } from '../x402/networks/networks'
import { parsePayment } from '../x402/parse'
import { isSigned, isSvm, type SignedPayment } from '../x402/payment'
import { hasSignatures } from '../x402/schemes/exact/svm/form'
import { channelOpenedBy } from '../x402/schemes/upto/svm/open'
import { normalSignature } from '../x402/signatures'
import { heldBy, IDEMPOTENCY_KEY } from './idempotency-key'
import {
  type FoundSettlement,
  findById,
  findByIdentifier,
  findByIntents,
  findByTransaction,
  findSignature,
  markTold,
} from './queries'
import { withNewestCharges } from './upto-svm/queries'
import { asOffered } from './upto-svm/served'

/** The state of a settlement as its caller sees it. */
type PublicState = 'pending' | 'succeeded' | 'failed'

export type Settlement = Omit<FoundSettlement, 'state'> & { state: PublicState; reversed: boolean }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A caller's settlements with this id, or in any transaction of ours with this hash (docs/api.md "Lost answers"). Throws `bad_request`
 * for any other text and `not_found` when the caller has none.
 */
export async function lookUp(app: App, caller: Caller, written: string): Promise<Settlement[]> {
  return told(app, caller, await seek(app, caller, written))
}

/** The same for a reader that is not the merchant's server: it writes nothing, and its answer counts as none. */
export async function seek(app: App, caller: Caller, written: string): Promise<Settlement[]> {
  return settlementsOf(app, await find(app, makerOf(caller), written), 'id or transaction')
}

function find(app: App, by: { tenantId: string; caller: string }, written: string): Promise<FoundSettlement[]> {
  if (UUID.test(written)) return findById(app.db, by, written)
  const transaction = readTransaction(written)
  if (transaction !== null) return findByTransaction(app.db, by, transaction)
  throw new ServiceError('bad_request', 'a settlement is named by its x-settlement-id (a UUID) or by its transaction hash')
}

const hex32 = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')

const nonce = z
  .string()
  // Aborts: the next check converts, and would throw for a text of another form.
  .regex(/^(0x[0-9a-fA-F]{64}|\d{1,78})$/, { error: 'must be 0x and 64 hex digits, or decimal digits', abort: true })
  .refine((written) => BigInt(written) < 2n ** 256n, 'must be less than 2^256')

/** What a caller may know of a payment whose answer it lost. */
export const lookupQuery = z.object({
  payer: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
    .optional()
    .meta({ description: 'EVM, with `nonce`: who signed.', examples: ['0x857b06519E91e3A54538791bDbb0E22373e36b66'] }),
  nonce: nonce.optional().meta({
    description: 'EVM, with `payer`: the nonce of the authorization; of Permit2 in decimal digits.',
    examples: [`0x${'5f'.repeat(32)}`],
  }),
  message_hash: hex32.optional().meta({
    description: 'Solana: the SHA-256 of the signed message.',
    examples: [`0x${'3c'.repeat(32)}`],
  }),
  signature: z
    .string()
    .optional()
    .meta({ description: 'The hash of a transaction; on Solana its signature.', examples: [`0x${'89'.repeat(32)}`] }),
  payment_identifier: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,128}$/, 'must have 16 to 128 letters, digits, hyphens or underscores')
    .optional()
    .meta({ description: 'The id of the extension `payment-identifier`.', examples: ['pay_7d5d747be160e280504c099d984bcfe0'] }),
  idempotency_key: IDEMPOTENCY_KEY.meta({
    description: 'The `Idempotency-Key` of the request to settle, for 24 hours.',
    examples: ['order-4711'],
  }),
})

type LookupQuery = z.output<typeof lookupQuery>

/**
 * A caller's settlements by what it knows of the payment: payer and nonce, the hash of the signed message, a transaction, the payment
 * identifier, or the key of its request. Throws `bad_request` unless exactly one of them is given, `not_found` when the caller has none.
 */
export async function lookUpBy(app: App, caller: Caller, query: LookupQuery): Promise<Settlement[]> {
  return told(app, caller, await settlementsOf(app, await findBy(app, caller, query), 'payment'))
}

function findBy(app: App, caller: Caller, query: LookupQuery): Promise<FoundSettlement[]> {
  const { payer, nonce, message_hash, signature, payment_identifier, idempotency_key } = query
  const by = makerOf(caller)
  const ways = [payer ?? nonce, message_hash, signature, payment_identifier, idempotency_key].filter((one) => one !== undefined)
  if (ways.length !== 1 || (payer === undefined) !== (nonce === undefined)) throw malformed(WAYS)
  if (payer !== undefined && nonce !== undefined) return findByIntents(app.db, authorizationKeys(caller, payer, nonce), by)
  if (message_hash !== undefined) return findByIntents(app.db, [hexToBytes(lower(message_hash))], by)
  if (payment_identifier !== undefined) return findByIdentifier(app.db, by, payment_identifier)
  if (idempotency_key !== undefined) return findByKey(app, caller, idempotency_key)
  const transaction = readTransaction(signature ?? '')
  if (transaction === null) throw malformed('signature must be a transaction: 0x and 64 hex digits, or a base58 signature')
  return findByTransaction(app.db, by, transaction)
}

const WAYS = 'name the payment in one way: payer and nonce, message_hash, signature, payment_identifier, or idempotency_key'

async function findByKey(app: App, caller: Caller, key: string): Promise<FoundSettlement[]> {
  const held = await heldBy(app, caller, key)
  if (held === null) return []
  const by = makerOf(caller)
  return 'settlementId' in held ? findById(app.db, by, held.settlementId) : findByIntents(app.db, [held.intentKey], by)
}

// An authorization names neither network nor token: one of those that the caller can use has it.
function authorizationKeys(caller: Caller, payer: string, nonce: string): Uint8Array[] {
  return allowedNetworks(caller)
    .filter(isEvmNetwork)
    .flatMap((network) => intentKeysOf(network, lower(payer), nonceOf(nonce)).map((key) => hexToBytes(key)))
}

// Permit2 counts in decimal digits.
const nonceOf = (written: string) => (written.startsWith('0x') ? lower(written) : pad(numberToHex(BigInt(written))))

const lower = (written: string): `0x${string}` => `0x${written.slice(2).toLowerCase()}`

/** How a merchant's server looks up a signed payment. */
export const peekQuery = z.object({
  peek: z
    .enum(['true', 'false'])
    .default('false')
    .meta({
      description: '`true`: look only; this does not count as the answer, and `second_charge_seconds` keeps running.',
      examples: ['true'],
    }),
})

/**
 * The settlements of a signed payment, for anyone who holds it. `own` are the caller's, with all their facts; of the others it learns only
 * what became of them. With `peek` it counts as no answer. Throws `bad_request` for a body without a signed payment, `not_found` when there is none.
 */
export async function lookUpPayment(
  app: App,
  caller: Caller,
  body: unknown,
  { peek }: { peek: boolean },
): Promise<{ settlement: Settlement; own: boolean }[]> {
  const payment = asOffered(app, parsePayment(withRequirements(body)))
  if (!isSigned(payment)) throw malformed('paymentPayload holds no signed transfer that can be read')
  const keys = intentKeysIn(payment).map((key) => hexToBytes(key))
  const found = await findByIntents(app.db, keys, null)
  const held = found.length > 0 && (await holds(app, payment, found)) ? found : []
  const own = new Set(held.length > 0 ? (await findByIntents(app.db, keys, makerOf(caller))).map(({ id }) => id) : [])
  const named = await settlementsOf(app, held, 'signed payment')
  const settlements = named.map((settlement) => ({ settlement, own: own.has(settlement.id) }))
  const ours = settlements.flatMap(({ settlement, own: isOwn }) => (isOwn ? settlement : []))
  if (!peek) await told(app, caller, ours)
  return settlements
}

/** Whether this is the very payment that was settled: signed by its payer's key, or the same bytes. */
async function holds(app: App, payment: SignedPayment, found: FoundSettlement[]): Promise<boolean> {
  if (isSvm(payment)) {
    const { transfer } = payment
    // A channel is named by more than its signature: only its own payer can derive it.
    const opens = transfer.kind === 'svm' || channelOpenedBy(transfer.transaction) === transfer.channelId
    return opens && hasSignatures(transfer.transaction)
  }
  if (signedByKey(payment)) return true
  const stored = await Promise.all(found.map(({ id }) => findSignature(app.db, id)))
  return stored.includes(normalSignature(payment.transfer.signature))
}

// A payer has no requirements apart from those that version 2 carries in the payload.
function withRequirements(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || 'paymentRequirements' in body) return body
  const payload: unknown = Reflect.get(body, 'paymentPayload')
  const accepted: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'accepted') : undefined
  return accepted === undefined ? body : { ...body, paymentRequirements: accepted }
}

/** The same, once it is noted that their merchant knows the successes: the next payment for the same thing is a purchase of its own. */
async function told(app: App, caller: Caller, settlements: Settlement[]): Promise<Settlement[]> {
  const landed = settlements.filter(({ state }) => state === 'succeeded').map(({ id }) => id)
  if (caller.secondChargeSeconds !== null && landed.length > 0) await markTold(app.db, landed)
  return settlements
}

const makerOf = (caller: Caller) => ({ tenantId: caller.tenantId, caller: caller.id })

async function settlementsOf({ db }: App, found: FoundSettlement[], what: string): Promise<Settlement[]> {
  if (found.length > 0)
    return (await withNewestCharges(db, found)).map((settlement) => ({
      ...settlement,
      state: publicStateOf(settlement.state),
      reversed: settlement.state === 'REVERSED',
    }))
  throw new ServiceError('not_found', `none of your settlements has this ${what}; ask below the URL that settled it`)
}

function publicStateOf(state: State | null): PublicState {
  if (state === null) return 'failed'
  if (isIn(['CLAIMED', 'PREPARED', 'BROADCAST'], state)) return 'pending'
  return isIn(landedStates, state) || state === 'UNCHARGED' ? 'succeeded' : 'failed'
}
