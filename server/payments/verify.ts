import { hexToBytes } from 'viem'
import type { Caller } from '../accounts/caller'
import { meter, peek, returning } from '../accounts/metering'
import type { Quota } from '../accounts/quota'
import type { App } from '../app'
import { findIntent } from '../ledger/statements/settlements'
import { intentKey } from '../x402/intent'
import { claimedPayer, isSigned, type Payment, type SignedPayment } from '../x402/payment'
import { type Failure, failure } from '../x402/reasons'
import { admit } from './admission'
import { clear, judgeStatically, requireScreening } from './judging'
import { admitPayer, afterFailure } from './unknown-payers'

/** What verify says, and what is left of the quota. */
export type Verified = { verdict: { isValid: true } | ({ isValid: false } & Failure); payer: string; quota: Quota | null }

/** Judges a payment without moving anything or writing anything. Throws refusals. */
export async function verify(app: App, caller: Caller, payment: Payment): Promise<Verified> {
  const payer = claimedPayer(payment)
  const invalid = (failed: Failure, quota: Quota | null): Verified => ({ verdict: { isValid: false, ...failed }, payer, quota })

  if (isSigned(payment) && (await isClaimed(app, payment))) {
    return invalid(failure('duplicate_settlement'), await peek(app, caller, payment.network, 'verification'))
  }
  const facilitator = admit(app, caller, payment)
  const asked = judgeStatically(app, caller.tier, facilitator, payment)
  if ('failed' in asked) return invalid(asked.failed, await peek(app, caller, payment.network, 'verification'))

  requireScreening(app, caller, asked)
  await admitPayer(app, caller, asked.payment, 'verification')
  const quota = await meter(app, caller, payment.network, 'verification')
  const judged = await returning(app, quota, () => clear(app, caller, asked))
  if (!('failed' in judged)) return { verdict: { isValid: true }, payer, quota }
  // It may have been settled since we looked: what the chain calls used is then our own work.
  if (await isClaimed(app, asked.payment)) return invalid(failure('duplicate_settlement'), quota)
  return invalid(judged.failed, await afterFailure(app, caller, asked.payment, quota, judged.failed))
}

async function isClaimed(app: App, payment: SignedPayment): Promise<boolean> {
  return (await findIntent(app.db, hexToBytes(intentKey(payment)))) !== null
}
