import { hexToBytes } from 'viem'
import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import type { Db } from '../db/database'
import { findIntent, type KnownSettlement } from '../ledger/statements/settlements'
import type { Settled, Waiting } from '../ledger/waiting'
import { intentKey, requestHash } from '../x402/intent'
import { isSigned, type Payment, type SignedPayment } from '../x402/payment'
import { keepsTerms } from './judging'
import { waitingOf } from './orders'

/** The settlement that holds a payment's intent. */
export async function findKnown(db: Db, payment: Payment): Promise<KnownSettlement | null> {
  return isSigned(payment) ? findIntent(db, hexToBytes(intentKey(payment))) : null
}

/**
 * A second request for a claimed intent. An identical one of the same caller takes over the wait when no other waits. One that repeats an
 * earlier request under its idempotency key (`again`) gets that request's answer. Null when the intent was freed during the wait. Throws
 * `conflict` otherwise: a success pays for one request only.
 */
export async function joinKnown(
  app: App,
  { caller, payment, known }: { caller: Caller; payment: SignedPayment; known: KnownSettlement },
  { again, ...waiting }: Waiting & { again: boolean },
): Promise<Settled | null> {
  const hash = hexToBytes(requestHash(payment))
  const identical = isCallers(caller, known) && Buffer.compare(known.requestHash, hash) === 0 && !hasOtherCharge(payment, known)
  if (identical && keepsTerms(payment)) {
    const request = {
      id: known.id,
      ...waitingOf(caller, payment.network),
      tenantId: caller.tenantId,
      caller: caller.id,
      requestHash: hash,
    }
    const { name } = waiting
    const recalled = again && name !== null && known.delivered ? await app.engine.recall(known.id, name) : null
    const settled = recalled ?? (await app.engine.join(request, waiting))
    // Freed during the wait: this request is the first one now.
    if (settled?.end === 'underfunded') return null
    if (settled) return settled
  }
  throw duplicate(caller, known, payment)
}

/**
 * The refusal of a payment whose intent is held. Only the caller that made the settlement gets its hash, its id and whether its outcome
 * is still pending.
 */
export function duplicate(caller: Caller, known: KnownSettlement | null, payment: Pick<Payment, 'charge'> = {}): ServiceError {
  const reason = 'duplicate_settlement' as const
  const message = 'this payment was already submitted; look it up under /settlements, and sign a new one only for a new purchase'
  if (!known || !isCallers(caller, known)) return new ServiceError('conflict', message, { reason })
  const charged = payment.charge === undefined ? {} : { amount: known.amount }
  const facts = { reason, transaction: known.txHash ?? '', settlementId: known.id, ...charged }
  if (hasOtherCharge(payment, known)) {
    const other = `this payment was submitted before with a charge of ${known.amount}, and only that can be settled; repeat the request with it for its outcome`
    return new ServiceError('conflict', other, facts)
  }
  if (known.delivered) return new ServiceError('conflict', message, facts)
  const pending = 'this payment is being settled already; do not sign another one, repeat the identical request for its outcome'
  return new ServiceError('conflict', pending, { ...facts, retryAfterSeconds: 2 })
}

/** Whether a request charges another amount than the one that holds its intent: what moves is not what it asks for. */
const hasOtherCharge = ({ charge }: Pick<Payment, 'charge'>, { amount }: KnownSettlement) =>
  charge !== undefined && String(charge) !== amount

function isCallers(caller: Caller, known: KnownSettlement): boolean {
  return known.tenantId === caller.tenantId && known.caller === caller.id
}
