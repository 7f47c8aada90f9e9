import { formatUnits } from 'viem'
import { type Caller, OPERATOR_TENANT } from '../accounts/caller'
import type { Tier } from '../accounts/plans'
import { type App, unixNow } from '../app'
import { type Examination as EvmExamination, type Judgement as EvmJudgement, judgeLocally } from '../chains/evm/judgement'
import { whyNotOffered } from '../chains/evm/scheme-contracts'
import type { SvmJudgement } from '../chains/svm/judged'
import type { SvmExamination } from '../chains/svm/judgement'
import { listLeased } from '../ledger/statements/lanes'
import type { Parties, Requester } from '../screening/screening'
import { networkRow } from '../x402/networks/networks'
import {
  type EvmPayment,
  isEvmPayment,
  isSvm,
  type Payment,
  paidBy,
  payerIn,
  type SignedPayment,
  type SvmPayment,
} from '../x402/payment'
import { type Failure, failure } from '../x402/reasons/reasons'
import { brokenTimelessTerms, whyUnserved } from '../x402/schemes/evm-methods'
import { brokenSvmRules, type SvmRules } from '../x402/schemes/exact/svm/rules'
import { readApproval } from '../x402/schemes/permit2/sponsoring'
import { UPTO } from '../x402/schemes/upto/scheme'
import type { UptoTransfer } from '../x402/schemes/upto/transfers'
import {
  type EvmFacilitator,
  type Facilitator,
  feePayersOf,
  missingOn,
  type SvmFacilitator,
  signersAmong,
  signersOf,
} from './facilitators'
import { approvalMaxOf } from './gas-budgets'
import { servesUptoSvm, withVoucher } from './upto-svm/served'

/** A payment that failed its judgement. `proven`: the payer's signature holds. */
export type Failed = Failure & { proven: boolean }

/** A payment to check on chain, with its facilitator. */
export type PaymentCheck =
  | { family: 'evm'; payment: EvmPayment; facilitator: EvmFacilitator }
  | { family: 'svm'; payment: SvmPayment; facilitator: SvmFacilitator }

/** A payment that the chain would accept now, with the judgement. */
export type ValidPayment =
  | { family: 'evm'; payment: EvmPayment; facilitator: EvmFacilitator; judgement: Valid<EvmJudgement>; judgedAt: number }
  | { family: 'svm'; payment: SvmPayment; facilitator: SvmFacilitator; judgement: Valid<SvmJudgement>; askedAt: number }

type Valid<J> = Extract<J, { valid: true }>

/** Judges without any call: a failure, or a payment to check on chain. */
export function judgeStatically(
  app: App,
  caller: Pick<Caller, 'tier' | 'tenantId' | 'key'>,
  facilitator: Facilitator,
  payment: Payment,
): { failed: Failed } | PaymentCheck {
  if (facilitator.family === 'svm') {
    // Where the scheme is served, a payload of another form is the payer's mistake, not a missing scheme.
    if (isUnreadUpto(payment) && servesUptoSvm(app, caller))
      return { failed: { proven: false, ...failure('unsupported_payload_type') } }
    const broken = brokenSvmRules(payment, rulesOf(app, caller.tier, payment))
    if (broken) return { failed: broken }
    if (!isSvm(payment)) throw new Error('a payment without a transaction keeps all rules')
    return { family: 'svm', payment: withVoucher(app, caller, payment), facilitator }
  }
  const served = asServed(app, caller, payment)
  if (!isEvmPayment(served)) return { failed: { proven: false, ...(whyUnserved(payment) ?? failure('unsupported_scheme')) } }
  // Another facilitator's transaction does not show which of two equal Permit2 payments it made.
  if (facilitator.submitter === 'remote' && ('sponsoring' in payment.transfer || 'deposit' in payment.transfer))
    return { failed: { proven: false, ...failure('unsupported_payload_type') } }
  const missing = missingOn(app, served.network, served.scheme)
  if (missing)
    return { failed: { proven: false, ...failure('unsupported_scheme', whyNotOffered(served.network, served.scheme, missing)) } }
  const local = judgeLocally(served, unixNow(app))
  if (local.verdict === 'failed') return { failed: local }
  const tooLong = facilitator.submitter === 'remote' ? validTooLong(app, served) : null
  if (tooLong) return { failed: { proven: true, ...tooLong } }
  const costly = costlyApproval(app, served)
  return costly ? { failed: { proven: true, ...costly } } : { family: 'evm', payment: served, facilitator }
}

/** Another facilitator may send a payment until its end: we search for it so long, and it holds its intent. */
const REMOTE_VALIDITY_SECONDS = 86_400n

function validTooLong(app: App, { transfer }: EvmPayment): Failure | null {
  if (transfer.kind !== 'eip3009' || transfer.authorization.validBefore <= unixNow(app) + REMOTE_VALIDITY_SECONDS) return null
  return failure(
    'invalid_exact_evm_payload_authorization_valid_before',
    'This tier is served by another facilitator: validBefore may be at most one day away. Sign a new payment.',
  )
}

/** Why the payer's own approval costs more than is paid here. Null when it does not, or there is none. */
function costlyApproval({ config }: App, { network, transfer }: EvmPayment): Failure | null {
  if (!('sponsoring' in transfer) || transfer.sponsoring?.kind !== 'approval') return null
  const { coin } = networkRow(network)
  const most = approvalMaxOf(config, network)
  const approval = readApproval(transfer.sponsoring.transaction)
  if (!approval || approval.gas * approval.maxFeePerGas <= most) return null
  const limit = `at most ${formatUnits(most, coin.decimals)} ${coin.symbol}`
  return failure(
    'erc20_approval_tx_failed',
    `The signed approval may cost more than is paid here: ${limit}, gas times maxFeePerGas.`,
  )
}

/** The payment as it is judged here: by whether a signer of ours is its facilitator, and without an approval that is not sent. */
export function asServed(app: App, caller: Pick<Caller, 'tier' | 'tenantId'>, payment: Payment): Payment {
  const served = withoutApproval(app, caller, payment)
  const { network, transfer } = served
  if (transfer.kind !== 'upto') return served
  const ours = transfer.ours ?? isAmong(signersOf(app, caller.tier, network) ?? [], transfer)
  return { ...served, transfer: { ...transfer, ours } }
}

/** The payment, and of one that a signer of another instance must send, that this signer is ours. */
export async function withKnownSender(app: App, { tier }: Pick<Caller, 'tier'>, payment: Payment): Promise<Payment> {
  const { network, transfer } = payment
  if (transfer.kind !== 'upto' || isAmong(signersOf(app, tier, network) ?? [], transfer)) return payment
  if (!isAmong(signersAmong(await listLeased(app.db), tier, network), transfer)) return payment
  return { ...payment, transfer: { ...transfer, ours: true } }
}

const isAmong = (signers: readonly string[], { authorization }: UptoTransfer) =>
  signers.some((one) => one.toLowerCase() === authorization.facilitator)

/**
 * The payment as it is judged where approvals are not sent: without the payer's own, as the official facilitator reads it then. No key
 * pays for a purchase's approval, so none is sent for one.
 */
function withoutApproval({ config }: App, { tenantId }: Pick<Caller, 'tenantId'>, payment: Payment): Payment {
  const { network, transfer } = payment
  const isOn = tenantId !== OPERATOR_TENANT && approvalMaxOf(config, network) > 0n
  if (isOn || !('sponsoring' in transfer) || transfer.sponsoring?.kind !== 'approval') return payment
  const sponsoring = 'deposit' in transfer ? ({ kind: 'unavailable' } as const) : null
  return { ...payment, transfer: { ...transfer, sponsoring } }
}

/** Judges against the newest block. Throws `upstream` when no node answers. */
export async function judge(app: App, asked: PaymentCheck): Promise<{ failed: Failed } | ValidPayment> {
  if (asked.family === 'svm') {
    const askedAt = performance.now()
    const judgement = await asked.facilitator.chain.judge(asked.payment)
    if (!judgement.valid) return { failed: judgement }
    return { ...asked, payment: paidBy(asked.payment, judgement.transfer.payer), judgement, askedAt }
  }
  const judgement = await asked.facilitator.chain.judge(asked.payment, unixNow(app))
  return judgement.valid ? { ...asked, judgement, judgedAt: performance.now() } : { failed: judgement }
}

/** What the chain said of a payment, with the judgement that `judge` makes of it. */
export type Examined =
  | ({ family: 'evm'; payment: EvmPayment } & EvmExamination)
  | ({ family: 'svm'; payment: SvmPayment } & SvmExamination)

/** Judges as `judge` does, and keeps what the chain said. Throws `upstream` when no node answers. */
export async function examine(app: App, asked: PaymentCheck): Promise<Examined> {
  if (asked.family === 'svm') {
    const { family, payment, facilitator } = asked
    return { family, payment, ...(await facilitator.chain.examine(payment)) }
  }
  const { family, payment, facilitator } = asked
  return { family, payment, ...(await facilitator.chain.examine(payment, unixNow(app))) }
}

const isUnreadUpto = ({ transfer, scheme, claimed }: Payment) =>
  transfer.kind === 'other' && scheme === UPTO && claimed.scheme === UPTO

/** Whether all rules hold that time cannot change: for a payment that may have landed already. */
export function keepsTerms(payment: SignedPayment): boolean {
  if (isEvmPayment(payment)) return !brokenTimelessTerms(payment)
  return brokenSvmRules(inItsTime(payment), rulesThen(payment)) === null
}

/** The payment as it was read in its last second. */
function inItsTime(payment: SvmPayment): SvmPayment {
  const { transfer } = payment
  if (transfer.kind !== 'svm-upto' || !transfer.served) return payment
  return { ...payment, transfer: { ...transfer, served: { ...transfer.served, now: transfer.expiresAt - 1n } } }
}

// Its fee payer, fee and programs were judged at the claim: the operator may have changed these rules since.
function rulesThen({ transfer }: SvmPayment): SvmRules {
  const feePayers = new Set(transfer.transaction.accounts.slice(0, 1))
  const smartWallets = new Set(transfer.transaction.instructions.map(({ program }) => program))
  return { feePayers, ours: feePayers, maxComputeUnits: UNBOUNDED, maxFeeLamports: UNBOUNDED, smartWallets }
}

const UNBOUNDED = 2n ** 64n

/** The rules of a Solana payment for a tier. */
export function rulesOf(app: App, tier: Tier, { network }: Payment): SvmRules {
  return {
    feePayers: new Set(feePayersOf(app, tier, network)),
    ours: ourFeePayers(app),
    ...app.config.svm,
  }
}

// None of them may be used by a payment, on any network or class.
function ourFeePayers({ networks: configured }: App): ReadonlySet<string> {
  const clusters = [...configured].filter(([id]) => networkRow(id).family === 'svm')
  return new Set(clusters.flatMap(([, { signers }]) => Object.values(signers).flat()))
}

/** New addresses per minute that a caller without a key may have screened: in the sandbox, and in purchases. */
const ANONYMOUS_PER_MINUTE = 60

/** The screened addresses of a payment. */
function partiesOf(payment: SignedPayment): Parties {
  return { payer: payerIn(payment), payTo: payment.payTo }
}

/** The caller as one that has addresses screened: a key may have a new payer in every request of its rate. */
export function askerOf({ id, key, limits }: Caller): Requester {
  return { id, perMinute: key ? Math.max(ANONYMOUS_PER_MINUTE, limits.requestsPerSecond * 60) : ANONYMOUS_PER_MINUTE }
}

/**
 * Throws when this payment cannot be screened now: `unavailable` for an outage, `too_many` for a spent budget of the caller. Called
 * before a unit is taken, so that neither costs quota.
 */
export function requireScreening(app: App, caller: Caller, { facilitator, payment }: PaymentCheck): void {
  app.screening[facilitator.laneClass].requireAvailable(partiesOf(payment), askerOf(caller))
}

/**
 * Judges on chain, then screens what the chain would accept: nothing is sent without it, and payments without money cost no screening
 * calls. Throws `forbidden` for a flagged party, `unavailable` for an unknown verdict, `upstream` when no node answers.
 */
export async function judgeAndScreen(app: App, caller: Caller, asked: PaymentCheck): Promise<{ failed: Failed } | ValidPayment> {
  const judged = await app.timing.time({ name: 'judge', facts: { network: asked.payment.network } }, () => judge(app, asked))
  if ('failed' in judged) return judged
  await app.timing.time({ name: 'screen', facts: {} }, () =>
    app.screening[asked.facilitator.laneClass].screen(partiesOf(judged.payment), askerOf(caller)),
  )
  return judged
}
