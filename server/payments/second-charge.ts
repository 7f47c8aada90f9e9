import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import type { Settled, Waiting } from '../ledger/waiting'
import { payerIn, type SignedPayment } from '../x402/payment'
import { waitingOf } from './orders'
import { findUnanswered, markSecond } from './queries'

/** What answers a second payment: the end of the first one, and its nonce where it has one. */
type FirstAnswer = { settled: Settled; nonce: string | null }

/**
 * The answer of an earlier payment, for a key that guards against second charges: of the same payer, payee, resource and amount, within the
 * key's time, whose outcome no request has received. Waits for it as a retry would. Null if there is none, if another request waits for
 * it, or if it failed: then this payment is settled.
 */
export async function answerOfFirst(
  app: App,
  caller: Caller,
  payment: SignedPayment,
  waiting: Waiting,
): Promise<FirstAnswer | null> {
  const { secondChargeSeconds: seconds, tenantId, id } = caller
  if (seconds === null || payment.resource === '') return null
  const terms = { ...payment, payer: payerIn(payment) }
  const first = await findUnanswered(app.db, { tenantId, caller: id }, terms, seconds)
  if (!first) return null
  const { requestHash, nonce } = first
  const join = { id: first.id, ...waitingOf(caller, payment.network), tenantId, caller: id, requestHash }
  const settled = await app.engine.join(join, waiting)
  if (!settled || settled.end === 'underfunded' || settled.end === 'failed') return null
  if (settled.end !== 'hung-up') await markSecond(app.db, first.id)
  return { settled, nonce }
}
