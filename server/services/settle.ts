import { v7 as uuidv7 } from 'uuid'
import { hexToBytes } from 'viem'
import type { Judgement } from '../chains/evm/judgement'
import { isServiceError } from '../errors'
import type { Settled, Unfit, Waiting } from '../settlement/answers'
import type { Order } from '../settlement/engine'
import { recordFailedJudgement } from '../store/history'
import { findIntent } from '../store/settlements'
import { intentKey, requestHash } from '../x402/intent'
import { claimedPayer, type Eip3009Payment, isEip3009, type Payment } from '../x402/payment'
import { type Failure, failure, historyReason } from '../x402/reasons'
import { admit } from './admission'
import type { App } from './app'
import type { Caller } from './caller'
import { clear, requireScreening } from './clearance'
import { duplicate, joinKnown } from './duplicates'
import type { Facilitator } from './facilitators'
import { type Failed, judge, judgeStatically } from './judging'
import { claimLimits } from './limits'
import { meter, peek, type Quota, returnCap, undo } from './metering'
import { obstacle } from './not-claimed'
import { returning, takeBack, takeBackUnclaimed, withQuota } from './quota-scope'

/** What settle says. `quota` is null for a request that joined an earlier one. */
export type SettleAnswer = {
  settled: Settled | { end: 'judged'; settlementId: string; failure: Failure }
  payer: string
  quota: Quota | null
}

/** One settle request: whose, what, who waits for it, and whether it repeats an earlier one of its name. */
export type SettleRequest = { caller: Caller; payment: Payment; waiting: Waiting & { again: boolean } }

/**
 * Settles a payment: judges it, claims its intent in the ledger and waits for the engine (SPEC "settle"). A failed payment
 * is returned; refusals are thrown, with the unit given back when the refusal is ours. Null when the caller's settings or key
 * changed meanwhile and nothing was done: to be asked again as the caller who they are now.
 */
export async function settle(app: App, request: SettleRequest): Promise<SettleAnswer | null> {
  const { caller, payment, waiting } = request
  const payer = claimedPayer(payment)
  // Before admission: whoever lost an answer gets it, whatever their settings say by now.
  const joined = isEip3009(payment) ? await joinKnown(app, caller, payment, waiting) : null
  if (joined) return { settled: joined, payer, quota: null }

  const facilitator = admit(app, caller, payment)
  const judged = judgeStatically(app, payment)
  if ('failed' in judged) return failedAnswer(app, caller, payment, judged.failed, await peek(app, caller, 'settlement'))

  // Asked before a unit is taken: an outage of ours is nobody's quota.
  requireScreening(app, facilitator, judged.payment)
  await app.engine.requireCarrier({ network: payment.network, tier: caller.tier, laneClass: facilitator.carrier })
  const quota = await meter(app, caller, 'settlement')
  const judgement = await returning(app, caller, quota, () => clear(app, facilitator, judged.payment))
  if (!judgement.valid) {
    // Another request may have claimed it since we looked: what the chain calls used is then our own work and no failure.
    const known = await findIntent(app.db, hexToBytes(intentKey(judged.payment)))
    if (known) throw withQuota(duplicate(caller, known), await takeBack(app, caller, quota))
    return failedAnswer(app, caller, payment, judgement, quota)
  }
  const settled = await claimAndWait(app, caller, facilitator, judged.payment, judgement, quota, waiting)
  if (settled?.end !== 'unfit') return settled && { settled, payer, quota }
  const failed = await whyUnfit(app, facilitator, judged.payment)
  return failedAnswer(app, caller, payment, failed, await peek(app, caller, 'settlement'))
}

/** What to say of a payment that its lane would not sign: what the newest block says, or else what its payer's other payments leave. */
async function whyUnfit(app: App, { chain }: Facilitator, payment: Eip3009Payment): Promise<Failed> {
  const judgement = await judge(app, chain, payment)
  if (!judgement.valid) return judgement
  const message = "The payer's other payments on their way leave too little for this one"
  return { proven: true, ...failure('invalid_exact_evm_insufficient_balance', message) }
}

type Valid = Extract<Judgement, { valid: true }>

async function claimAndWait(
  app: App,
  caller: Caller,
  facilitator: Facilitator,
  payment: Eip3009Payment,
  judgement: Valid,
  quota: Quota,
  waiting: Waiting,
): Promise<Settled | Unfit | null> {
  const order = orderOf(app, caller, facilitator, payment, judgement, quota)
  const settled = await app.engine.settle(order, waiting).catch(async (error: unknown) => {
    // Whether there is a claim is not known: if there is none, nothing else would give the unit back.
    if (!isServiceError(error)) takeBackUnclaimed(app, caller, quota, order.id)
    // Otherwise the ledger freed the claim and gave the unit back with it: what is left is its word.
    throw withQuota(error, isServiceError(error) ? await peek(app, caller, 'settlement').catch(() => quota) : quota)
  })
  if (settled.end !== 'not claimed') return settled
  const { why } = settled
  if (why === 'changed' || why === 'revoked') {
    await undo(app, caller, quota)
    return null
  }
  const left = await takeBack(app, caller, quota)
  const refusal =
    why === 'taken' ? duplicate(caller, await findIntent(app.db, order.intentKey)) : obstacle(app, caller, payment, why)
  throw withQuota(refusal, left)
}

function orderOf(
  app: App,
  caller: Caller,
  { chain, carrier }: Facilitator,
  payment: Eip3009Payment,
  judgement: Valid,
  quota: Quota,
): Order {
  const { authorization } = payment.transfer
  const gasEach = carrier === 'remote' ? null : chain.costOf(judgement.baseFee)
  return {
    id: uuidv7(),
    laneClass: carrier,
    intentKey: hexToBytes(intentKey(payment)),
    requestHash: hexToBytes(requestHash(payment)),
    tenantId: caller.tenantId,
    key: caller.key,
    caller: caller.id,
    subject: caller.subject,
    period: quota.period,
    returnCap: returnCap(quota),
    tier: caller.tier,
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
    judgedAt: performance.now(),
    judgedBlock: judgement.block,
    limits: claimLimits(app, caller.tier, payment.network, { proof: judgement.proof, gasEach }),
  }
}

/** The answer to a payment that was judged and failed, with its row in the history. */
async function failedAnswer(app: App, caller: Caller, payment: Payment, failed: Failed, quota: Quota): Promise<SettleAnswer> {
  const id = uuidv7()
  const { payTo, network, resource, amount } = payment
  await recordFailedJudgement(app.db, {
    id,
    tenantId: caller.tenantId,
    caller: caller.id,
    payer: failed.proven && isEip3009(payment) ? payment.transfer.authorization.from : '',
    payTo,
    network,
    resource,
    amount,
    errorReason: historyReason(failed.reason),
  })
  const failure = { reason: failed.reason, message: failed.message }
  return { settled: { end: 'judged', settlementId: id, failure }, payer: claimedPayer(payment), quota }
}
