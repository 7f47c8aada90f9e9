import { hexToBytes } from 'viem'
import type { EvmChain } from '../chains/evm/chain'
import type { Judgement } from '../chains/evm/judgement'
import { isServiceError, ServiceError } from '../errors'
import type { Settled } from '../settlement/engine'
import { recordFailedJudgement } from '../store/history'
import { findIntent, type KnownSettlement } from '../store/settlements'
import { brokenForm, brokenTimelessTerms } from '../x402/exact-evm'
import { intentKey, requestHash } from '../x402/intent'
import { claimedPayer, type Eip3009Payment, isEip3009, type Payment } from '../x402/payment'
import { type Failure, failure, historyReason } from '../x402/reasons'
import { admit } from './admission'
import type { App } from './app'
import type { Caller } from './caller'
import { type Failed, judge, judgeStatically } from './judging'
import { giveBack, meter, peek, type Quota, quotaHeaders } from './metering'

/** What verify says. The quota is null when nothing was metered. */
export type Verified = { verdict: { isValid: true } | ({ isValid: false } & Failure); payer: string; quota: Quota | null }

/** What settle says. `quota` is null for a request that joined an earlier one. */
export type SettleAnswer = { settled: Settled | { end: 'judged'; failure: Failure }; payer: string; quota: Quota | null }

/** Judges a payment without moving anything or writing anything (SPEC "verify"). Throws refusals. */
export async function verify(app: App, caller: Caller, payment: Payment): Promise<Verified> {
  const chain = admit(app, caller, payment)
  const payer = claimedPayer(payment)
  const invalid = (failed: Failure, quota: Quota | null): Verified => ({ verdict: { isValid: false, ...failed }, payer, quota })

  if (isEip3009(payment) && (await findIntent(app.db, hexToBytes(intentKey(payment))))) {
    return invalid(failure('duplicate_settlement'), await peek(app, caller, 'verification'))
  }
  const judged = judgeStatically(app, payment)
  if ('failed' in judged) return invalid(judged.failed, await peek(app, caller, 'verification'))

  const quota = await meter(app, caller, 'verification')
  const judgement = await returning(app, caller, quota, () => judge(app, chain, judged.payment))
  return judgement.valid ? { verdict: { isValid: true }, payer, quota } : invalid(judgement, quota)
}

/**
 * Settles a payment: judges it, claims its intent in the ledger and waits for the engine (SPEC "settle"). A failed payment
 * is returned; refusals are thrown, with the unit given back when the refusal is ours.
 */
export async function settle(app: App, caller: Caller, payment: Payment, hangUp: AbortSignal): Promise<SettleAnswer> {
  const chain = admit(app, caller, payment)
  const joined = isEip3009(payment) ? await joinKnown(app, caller, payment, hangUp) : null
  if (joined) return { settled: joined, payer: claimedPayer(payment), quota: null }

  const judged = judgeStatically(app, payment)
  if ('failed' in judged) {
    const [quota] = await Promise.all([peek(app, caller, 'settlement'), writeFailure(app, caller, payment, judged.failed)])
    return answerOf(payment, judged.failed, quota)
  }
  const quota = await meter(app, caller, 'settlement')
  return settleMetered(app, caller, chain, judged.payment, quota, hangUp)
}

async function settleMetered(
  app: App,
  caller: Caller,
  chain: EvmChain,
  payment: Eip3009Payment,
  quota: Quota,
  hangUp: AbortSignal,
): Promise<SettleAnswer> {
  const judgement = await returning(app, caller, quota, async () => {
    const judgement = await judge(app, chain, payment)
    if (judgement.valid) app.engine.requireLane(payment.network)
    return judgement
  })
  if (!judgement.valid) {
    await writeFailure(app, caller, payment, judgement)
    return answerOf(payment, judgement, quota)
  }
  const settled = await claimAndWait(app, caller, payment, judgement, quota, hangUp)
  return { settled, payer: claimedPayer(payment), quota }
}

async function claimAndWait(
  app: App,
  caller: Caller,
  payment: Eip3009Payment,
  judgement: Extract<Judgement, { valid: true }>,
  quota: Quota,
  hangUp: AbortSignal,
): Promise<Settled> {
  const { authorization } = payment.transfer
  const order = {
    intentKey: hexToBytes(intentKey(payment)),
    requestHash: hexToBytes(requestHash(payment)),
    tenantId: caller.tenantId,
    caller: caller.subject,
    plan: caller.planName,
    period: quota.period,
    tier: caller.plan.tier,
    network: payment.network,
    asset: payment.asset,
    payer: authorization.from,
    payTo: payment.payTo,
    amount: payment.amount,
    resource: payment.resource,
    declared: payment.declared,
    expiresAt: authorization.validBefore,
    transfer: { authorization, signature: judgement.signature, proof: judgement.proof },
    baseFee: judgement.baseFee,
  }
  const settled = await withQuota(quota, () => app.engine.settle(order, hangUp))
  if (settled) return settled
  return returning(app, caller, quota, async () => {
    throw duplicate(caller, await findIntent(app.db, order.intentKey))
  })
}

/**
 * A second request for a claimed intent: an identical one of the same caller takes over the wait when nobody else waits.
 * Null when the intent is free. Throws `conflict` otherwise: nothing ever rides on an earlier success (F-1).
 */
async function joinKnown(app: App, caller: Caller, payment: Eip3009Payment, hangUp: AbortSignal): Promise<Settled | null> {
  const known = await findIntent(app.db, hexToBytes(intentKey(payment)))
  if (!known) return null
  const hash = hexToBytes(requestHash(payment))
  const identical = isCallers(caller, known) && Buffer.compare(known.requestHash, hash) === 0
  const sound = !brokenForm(payment) && !brokenTimelessTerms(payment)
  if (identical && sound) {
    const { tenantId, subject, planName } = caller
    const request = { id: known.id, tenantId, caller: subject, plan: planName, requestHash: hash }
    const settled = await app.engine.join(request, hangUp)
    if (settled) return settled
  }
  throw duplicate(caller, known)
}

function isCallers(caller: Caller, known: KnownSettlement): boolean {
  return known.tenantId === caller.tenantId && known.caller === caller.subject
}

// Only the caller who made a settlement learns its hash and id from the conflict, and that its outcome is still to come.
function duplicate(caller: Caller, known: KnownSettlement | null): ServiceError {
  const reason = 'duplicate_settlement'
  const told = 'this payment was already submitted; sign a new one for a new purchase'
  if (!known || !isCallers(caller, known)) return new ServiceError('conflict', told, { reason })
  const facts = { reason, transaction: known.txHash ?? '', settlementId: known.id }
  if (known.delivered) return new ServiceError('conflict', told, facts)
  const coming = 'this payment is being settled already; do not sign another one, repeat the identical request for its outcome'
  return new ServiceError('conflict', coming, { ...facts, retryAfterSeconds: 2 })
}

function answerOf(payment: Payment, { reason, message }: Failure, quota: Quota | null): SettleAnswer {
  return { settled: { end: 'judged', failure: { reason, message } }, payer: claimedPayer(payment), quota }
}

function writeFailure(app: App, caller: Caller, payment: Payment, failed: Failed): Promise<void> {
  const signer = failed.proven && isEip3009(payment) ? payment.transfer.authorization.from : ''
  const { payTo, network, resource, amount } = payment
  const errorReason = historyReason(failed.reason)
  return recordFailedJudgement(app.db, {
    tenantId: caller.tenantId,
    payer: signer,
    payTo,
    network,
    resource,
    amount,
    errorReason,
  })
}

/** Runs a step after the unit was taken; when the step refuses, the unit is given back, once, and the headers say so. */
async function returning<T>(app: App, caller: Caller, quota: Quota, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const left = await giveBack(app, caller, quota).catch((lost: unknown) => {
      app.log.error({ err: lost }, 'a unit could not be given back')
      return quota
    })
    throw withHeaders(error, left)
  }
}

async function withQuota<T>(quota: Quota, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw withHeaders(error, quota)
  }
}

function withHeaders(error: unknown, quota: Quota): unknown {
  if (!isServiceError(error)) return error
  return new ServiceError(error.refusal, error.message, {
    ...error.facts,
    headers: { ...error.facts.headers, ...quotaHeaders(quota) },
    cause: error.cause ?? error,
  })
}
