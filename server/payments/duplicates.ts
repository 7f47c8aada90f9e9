import { hexToBytes } from 'viem'
import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import type { Db } from '../db/database'
import { ServiceError } from '../errors'
import { findIntent, type KnownSettlement } from '../ledger/statements/settlements'
import type { Settled, Waiting } from '../ledger/waiting'
import { intentKey, requestHash } from '../x402/intent'
import { isSigned, type Payment, type SignedPayment } from '../x402/payment'
import { keepsTerms } from './judging'
import { confirmationLevelOf } from './orders'

/** The settlement that holds a payment's intent. */
export async function findKnown(db: Db, payment: Payment): Promise<KnownSettlement | null> {
  return isSigned(payment) ? findIntent(db, hexToBytes(intentKey(payment))) : null
}

/**
 * A second request for a claimed intent: an identical one of the same caller takes over the wait when nobody else waits, and one
 * that repeats an earlier request under its idempotency key (`again`) hears what that very one was told. Null when the intent
 * was freed while it was waited for. Throws `conflict` otherwise: nothing ever rides on an earlier success.
 */
export async function joinKnown(
  app: App,
  { caller, payment, known }: { caller: Caller; payment: SignedPayment; known: KnownSettlement },
  { again, ...waiting }: Waiting & { again: boolean },
): Promise<Settled | null> {
  const hash = hexToBytes(requestHash(payment))
  const identical = isCallers(caller, known) && Buffer.compare(known.requestHash, hash) === 0
  if (identical && keepsTerms(payment)) {
    const request = {
      id: known.id,
      confirmationLevel: confirmationLevelOf(caller.tier, payment.network),
      tenantId: caller.tenantId,
      caller: caller.id,
      requestHash: hash,
    }
    const { name } = waiting
    const told = again && name !== null && known.delivered ? await app.engine.recall(known.id, name) : null
    const settled = told ?? (await app.engine.join(request, waiting))
    // Freed while it was waited for: this request is the first one now.
    if (settled?.end === 'underfunded') return null
    if (settled) return settled
  }
  throw duplicate(caller, known)
}

/** The refusal of a payment whose intent is held. Only the caller who made the settlement learns its hash, its id and whether its outcome is still to come. */
export function duplicate(caller: Caller, known: KnownSettlement | null): ServiceError {
  const reason = 'duplicate_settlement' as const
  const told = 'this payment was already submitted; look it up under /settlements, and sign a new one only for a new purchase'
  if (!known || !isCallers(caller, known)) return new ServiceError('conflict', told, { reason })
  const facts = { reason, transaction: known.txHash ?? '', settlementId: known.id }
  if (known.delivered) return new ServiceError('conflict', told, facts)
  const coming = 'this payment is being settled already; do not sign another one, repeat the identical request for its outcome'
  return new ServiceError('conflict', coming, { ...facts, retryAfterSeconds: 2 })
}

function isCallers(caller: Caller, known: KnownSettlement): boolean {
  return known.tenantId === caller.tenantId && known.caller === caller.id
}
