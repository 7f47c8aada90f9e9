import { v7 as uuidv7 } from 'uuid'
import { hexToBytes } from 'viem'
import type { Caller } from '../accounts/caller'
import { meter, outOfCredits, peek, returning, takeBack, takeBackUnclaimed, undo, withQuota } from '../accounts/metering'
import type { Quota } from '../accounts/quota'
import type { App } from '../app'
import { isServiceError } from '../errors'
import { recordFailedJudgement } from '../ledger/statements/history'
import { findIntent } from '../ledger/statements/settlements'
import { describeUse } from '../ledger/uses'
import type { Settled, Underfunded, Waiting } from '../ledger/waiting'
import { intentKey } from '../x402/intent'
import { claimedPayer, isSigned, type Payment, payerIn, type SignedPayment } from '../x402/payment'
import { type Failure, failure, historyReason, svmFailure } from '../x402/reasons'
import { admit } from './admission'
import { claimRejection } from './claim-rejections'
import { duplicate, joinKnown } from './duplicates'
import { clear, type Failed, judge, judgeStatically, type PaymentCheck, requireScreening, type ValidPayment } from './judging'
import { needOf, orderOf } from './orders'
import { admitPayer, afterFailure } from './unknown-payers'

/** What settle says. `quota` is null for a request that joined an earlier one. */
export type SettleAnswer = {
  settled: Settled | { end: 'judged'; settlementId: string; failure: Failure }
  payer: string
  quota: Quota | null
  /** Whether the caller's key had logging on when it was asked for. */
  logged: boolean
}

/** One settle request: whose, what, who waits for it, and whether it repeats an earlier one of its name. */
export type SettleRequest = { caller: Caller; payment: Payment; waiting: Waiting & { again: boolean } }

/**
 * Settles a payment: judges it, claims its intent in the ledger and waits for the engine. A failed payment
 * is returned; refusals are thrown, with the unit given back when the refusal is ours. Null when the caller's settings or key
 * changed meanwhile and nothing was done: to be asked again as the caller who they are now.
 */
export async function settle(app: App, request: SettleRequest): Promise<SettleAnswer | null> {
  const { caller, payment, waiting } = request
  const payer = claimedPayer(payment)
  // Before admission: whoever lost an answer gets it, whatever their settings say by now.
  const joined = isSigned(payment) ? await joinKnown(app, caller, payment, waiting) : null
  if (joined) return { settled: joined, payer, quota: null, logged: caller.logged }

  const facilitator = admit(app, caller, payment)
  const asked = judgeStatically(app, caller.tier, facilitator, payment)
  if ('failed' in asked) {
    await requireUnclaimed(app, caller, payment, async () => null)
    return failedAnswer(app, caller, payment, asked.failed, await peek(app, caller, payment.network, 'settlement'))
  }

  // Asked before a unit is taken: an outage of ours is nobody's quota.
  requireScreening(app, caller, asked)
  await app.engine.requireSubmitter(needOf(caller, asked))
  await admitPayer(app, caller, asked.payment, 'settlement')
  const quota = await meter(app, caller, payment.network, 'settlement')
  const judged = await returning(app, quota, () => clear(app, caller, asked))
  if ('failed' in judged) {
    await requireUnclaimed(app, caller, payment, () => takeBack(app, quota))
    const left = await afterFailure(app, caller, asked.payment, quota, judged.failed)
    return failedAnswer(app, caller, payment, judged.failed, left)
  }
  const settled = await claimAndWait(app, caller, judged, quota, waiting)
  if (settled?.end !== 'underfunded')
    return settled && { settled, payer, quota: await afterClaim(app, caller, payment, quota), logged: caller.logged }
  const failed = await returning(app, quota, () => whyUnderfunded(app, asked))
  await requireUnclaimed(app, caller, payment, () => takeBack(app, quota))
  const left = await afterFailure(app, caller, asked.payment, quota, failed)
  return failedAnswer(
    app,
    caller,
    payment,
    failed,
    quota?.unit.by === 'credits' ? await afterClaim(app, caller, payment, left) : left,
  )
}

/**
 * Another request may have claimed it since we looked, however long ago that is by now: what the chain calls used is then our own work, what
 * time has run out for may have landed, and nothing of it is a failure. Throws `conflict`, with what is left when nothing was done for it.
 */
async function requireUnclaimed(app: App, caller: Caller, payment: Payment, left: () => Promise<Quota | null>): Promise<void> {
  const known = isSigned(payment) ? await findIntent(app.db, hexToBytes(intentKey(payment))) : null
  if (known) throw withQuota(duplicate(caller, known), await left())
}

// A credit is taken with the claim, and other claims of the wallet took theirs meanwhile. The answer is true without the count.
async function afterClaim(app: App, caller: Caller, { network }: Payment, quota: Quota | null): Promise<Quota | null> {
  if (quota?.unit.by !== 'credits') return quota
  return peek(app, caller, network, 'settlement').catch((error: unknown) => {
    app.log.error({ err: error }, 'credits could not be counted')
    return quota
  })
}

/** What to say of a payment that would not be signed: what the newest block says, or else what its payer's other payments leave. */
async function whyUnderfunded(app: App, asked: PaymentCheck): Promise<Failed> {
  const judged = await judge(app, asked)
  if ('failed' in judged) return withUse(app, asked, judged.failed)
  return { proven: true, ...SHORT[asked.family](asked.payment), recorded: 'insufficient_funds' }
}

/** An authorization that was used while its payment waited here: which transaction used it, and for what. */
async function withUse(app: App, asked: PaymentCheck, failed: Failed): Promise<Failed> {
  if (asked.family === 'svm' || failed.reason !== 'invalid_exact_evm_nonce_already_used') return failed
  const use = await describeUse(asked.facilitator.chain, asked.payment.transfer.authorization, app.log)
  return use === null ? failed : { ...failed, message: use }
}

const TOO_LITTLE = "The payer's other payments on their way leave too little for this one"

const SHORT = {
  evm: () => failure('invalid_exact_evm_insufficient_balance', TOO_LITTLE),
  svm: (payment) => svmFailure(payment, 'invalid_exact_svm_transaction_simulation_failed', TOO_LITTLE),
} as const satisfies Record<PaymentCheck['family'], (payment: SignedPayment) => Failure>

async function claimAndWait(
  app: App,
  caller: Caller,
  sound: ValidPayment,
  quota: Quota | null,
  waiting: Waiting,
): Promise<Settled | Underfunded | null> {
  const { payment } = sound
  const order = orderOf(app, caller, sound, quota, uuidv7())
  const settled = await app.engine.settle(order, waiting).catch(async (error: unknown) => {
    // Whether there is a claim is not known: if there is none, nothing else would give the unit back.
    if (!isServiceError(error)) takeBackUnclaimed(app, quota, order.id)
    // Otherwise the ledger freed the claim and gave the unit back with it: what is left is its word.
    throw withQuota(
      error,
      isServiceError(error) ? await peek(app, caller, payment.network, 'settlement').catch(() => quota) : quota,
    )
  })
  if (settled.end !== 'not claimed') return settled
  const { why } = settled
  if (why === 'changed' || why === 'revoked') {
    if (quota) await undo(app, quota)
    return null
  }
  const left = await takeBack(app, quota)
  if (why === 'credits' && left) throw outOfCredits(app, { ...left, settlementsLeft: 0 })
  const refusal =
    why === 'taken' || why === 'credits'
      ? duplicate(caller, await findIntent(app.db, order.intentKey))
      : claimRejection(app, caller, payment, why)
  throw withQuota(refusal, left)
}

/** Rows of judged failures that a caller may write in a month, whatever its plan; more where a tenth of the plan is more. */
const FAILED_ROWS_LEAST = 1_000

/** The answer to a payment that was judged and failed, with its row in the history, unless the caller has filled its own share. */
async function failedAnswer(
  app: App,
  caller: Caller,
  payment: Payment,
  failed: Failed,
  quota: Quota | null,
): Promise<SettleAnswer> {
  const id = uuidv7()
  const { payTo, network, resource, amount } = payment
  app.timing.judgedBad({ network, tier: caller.tier, reason: failed.reason })
  await recordFailedJudgement(app.db, {
    id,
    tenantId: caller.tenantId,
    caller: caller.id,
    payer: failed.proven ? payerIn(payment) : '',
    payTo,
    network,
    resource,
    amount,
    errorReason: failed.recorded ?? historyReason(failed.reason),
    rowsMax: Math.max(FAILED_ROWS_LEAST, Math.ceil(caller.limits.settlements / 10)),
  })
  const failure = { reason: failed.reason, message: failed.message }
  return { settled: { end: 'judged', settlementId: id, failure }, payer: claimedPayer(payment), quota, logged: caller.logged }
}
