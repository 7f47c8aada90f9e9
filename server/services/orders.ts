import { hexToBytes } from 'viem'
import type { EvmOrder, Need, Order, SvmOrder } from '../settlement/engine'
import { PREPAID, subjectOfCredits } from '../store/credits'
import { feeOf, transferIn } from '../x402/exact-svm'
import { intentKey, requestHash } from '../x402/intent'
import type { SignedPayment } from '../x402/payment'
import type { App } from './app'
import { type Caller, HOUSE_TENANT } from './caller'
import type { Case, Sound } from './judging'
import { claimLimits, paceOf } from './limits'
import { wantedEffects } from './listing'
import { returnCap } from './metering-month'
import { creditsFor } from './prices'
import type { Quota } from './quota'

/** The height that was read, and the life of a blockhash, may be a few blocks old. */
const HEIGHT_SLACK = 10n

/** What the payment needs to be carried. */
export function needOf(caller: Caller, { family, payment, facilitator }: Case): Need {
  const feePayer = family === 'svm' ? (payment.transfer.transaction.accounts[0] ?? '') : null
  return { network: payment.network, tier: caller.tier, laneClass: facilitator.carrier, feePayer }
}

/** The order of a judged payment, under an id. */
export function orderOf(app: App, caller: Caller, sound: Sound, quota: Quota | null, id: string): Order {
  const common = { ...commonOf(caller, sound.payment, quota, id), effects: wantedEffects(app, sound.payment) }
  return sound.family === 'svm' ? svmOrder(app, caller, sound, common) : evmOrder(app, caller, sound, common)
}

type Common = ReturnType<typeof commonOf> & Pick<Order, 'effects'>

/** Whose unit a claim has taken or will take, of which period, and how many of it may come back. */
function takenFrom(quota: Quota | null): Pick<Order, 'subject' | 'period' | 'returnCap'> {
  if (!quota) return { subject: 'house', period: 'none', returnCap: 0 }
  const { unit } = quota
  if (unit.by === 'credits') return { subject: subjectOfCredits(unit.account), period: PREPAID, returnCap: 0 }
  return { subject: unit.subject, period: unit.period, returnCap: returnCap(quota) }
}

/** Whose queue a payment counts against: whoever shares a quota shares a queue. A purchase of credits is its buyer's own. */
function partyOf({ id, tenantId, metered }: Caller): string {
  if (tenantId === HOUSE_TENANT || metered.by === 'nothing') return id
  return metered.by === 'month' ? metered.subject : `wallet:${metered.wallet}`
}

function commonOf(caller: Caller, payment: SignedPayment, quota: Quota | null, id: string) {
  return {
    id,
    intentKey: hexToBytes(intentKey(payment)),
    requestHash: hexToBytes(requestHash(payment)),
    tenantId: caller.tenantId,
    key: caller.key,
    caller: caller.id,
    party: partyOf(caller),
    ...takenFrom(quota),
    credits: caller.tenantId === HOUSE_TENANT ? creditsFor(payment.amount) : 0n,
    tier: caller.tier,
    pace: paceOf(caller.tier, payment.network),
    asset: payment.asset,
    payTo: payment.payTo,
    amount: payment.amount,
    resource: payment.resource,
    declared: payment.declared,
  }
}

function evmOrder(app: App, caller: Caller, sound: Extract<Sound, { family: 'evm' }>, common: Common): EvmOrder {
  const { payment, facilitator, judgement, judgedAt } = sound
  const { authorization } = payment.transfer
  const { proof, signature, baseFee, block } = judgement
  const gasEach = facilitator.carrier === 'remote' ? null : facilitator.chain.costOf(baseFee)
  return {
    ...common,
    family: 'evm',
    laneClass: facilitator.carrier,
    network: payment.network,
    payer: authorization.from,
    expiresAt: authorization.validBefore,
    transfer: { authorization, signature, proof },
    baseFee,
    judgedAt,
    judgedBlock: block,
    limits: claimLimits(app, caller.tier, payment.network, { proof, gasEach }),
  }
}

function svmOrder(app: App, caller: Caller, sound: Extract<Sound, { family: 'svm' }>, common: Common): SvmOrder {
  const { payment, facilitator, judgement, askedAt } = sound
  const again = async () => {
    const anew = await facilitator.chain.judge(payment)
    return anew.valid ? anew.spare : null
  }
  const { transaction } = payment.transfer
  const transfer = transferIn(transaction)
  if (!transfer) throw new Error('a judged transaction has no transfer')
  const fee = feeOf(transaction)
  return {
    ...common,
    family: 'svm',
    laneClass: facilitator.carrier,
    network: payment.network,
    payer: transfer.payer,
    expiresAt: judgement.height + judgement.left + HEIGHT_SLACK,
    cargo: { transaction, source: transfer.source, spare: judgement.spare, askedAt, again, fee, sinceSlot: judgement.slot },
    limits: claimLimits(app, caller.tier, payment.network, { proof: 'own bytes', gasEach: fee }),
  }
}
