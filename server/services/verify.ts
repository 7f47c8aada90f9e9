import { hexToBytes } from 'viem'
import { findIntent } from '../store/settlements'
import { intentKey } from '../x402/intent'
import { claimedPayer, type Eip3009Payment, isEip3009, type Payment } from '../x402/payment'
import { type Failure, failure } from '../x402/reasons'
import { admit } from './admission'
import type { App } from './app'
import type { Caller } from './caller'
import { clear, requireScreening } from './clearance'
import { judgeStatically } from './judging'
import { meter, peek, type Quota } from './metering'
import { returning } from './quota-scope'

/** What verify says, and what is left of the quota. */
export type Verified = { verdict: { isValid: true } | ({ isValid: false } & Failure); payer: string; quota: Quota }

/** Judges a payment without moving anything or writing anything (SPEC "verify"). Throws refusals. */
export async function verify(app: App, caller: Caller, payment: Payment): Promise<Verified> {
  const payer = claimedPayer(payment)
  const invalid = (failed: Failure, quota: Quota): Verified => ({ verdict: { isValid: false, ...failed }, payer, quota })

  if (isEip3009(payment) && (await isClaimed(app, payment))) {
    return invalid(failure('duplicate_settlement'), await peek(app, caller, 'verification'))
  }
  const facilitator = admit(app, caller, payment)
  const judged = judgeStatically(app, payment)
  if ('failed' in judged) return invalid(judged.failed, await peek(app, caller, 'verification'))

  requireScreening(app, facilitator, judged.payment)
  const quota = await meter(app, caller, 'verification')
  const judgement = await returning(app, caller, quota, () => clear(app, facilitator, judged.payment))
  if (judgement.valid) return { verdict: { isValid: true }, payer, quota }
  // It may have been settled since we looked: what the chain calls used is then our own work.
  return invalid((await isClaimed(app, judged.payment)) ? failure('duplicate_settlement') : judgement, quota)
}

async function isClaimed(app: App, payment: Eip3009Payment): Promise<boolean> {
  return (await findIntent(app.db, hexToBytes(intentKey(payment)))) !== null
}
