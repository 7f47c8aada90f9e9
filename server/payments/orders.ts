import { type Hex, hexToBytes } from 'viem'
import { type Caller, OPERATOR_TENANT } from '../accounts/caller'
import { creditsFor } from '../accounts/credit-price'
import { chargeOf } from '../accounts/metering'
import type { Tier } from '../accounts/plans'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import type { Head } from '../chains/evm/rpc'
import type { SvmJudgement } from '../chains/svm/judged'
import { wantedEffects } from '../discovery/catalog'
import type { Need } from '../ledger/engine'
import type { BoundFacts } from '../ledger/guards/guard'
import { type ClaimLimits, limitsOf } from '../ledger/guards/guards'
import type { EvmOrder, Order, SvmOrder } from '../ledger/orders'
import type { DepositedChannel } from '../ledger/statements/claim-columns'
import { racesOf } from '../ledger/statements/usage'
import type { ConfirmationLevel } from '../ledger/waiting'
import { intentKey, requestHash } from '../x402/intent'
import { assetIn } from '../x402/networks/assets'
import type { Finality } from '../x402/networks/finality'
import { type EvmNetworkId, isEvmNetwork, type NetworkId, networkRow, type SvmNetworkId } from '../x402/networks/networks'
import { isClaimStep, type SignedPayment } from '../x402/payment'
import { paymentIdentifierOf } from '../x402/payment-identifier'
import { channelIdOf } from '../x402/schemes/batch-settlement/hashes'
import { costOfApproval } from '../x402/schemes/evm-method'
import { methodFor, methodOf } from '../x402/schemes/evm-methods'
import { feeOf } from '../x402/schemes/exact/svm/fees'
import { provesItself } from '../x402/schemes/exact/svm/rules'
import { CHANNEL_RENT, LATER_FEES } from '../x402/schemes/upto/svm/program'
import { channelIn } from '../x402/schemes/upto/svm/rules'
import type { UptoChannel } from '../x402/schemes/upto/svm/transfers'
import type { Act } from './channels/prepared'
import type { EvmFacilitator, SvmFacilitator } from './facilitators'
import { approvalMaxOf, freeFromOf, gasBudgetsOf, gasMaxOf } from './gas-budgets'
import type { PaymentCheck, ValidPayment } from './judging'
import type { ChargeRequest } from './upto-svm/queries'
import { isOfOwnDeposit } from './upto-svm/served'

/** Sending ether to a payer. */
const GAS_OF_FUNDING = 21_000n

/** The read height and the blockhash's remaining life may be a few blocks old. */
const HEIGHT_SLACK = 10n

/** What the payment needs to be sent. */
export function needOf(caller: Caller, { family, payment, facilitator }: PaymentCheck): Need {
  const feePayer = family === 'svm' ? (payment.transfer.transaction.accounts[0] ?? '') : null
  const sender = family === 'evm' && payment.transfer.kind === 'upto' ? payment.transfer.authorization.facilitator : null
  return {
    network: payment.network,
    tier: caller.tier,
    laneClass: facilitator.submitter,
    feePayer,
    sender,
    use: feeUseOf(payment),
  }
}

const feeUseOf = (payment: SignedPayment) => (isEscrow(payment) ? 'opening' : isClaimStep(payment) ? 'ending' : 'payment')

/** The order of a valid payment, under an id. */
export function orderOf(app: App, caller: Caller, valid: ValidPayment, id: string): Order {
  const isDeposit = 'deposit' in valid.payment.transfer
  const common = {
    ...commonOf(caller, valid.payment, id),
    // What only goes into a channel pays for nothing yet.
    effects: paysNothing(valid.payment) ? [] : wantedEffects(app, valid.payment),
    kind: isDeposit ? ('deposit' as const) : isEscrow(valid.payment) ? ('escrow' as const) : ('payment' as const),
    channel: depositedChannel(app, caller, valid.payment),
    opens: isEscrow(valid.payment) ? channelIn(valid.payment) : null,
  }
  return valid.family === 'svm' ? svmOrder(app, caller, valid, common) : evmOrder(app, caller, valid, common)
}

type Common = ReturnType<typeof commonOf> & Pick<Order, 'effects' | 'kind' | 'channel' | 'opens'>

const paysNothing = (payment: SignedPayment) =>
  payment.transfer.kind === 'svm-upto' && (!isClaimStep(payment) || payment.charge === 0n)
const isEscrow = (payment: SignedPayment) => payment.transfer.kind === 'svm-upto' && !isClaimStep(payment)

/** The channel of a deposit whose refunds are signed here: no refund may leave out the voucher that came with it. */
function depositedChannel(app: App, caller: Caller, { network, transfer }: SignedPayment): DepositedChannel | null {
  if (!('deposit' in transfer) || !isEvmNetwork(network)) return null
  const { channel, voucher } = transfer.deposit
  if (!app.authorizers.at(caller, channel.receiverAuthorizer)) return null
  const { maxClaimable: signed, signature } = voucher
  return { id: channelIdOf(network, channel), config: channel, signed, signature }
}

/**
 * The party whose queue a payment counts against: callers that share a quota share a queue. A purchase of credits counts for its buyer.
 */
function partyOf({ id, tenantId, metered }: Caller): string {
  if (tenantId === OPERATOR_TENANT || metered.by === 'nothing') return id
  return metered.by === 'month' ? metered.subject : `wallet:${metered.wallet}`
}

/** The caller of what takes no unit. */
const forNothing = (caller: Caller): Caller => ({ ...caller, metered: { by: 'nothing' } })

function commonOf(caller: Caller, payment: SignedPayment, id: string) {
  return {
    id,
    intentKey: hexToBytes(intentKey(payment)),
    requestHash: hexToBytes(requestHash(payment)),
    tenantId: caller.tenantId,
    key: caller.key,
    caller: caller.id,
    party: partyOf(caller),
    freeFrom: freeFromOf(caller, payment.network),
    ...chargeOf(isOfOwnDeposit(payment) ? forNothing(caller) : caller, payment.network),
    credits: caller.tenantId === OPERATOR_TENANT ? creditsFor(payment.amount) : 0n,
    tier: caller.tier,
    confirmationLevel: waitOf(caller, payment.network),
    shares: caller.shares,
    waitUntil: caller.waitUntil,
    paymentIdentifier: paymentIdentifierOf(payment),
    asset: payment.asset,
    payTo: payment.payTo,
    amount: payment.charge ?? payment.amount,
    maximum: payment.charge === undefined ? null : payment.amount,
    resource: payment.resource,
    declared: payment.declared,
  }
}

function evmOrder(app: App, caller: Caller, valid: Extract<ValidPayment, { family: 'evm' }>, common: Common): EvmOrder {
  const { payment, facilitator, judgement, judgedAt } = valid
  const { transfer, baseFee, block } = judgement
  const method = methodFor(transfer)
  const approval = method.approval(transfer)
  const { alone } = method.gas(transfer)
  // The payer's approval, and the transaction that pays for it.
  const ahead = approval ? costOfApproval(approval) + facilitator.chain.costOf(baseFee, GAS_OF_FUNDING) : 0n
  const gasEach = facilitator.submitter === 'remote' ? null : facilitator.chain.costOf(baseFee, alone) + ahead
  return {
    ...common,
    // An approval takes a block of its own.
    confirmationLevel: approval ? 'usual' : common.confirmationLevel,
    family: 'evm',
    laneClass: facilitator.submitter,
    network: payment.network,
    payer: transfer.authorization.from,
    sender: method.sender(transfer),
    expiresAt: methodOf(payment).expiresAt(payment),
    transfer,
    baseFee,
    judgedAt,
    judgedBlock: block,
    limits: claimLimits(app, caller, payment, {
      proof: transfer.proof,
      gasEach,
      approving: approval && ahead,
      ...secondChargeOf(caller, payment),
    }),
  }
}

/** Claims and refunds of a caller's own channels that a month takes beyond its quota. */
const RESERVED_UNITS = 100
/** The part of a day's own gas budget that claims and refunds have beyond it. */
const RESERVED_SHARE = 10n

function chargeOfAct(
  caller: Caller,
  network: EvmNetworkId,
  { reserved, races }: { reserved: boolean; races: boolean },
): ReturnType<typeof chargeOf> {
  // A payer decides how often it withdraws: that must not spend the month of the merchant's payments.
  if (races) return chargeOf(forNothing(caller), network)
  const charge = chargeOf(caller, network)
  return reserved && caller.metered.by === 'month' ? { ...charge, unitsMax: charge.unitsMax + RESERVED_UNITS } : charge
}

// The budget that all free keys share has no reserve: one key could take it from the others.
const withReserve = ({ own, free }: BoundFacts['budgets']): BoundFacts['budgets'] => ({ own: own + own / RESERVED_SHARE, free })

// What races withdrawals has a day's budget of its own: a payer decides how often it withdraws.
const partyOfAct = (caller: Caller, races: boolean): string => (races ? racesOf(partyOf(caller)) : partyOf(caller))

/** Acts have no time of their own at which the chain refuses them. */
const NEVER = 2n ** 62n

/** What the service does for a tenant by itself. `races`: a withdrawal, which no queue may let win. */
export type ByService = { races: boolean }

/** More than a count. */
const NO_COUNT = 2_000_000_000

/** The bounds of what races a withdrawal: those of its gas alone. */
const withoutCounts = (limits: ClaimLimits): ClaimLimits => ({
  ...limits,
  payerQueue: NO_COUNT,
  guardedPayerQueue: NO_COUNT,
  partyQueue: NO_COUNT,
  aloneQueue: NO_COUNT,
  payerFailures: NO_COUNT,
  failuresEverywhere: NO_COUNT,
})

type ActTerms = { act: Act; network: EvmNetworkId; payTo: string; head: Head; id: string; byService: ByService | null }

/** The order of an act of channels: nobody's signature ends, and its signer is an account that moves nothing. */
export function actOrder(
  app: App,
  caller: Caller,
  { chain, submitter }: EvmFacilitator,
  { act, network, payTo, head, id, byService }: ActTerms,
): EvmOrder {
  const { transfer, intentKey, kind, amount } = act
  const { asset, authorization } = transfer
  const { alone } = methodFor(transfer).gas(transfer)
  const gasEach = chain.costOf(head.baseFee, alone)
  const hash = hexToBytes(intentKey)
  const races = byService?.races === true
  // Income of the caller's own channels is not lost for a spent quota: what they claim and refund has a part beyond it.
  const reserved = kind !== 'sweep' && app.authorizers.at(caller, authorization.from) !== null
  return {
    id,
    kind,
    intentKey: hash,
    requestHash: hash,
    tenantId: caller.tenantId,
    key: byService ? null : caller.key,
    caller: caller.id,
    party: partyOfAct(caller, races),
    freeFrom: freeFromOf(caller, network),
    ...chargeOfAct(caller, network, { reserved, races }),
    credits: 0n,
    tier: caller.tier,
    confirmationLevel: 'usual',
    shares: caller.shares,
    waitUntil: caller.waitUntil,
    paymentIdentifier: null,
    asset,
    payTo: kind === 'refund' ? authorization.to : payTo,
    amount,
    maximum: null,
    resource: '',
    claimRows: act.rows,
    declared: {},
    effects: [],
    family: 'evm',
    laneClass: submitter,
    network,
    // No account pays: what an act does is no account's payment, failure or turn in a queue.
    payer: `acts of ${partyOf(caller)}`,
    sender: null,
    expiresAt: NEVER,
    transfer,
    baseFee: head.baseFee,
    judgedAt: performance.now(),
    judgedBlock: head.number,
    limits: races
      ? withoutCounts(boundsOf(app, caller, { network, asset }, { proof: transfer.proof, gasEach }))
      : claimLimits(app, caller, { network, asset }, { proof: transfer.proof, gasEach, reserved }),
  }
}

function svmOrder(app: App, caller: Caller, valid: Extract<ValidPayment, { family: 'svm' }>, common: Common): SvmOrder {
  const { payment, facilitator, judgement, askedAt } = valid
  const judgeAgain = async () => {
    const judged = await facilitator.chain.judge(payment)
    return judged.valid ? judged.headroom : null
  }
  const { transfer, built: transaction = payment.transfer.transaction } = judgement
  const proof = provesItself(transaction) ? 'own bytes' : 'own program'
  const fee = feeOf(transaction)
  // A deposit is taken only when the day pays for the steps behind it, too.
  const gasEach = isEscrow(payment) ? fee + LATER_FEES : fee
  const share = {
    proof,
    gasEach,
    opensChannel: isEscrow(payment) ? app.config.svm.uptoChannels : null,
    ...secondChargeOf(caller, payment),
  } as const
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
      readAt: askedAt,
      judgeAgain,
      fee,
      rent: isEscrow(payment) ? CHANNEL_RENT : 0n,
      use: feeUseOf(payment),
      sinceSlot: judgement.slot,
      left: judgement.left,
    },
    // Its payer's money is in the channel already: no queue may keep the merchant from its charge.
    limits: isClaimStep(payment) ? laterLimits(app, caller, payment, fee) : claimLimits(app, caller, payment, share),
  }
}

/**
 * The bounds of what follows a deposit: its owner's day of gas with the reserve. What all free keys share bounds deposits alone: another key
 * must not keep this one from its charge.
 */
function laterLimits(app: App, caller: Caller, payment: BoundPayment, gasEach: bigint): ClaimLimits {
  const limits = boundsOf(app, caller, payment, { proof: 'own bytes', gasEach, reserved: true })
  return { ...withoutCounts(limits), freeBudget: null }
}

/** The end of a channel that the service makes by itself: a charge again, a payout without one, or the rent back. */
type ChannelEnding = {
  id: string
  kind: 'payment' | 'close' | 'reclaim'
  intentKey: Hex
  network: SvmNetworkId
  channel: UptoChannel
  amount: bigint
  judgement: Extract<SvmJudgement, { valid: true }>
  /** The request that asked for the charge: its retry finds this settlement. Null if no request did. */
  request: ChargeRequest | null
}

/** The order that ends a channel. No quota counts it, and no queue delays it. */
export function endingOrder(
  app: App,
  caller: Caller,
  { submitter }: SvmFacilitator,
  { id, kind, intentKey: key, network, channel, amount, judgement, request }: ChannelEnding,
): SvmOrder {
  const { transfer, built: transaction } = judgement
  if (!transaction) throw new Error('the end of a channel is a transaction of ours')
  const fee = feeOf(transaction)
  const hash = hexToBytes(key)
  return {
    id,
    kind,
    intentKey: hash,
    tenantId: caller.tenantId,
    key: null,
    party: partyOf(caller),
    freeFrom: freeFromOf(caller, network),
    ...chargeOf(forNothing(caller), network),
    credits: 0n,
    tier: caller.tier,
    confirmationLevel: 'usual',
    shares: caller.shares,
    waitUntil: null,
    asset: channel.asset,
    payTo: channel.payTo,
    amount,
    maximum: channel.maximum,
    ...(request ?? { caller: caller.id, requestHash: hash, paymentIdentifier: null, resource: '', declared: {}, effects: [] }),
    family: 'svm',
    laneClass: submitter,
    network,
    payer: channel.payer,
    expiresAt: judgement.height + judgement.left + HEIGHT_SLACK,
    payload: {
      transaction,
      source: transfer.source,
      headroom: judgement.headroom,
      readAt: performance.now(),
      judgeAgain: async () => judgement.headroom,
      fee,
      rent: 0n,
      use: 'ending',
      sinceSlot: judgement.slot,
      left: judgement.left,
    },
    limits: laterLimits(app, caller, { network, asset: channel.asset }, fee),
  }
}

// Without a resource nothing says that two payments are for the same. Of a channel the first step says what the second does.
const secondChargeOf = (
  { secondChargeSeconds }: Caller,
  { resource, transfer }: Pick<SignedPayment, 'resource' | 'transfer'>,
) => ({
  secondChargeSeconds: resource === '' || transfer.kind === 'svm-upto' ? null : secondChargeSeconds,
})

/** The gas risk of a transfer. */
type GasShare = Pick<BoundFacts, 'proof' | 'gasEach'> &
  Partial<Pick<BoundFacts, 'approving' | 'secondChargeSeconds' | 'opensChannel'>> & { reserved?: boolean }

/** Whether payments of a tier are preconfirmed: Solana has no preconfirmations. */
function confirmationLevelOf(tier: Tier, network: NetworkId): ConfirmationLevel {
  return tier === 'flash' && networkRow(network).family === 'evm' ? 'flash' : 'usual'
}

/** How long a request of a caller waits: a key that wants more than a preconfirmation waits as for a block. */
function waitOf({ tier, waitUntil }: Pick<Caller, 'tier' | 'waitUntil'>, network: NetworkId): ConfirmationLevel {
  const level = confirmationLevelOf(tier, network)
  return level === 'flash' && (waitUntil ?? 'preconfirmed') === 'preconfirmed' ? 'flash' : 'usual'
}

/** How a retry of a caller waits: by its own route, also for a payment that was claimed below another one. */
export function waitingOf(
  caller: Pick<Caller, 'tier' | 'waitUntil'>,
  network: NetworkId,
): { confirmationLevel: ConfirmationLevel; waitUntil: Finality | null } {
  const confirmationLevel = waitOf(caller, network)
  return { confirmationLevel, waitUntil: caller.waitUntil ?? (confirmationLevel === 'flash' ? null : 'included') }
}

/** Throws `unavailable` while one settlement may cost more gas than we pay for one there. Nothing is claimed or signed. */
function requirePrice(network: NetworkId, gas: bigint): void {
  const most = gasMaxOf(network)
  if (most === null || gas <= most) return
  const { title } = networkRow(network)
  throw new ServiceError('unavailable', `gas on ${title} costs too much now; send the payment again when it is cheaper`, {
    reason: 'facilitator_unavailable',
    retryAfterSeconds: 60,
  })
}

type BoundPayment = Pick<SignedPayment, 'network' | 'asset'>

/** The bounds of a claim of this payment of a caller. Throws `unavailable` while its gas costs too much. */
function claimLimits(app: App, caller: Caller, payment: BoundPayment, share: GasShare): ClaimLimits {
  if (share.gasEach !== null) requirePrice(payment.network, share.gasEach)
  return boundsOf(app, caller, payment, share)
}

function boundsOf(
  app: App,
  caller: Caller,
  payment: BoundPayment,
  { proof, gasEach, approving = null, secondChargeSeconds = null, opensChannel = null, reserved = false }: GasShare,
): ClaimLimits {
  const { network } = payment
  const budgets = gasBudgetsOf(app, caller, network)
  return limitsOf({
    proof,
    gasEach,
    approving,
    approvalMax: approvalMaxOf(app.config, network),
    budgets: reserved ? withReserve(budgets) : budgets,
    decimals: assetIn(payment).decimals,
    preconfirmed: confirmationLevelOf(caller.tier, network) === 'flash',
    secondChargeSeconds,
    opensChannel,
    horizonMs: app.config.horizonMs,
  })
}
