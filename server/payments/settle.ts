import { v7 as uuidv7 } from 'uuid'
import type { Caller } from '../accounts/caller'
import type { Quota } from '../accounts/metering'
import { type Counted, leftNow, type Metering, monthlyQuota, readQuota, requireUnit, spentNow } from '../accounts/metering'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import type { NotClaimed } from '../ledger/engine'
import { factsOfUse } from '../ledger/uses'
import type { Ended, Settled, Waiting } from '../ledger/waiting'
import { claimedPayer, isSigned, isSvm, type Payment, paidBy } from '../x402/payment'
import { type Failure, failure, svmFailure } from '../x402/reasons/reasons'
import { methodOf } from '../x402/schemes/evm-methods'
import { hasOrdinaryLayout } from '../x402/schemes/exact/svm/rules'
import { callsChannels } from '../x402/schemes/upto/svm/open'
import { admit } from './admission'
import { claimRejection } from './claim-rejections'
import { duplicate, findKnown, joinKnown } from './duplicates'
import { failedRow, type JudgedFailure, recordFailure, slowAfterFailure } from './failures'
import { type Failed, judge, judgeAndScreen, judgeStatically, type PaymentCheck, requireScreening } from './judging'
import { needOf, orderOf } from './orders'
import { requireNoUnanswered } from './second-charge'
import { admitPayer } from './unknown-payers'
import { isOfOwnDeposit } from './upto-svm/served'

/** The result of settle. `quota` is null for a request that joined an earlier one. */
export type SettleAnswer = {
  settled: Settled | { end: 'judged'; settlementId: string; failure: Failure }
  payer: string
  quota: Quota | null
  /** Whether the caller's key had logging on at the request. */
  logged: boolean
}

/** One settle request: its caller, its payment, its wait, whether it repeats an earlier one of its name, and what precedes its claim. */
type SettleRequest = {
  caller: Caller
  /** Reads the caller's settings anew. Throws when its key is no longer valid. */
  callerNow: () => Promise<Caller>
  payment: Payment
  waiting: Waiting & { again: boolean }
  /** Called with the judged payment before the claim; it may refuse it. */
  claiming: (judged: Payment) => Promise<void>
  /** Called once a refusal would have the headers of this quota; with null when it would have none again. */
  counting: (counted: Counted | null) => void
}

/**
 * Settles a payment: judges it, claims its intent in the ledger and waits for the engine. The statement that claims the intent or records
 * the failed judgement takes the unit. Returns failed payments, throws refusals. When the caller's settings or key changed between
 * admission and claim, nothing was done: it is admitted once more with the new ones.
 */
export async function settle(app: App, request: SettleRequest): Promise<SettleAnswer> {
  const first = await settleOnce(app, request)
  if (first) return first
  request.counting(null)
  const caller = await request.callerNow()
  const second = await settleOnce(app, { ...request, caller })
  if (second) return second
  const message = "this API key's settings are being changed; nothing was sent, try again"
  throw new ServiceError('unavailable', message, { reason: 'settings_changed', retryAfterSeconds: 1 })
}

/** Null when the caller's settings or key changed meanwhile and nothing was done. */
async function settleOnce(app: App, request: SettleRequest): Promise<SettleAnswer | null> {
  const arrived = app.engine.arriving(request.payment.network)
  try {
    return await settleArrived(app, request, arrived)
  } finally {
    arrived()
  }
}

async function settleArrived(app: App, request: SettleRequest, arrived: () => void): Promise<SettleAnswer | null> {
  const { caller, payment, waiting, counting } = request
  const metering = { caller, network: payment.network, meter: 'settlement' } as const
  const [known, read] = await Promise.all([findKnown(app.db, payment), readQuota(app, metering)])
  // Before admission: a caller that lost a response gets it under any settings.
  if (known) arrived()
  const joined = known && isSigned(payment) ? await joinKnown(app, { caller, payment, known }, waiting) : null
  const earlier = known && isSvm(payment) ? paidBy(payment, known.payer) : payment
  if (joined) return { settled: joined, payer: claimedPayer(earlier), quota: null, logged: caller.logged }

  // The known intent was freed during the wait, and its unit with it.
  const quota = known ? await readQuota(app, metering) : read
  const facilitator = admit(app, caller, payment)
  const checked = judgeStatically(app, caller, facilitator, payment)
  if ('failed' in checked) {
    const { failed } = checked
    arrived()
    counting({ metering, quota })
    return fail(app, { metering, payment, failed, by: 'form', quota })
  }

  // Before the chain's judgement: the first payment may have taken all that the payer had.
  if (payment.transfer.kind !== 'svm-upto') await requireNoUnanswered(app, caller, checked.payment)
  requireScreening(app, caller, checked)
  await app.engine.requireSubmitter(needOf(caller, checked))
  if (!isOfOwnDeposit(payment)) {
    await admitPayer(app, caller, checked.payment, 'settlement')
    requireUnit(app, quota)
  }
  counting({ metering, quota })
  return judgeAndClaim(app, request, checked, { metering, quota, arrived })
}

const hungUp = () =>
  new ServiceError('unavailable', 'the request ended before its payment was claimed; nothing was sent', {
    reason: 'service_unavailable',
    retryAfterSeconds: 1,
  })

type Arriving = Counted & { arrived: () => void }

async function judgeAndClaim(
  app: App,
  { caller, payment, waiting, claiming }: SettleRequest,
  checked: PaymentCheck,
  { metering, quota, arrived }: Arriving,
): Promise<SettleAnswer | null> {
  const judged = await judgeAndScreen(app, caller, checked)
  if ('failed' in judged) {
    arrived()
    return fail(app, { metering, payment, failed: judged.failed, by: 'chain', quota })
  }

  await claiming(judged.payment)
  if (waiting.hangUp.aborted) throw hungUp()
  const ended = await app.engine.settle(orderOf(app, caller, judged, uuidv7()), waiting, arrived)
  // The first payment was claimed meanwhile. If it has its answer by now, this one may be claimed.
  if (ended.end === 'not claimed' && ended.why === 'second charge') await requireNoUnanswered(app, caller, judged.payment)
  if (ended.end === 'not claimed') return unclaimed(app, { metering, quota }, payment, ended)
  if (ended.end === 'underfunded')
    return fail(app, { metering, payment, failed: await whyUnderfunded(app, checked), by: 'chain', quota })
  if (ended.end === 'failed') await slowAfterFailure(app, { metering, quota }, payment)
  const left = await leftAfter(app, metering, quota, ended)
  return { settled: ended, payer: claimedPayer(judged.payment), quota: left, logged: caller.logged }
}

/** The quota after a claim. Its failure gave the unit back, and a wallet's other claims took credits: those are read again. */
async function leftAfter(app: App, metering: Metering, quota: Quota | null, { end, used }: Ended): Promise<Quota | null> {
  if (used && end !== 'failed') return monthlyQuota(metering.caller.limits, metering.meter, used)
  return leftNow(app, metering, quota)
}

/** The refusal of an order that was not claimed. Null when a second try can resolve it. */
async function unclaimed(app: App, { metering, quota }: Counted, payment: Payment, { why }: NotClaimed): Promise<null> {
  const { caller } = metering
  if (why === 'changed' || why === 'revoked' || why === 'second charge') return null
  if (why === 'quota' || why === 'credits') throw await spentNow(app, metering, quota)
  throw why === 'taken' ? duplicate(caller, await findKnown(app.db, payment), payment) : claimRejection(app, caller, payment, why)
}

/** Why a payment would not be signed: the newest block's reason, or what its payer's other payments leave. */
async function whyUnderfunded(app: App, asked: PaymentCheck): Promise<Failed> {
  const judged = await judge(app, asked)
  if ('failed' in judged) return withUse(app, asked, judged.failed)
  return { proven: true, ...shortOf(asked), recorded: 'insufficient_funds' }
}

/** Adds which transaction used an authorization during the wait, and for what. */
async function withUse(app: App, asked: PaymentCheck, failed: Failed): Promise<Failed> {
  if (asked.family === 'svm') return failed
  const method = methodOf(asked.payment)
  if (failed.reason !== method.reasons.used) return failed
  const transfer = method.transfer(asked.payment, { proof: 'key', signature: asked.payment.transfer.signature })
  const { detail } = await factsOfUse(asked.facilitator.chain, transfer, app.log)
  return detail === null ? failed : { ...failed, message: detail }
}

const TOO_LITTLE = "The payer's other payments on their way leave too little for this one"

function shortOf(asked: PaymentCheck): Failure {
  if (asked.family === 'evm') return failure(methodOf(asked.payment).reasons.short, TOO_LITTLE)
  const { payment } = asked
  const { transaction } = payment.transfer
  if (callsChannels(transaction)) return failure('invalid_upto_svm_settlement_simulation', TOO_LITTLE)
  return hasOrdinaryLayout(transaction)
    ? svmFailure(payment, 'invalid_exact_svm_transaction_simulation_failed', TOO_LITTLE)
    : failure('invalid_exact_svm_smart_wallet_simulation_failed', TOO_LITTLE)
}

/** The response to a payment that failed its judgement. Throws `conflict` when another request claimed its intent meanwhile. */
async function fail(app: App, failure: JudgedFailure): Promise<SettleAnswer> {
  const { payment, failed, metering } = failure
  const { caller } = metering
  const id = uuidv7()
  const recorded = await recordFailure(app, failure, failedRow(caller, payment, failed, id))
  if ('known' in recorded) throw duplicate(caller, recorded.known, payment)
  app.timing.judgedBad({ network: payment.network, tier: caller.tier, reason: failed.reason })
  const { reason, message } = failed
  const settled = { end: 'judged', settlementId: id, failure: { reason, message } } as const
  return { settled, payer: claimedPayer(payment), quota: recorded.quota, logged: caller.logged }
}
