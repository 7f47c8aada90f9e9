import { hexToBytes, parseUnits } from 'viem'
import { type Caller, OPERATOR_TENANT } from '../accounts/caller'
import { chargeOf } from '../accounts/metering'
import { creditsFor, type Tier } from '../accounts/plans'
import type { App } from '../app'
import type { Proof } from '../chains/evm/calldata'
import { wantedEffects } from '../discovery/catalog'
import type { EvmOrder, Need, Order, SvmOrder } from '../ledger/engine'
import type { ClaimLimits } from '../ledger/statements/claim-counts'
import type { ConfirmationLevel } from '../ledger/waiting'
import { coins } from '../x402/amounts'
import { intentKey, requestHash } from '../x402/intent'
import { type NetworkId, networks } from '../x402/networks'
import type { SignedPayment } from '../x402/payment'
import { feeOf, transferIn } from '../x402/schemes/exact-svm/rules'
import type { PaymentCheck, ValidPayment } from './judging'

/** The height that was read, and the life of a blockhash, may be a few blocks old. */
const HEIGHT_SLACK = 10n

/** What the payment needs to be carried. */
export function needOf(caller: Caller, { family, payment, facilitator }: PaymentCheck): Need {
  const feePayer = family === 'svm' ? (payment.transfer.transaction.accounts[0] ?? '') : null
  return { network: payment.network, tier: caller.tier, laneClass: facilitator.submitter, feePayer }
}

/** The order of a judged payment, under an id. */
export function orderOf(app: App, caller: Caller, sound: ValidPayment, id: string): Order {
  const common = { ...commonOf(caller, sound.payment, id), effects: wantedEffects(app, sound.payment) }
  return sound.family === 'svm' ? svmOrder(app, caller, sound, common) : evmOrder(app, caller, sound, common)
}

type Common = ReturnType<typeof commonOf> & Pick<Order, 'effects'>

/** Whose queue a payment counts against: callers that share a quota share a queue. A purchase of credits is its buyer's own. */
function partyOf({ id, tenantId, metered }: Caller): string {
  if (tenantId === OPERATOR_TENANT || metered.by === 'nothing') return id
  return metered.by === 'month' ? metered.subject : `wallet:${metered.wallet}`
}

function commonOf(caller: Caller, payment: SignedPayment, id: string) {
  return {
    id,
    intentKey: hexToBytes(intentKey(payment)),
    requestHash: hexToBytes(requestHash(payment)),
    tenantId: caller.tenantId,
    key: caller.key,
    caller: caller.id,
    party: partyOf(caller),
    ...chargeOf(caller, payment.network),
    credits: caller.tenantId === OPERATOR_TENANT ? creditsFor(payment.amount) : 0n,
    tier: caller.tier,
    confirmationLevel: confirmationLevelOf(caller.tier, payment.network),
    asset: payment.asset,
    payTo: payment.payTo,
    amount: payment.amount,
    resource: payment.resource,
    declared: payment.declared,
  }
}

function evmOrder(app: App, caller: Caller, sound: Extract<ValidPayment, { family: 'evm' }>, common: Common): EvmOrder {
  const { payment, facilitator, judgement, judgedAt } = sound
  const { authorization } = payment.transfer
  const { proof, signature, baseFee, block } = judgement
  const gasEach = facilitator.submitter === 'remote' ? null : facilitator.chain.costOf(baseFee)
  return {
    ...common,
    family: 'evm',
    laneClass: facilitator.submitter,
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

function svmOrder(app: App, caller: Caller, sound: Extract<ValidPayment, { family: 'svm' }>, common: Common): SvmOrder {
  const { payment, facilitator, judgement, askedAt } = sound
  const again = async () => {
    const anew = await facilitator.chain.judge(payment)
    return anew.valid ? anew.headroom : null
  }
  const { transaction } = payment.transfer
  const transfer = transferIn(transaction)
  if (!transfer) throw new Error('a judged transaction has no transfer')
  const fee = feeOf(transaction)
  return {
    ...common,
    family: 'svm',
    laneClass: facilitator.submitter,
    network: payment.network,
    payer: transfer.payer,
    expiresAt: judgement.height + judgement.left + HEIGHT_SLACK,
    payload: {
      transaction,
      source: transfer.source,
      headroom: judgement.headroom,
      askedAt,
      again,
      fee,
      sinceSlot: judgement.slot,
    },
    limits: claimLimits(app, caller.tier, payment.network, { proof: 'own bytes', gasEach: fee }),
  }
}

/** Payments on their way at once: of one payer, and of one party, on one network. */
const PAYER_QUEUE_MAX = 200
const PARTY_QUEUE_MAX = 500

/** Failures on the chain within an hour that pause a payer: at one party, and at all when several parties saw them. We paid for each. */
const PAYER_FAILURES_MAX = 3
const FAILURES_EVERYWHERE_MAX = 9
const FAILURES_PARTIES_MIN = 3

/**
 * A party whose payers failed so often within an hour is guarded: payers that have never paid travel alone, few at once, and all others
 * have few payments on their way at once.
 */
const GUARD_AT = 10
const GUARDED_PAYER_QUEUE_MAX = 2
const ALONE_QUEUE_MAX = 3

/** What one caller may hold as preconfirmations without a block: 10,000 USDC. */
const UNCONFIRMED_MAX = 10_000_000_000n

/** More than any budget: gas that another facilitator pays is not ours to count. */
const UNBOUNDED = 10n ** 60n

/** A payer's own transaction on Solana may fail for reasons of the payer's, known a little later. */
const SVM_QUEUE_MAX = 10

/**
 * A transfer on its way: proven by the payer's key or code, or bytes that the payer made, and what it may cost us in gas; null: none of it
 * is ours.
 */
type GasShare = { proof: Proof | 'own bytes'; gasEach: bigint | null }

const QUEUE_MAX = { key: PAYER_QUEUE_MAX, code: PAYER_FAILURES_MAX, 'own bytes': SVM_QUEUE_MAX } as const

/** How long a request of a tier waits for its outcome: on Solana nothing is unconfirmed before a block. */
export function confirmationLevelOf(tier: Tier, network: NetworkId): ConfirmationLevel {
  return tier === 'flash' && networks[network].family === 'evm' ? 'flash' : 'usual'
}

/** The bounds of a claim of a tier on this network. */
function claimLimits({ config }: App, tier: Tier, network: NetworkId, { proof, gasEach }: GasShare): ClaimLimits {
  const gasBudget = parseUnits(config.gasBudgetDay, coins[networks[network].family].decimals)
  return {
    // Code may answer a check and the chain differently: so many of its failures are known before the next ones are sent.
    payerQueue: gasEach === null ? PAYER_QUEUE_MAX : QUEUE_MAX[proof],
    partyQueue: PARTY_QUEUE_MAX,
    payerFailures: PAYER_FAILURES_MAX,
    failuresEverywhere: FAILURES_EVERYWHERE_MAX,
    failuresParties: FAILURES_PARTIES_MIN,
    guardAt: GUARD_AT,
    guardedPayerQueue: GUARDED_PAYER_QUEUE_MAX,
    aloneQueue: ALONE_QUEUE_MAX,
    horizonMs: config.horizonMs,
    gasBudget: gasEach === null ? UNBOUNDED : gasBudget,
    gasEach: gasEach ?? 0n,
    unconfirmed: confirmationLevelOf(tier, network) === 'flash' ? UNCONFIRMED_MAX : null,
  }
}
