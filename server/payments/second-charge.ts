import { hexToBytes } from 'viem'
import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { intentKey } from '../x402/intent'
import { payerIn, type SignedPayment } from '../x402/payment'
import { refuseSecond } from './queries'

/**
 * For a key that guards against second charges: throws `conflict` while an earlier payment of the same payer, payee, resource and amounts
 * is pending, or succeeded without an answer that reached its merchant, within the key's time. Nothing is claimed, and no money is taken.
 * Two requests at once may both pass: the statement that claims asks again (`ledger/guards/second-charge.ts`).
 */
export async function requireNoUnanswered(app: App, caller: Caller, payment: SignedPayment): Promise<void> {
  const { secondChargeSeconds: seconds, tenantId, id } = caller
  if (seconds === null || payment.resource === '') return
  const { network, asset, payTo, resource, amount, charge } = payment
  const signed = charge === undefined ? { amount, maximum: null } : { amount: charge, maximum: amount }
  const terms = { intentKey: hexToBytes(intentKey(payment)), network, asset, payer: payerIn(payment), payTo, resource, ...signed }
  const first = await refuseSecond(app.db, { tenantId, caller: id }, terms, seconds)
  if (first === null) return
  // A reason of its own: after `duplicate_settlement` clients look for the money of this payment.
  const facts = { reason: 'second_charge' } as const
  const which = `payment ${first.id} of this payer for the same resource and amount`
  if (first.isPending)
    throw new ServiceError('conflict', `${which} is still being settled; send that one again: we took no money for this one`, {
      ...facts,
      retryAfterSeconds: 2,
    })
  const message = `${which} succeeded and its answer may be lost; send that one again or look it up: we took no money for this one`
  throw new ServiceError('conflict', message, facts)
}
