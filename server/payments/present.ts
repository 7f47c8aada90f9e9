import { type Quota, quotaHeaders } from '../accounts/metering'
import type { App } from '../app'
import { listingFor } from '../discovery/catalog'
import { API_HEADERS } from '../http/errors'
import { displayAddress } from '../x402/addresses'
import { isClaimStep, isSvm, type Payment, paidBy, payerIn } from '../x402/payment'
import { reasons } from '../x402/reasons/reasons'
import { RECEIPT_EXTENSION, RECEIPT_SCHEMA } from '../x402/receipt-extension'
import type { Settlement } from './lookup'
import type { SettleAnswer } from './settle'
import type { SeenChannel, Verified } from './verify'

/** The response to a judged payment, always a 200. `settled`: it will not change any more; `failed`: why it failed. */
export type PaymentAnswer = { body: object; headers: Record<string, string>; settled: boolean; failed: Failed | null }

type Failed = { reason: string; message: string }

/** The response of verify, with the fields that official clients read. `logged`: the key keeps history, without which nothing is listed. */
export function verifyAnswer(
  app: Pick<App, 'config'>,
  payment: Payment,
  { verdict, payer, quota }: Verified,
  { logged }: { logged: boolean },
): PaymentAnswer {
  const answer = verdictAnswer({ verdict, payer, quota })
  const extensions = extensionResponses(app, payment, { failed: !verdict.isValid, logged })
  return { ...answer, headers: { ...answer.headers, ...extensions } }
}

/** The response of verify to a request about channels: it declares no resource. */
export function verdictAnswer({ verdict, payer, quota }: Verified): PaymentAnswer {
  const body = verdict.isValid
    ? { isValid: true, payer, ...(verdict.channel ? { extra: wireChannelState(verdict.channel) } : {}) }
    : { isValid: false, invalidReason: verdict.reason, invalidMessage: verdict.message, payer }
  return { body, headers: headersOf(quota), settled: false, failed: verdict.isValid ? null : verdict }
}

/** A channel as official servers read it. Amounts are strings, the time of a withdrawal is Unix seconds. */
export function wireChannelState({ id, balance, totalClaimed, withdrawRequestedAt, refundNonce }: SeenChannel) {
  return {
    channelId: id,
    balance: String(balance),
    totalClaimed: String(totalClaimed),
    withdrawRequestedAt: Number(withdrawRequestedAt),
    refundNonce: String(refundNonce),
  }
}

/** The response of settle, with the fields that official clients read, and the public page of its receipt where it has one. */
export function settleAnswer(
  app: Pick<App, 'config' | 'receipts'>,
  payment: Payment,
  answer: SettleAnswer,
  receiptUrl: string | null = null,
): PaymentAnswer {
  const { settled, payer, quota, logged } = answer
  const hasFailed = settled.end === 'judged' || settled.end === 'failed'
  return {
    body: {
      ...settleBody(settled),
      network: payment.spelling,
      payer,
      ...(settled.end === 'uncharged' ? { amount: '0' } : {}),
      ...(settled.end === 'landed' ? proofOf(app, isSvm(payment) ? paidBy(payment, payer) : payment, settled, receiptUrl) : {}),
    },
    headers: {
      ...headersOf(quota),
      'x-settlement-id': settled.settlementId,
      ...extensionResponses(app, payment, { failed: hasFailed, logged }),
    },
    settled: settled.end === 'landed' || settled.end === 'uncharged' || settled.end === 'failed' || settled.end === 'judged',
    failed: failureOf(settled),
  }
}

type Landed = Extract<SettleAnswer['settled'], { end: 'landed' }>

/** What proves a landed payment: its amount, its transfer in the transaction that others may share, and a signed receipt. */
function proofOf(
  { receipts }: Pick<App, 'receipts'>,
  payment: Payment,
  { settlementId, transaction, place }: Landed,
  url: string | null,
) {
  const { block, logIndex, finality } = place
  const amount = (payment.charge ?? payment.amount).toString()
  const { network, asset, payTo, resource, transfer } = payment
  const payer = payerIn(payment)
  const maximum = payment.charge === undefined ? null : payment.amount.toString()
  const stated = {
    id: settlementId,
    network,
    asset,
    payer,
    payTo,
    amount,
    maximum,
    resource,
    txHash: transaction,
    reversed: false,
  }
  // What went into a channel pays for nothing yet.
  if (transfer.kind === 'svm-upto' && !isClaimStep(payment)) return { amount }
  return {
    amount,
    extra: {
      ...(block === null ? {} : { blockNumber: Number(block) }),
      ...(logIndex === null ? {} : { logIndex }),
      payer: displayAddress(payer),
      ...(transfer.kind === 'eip3009' ? { nonce: transfer.authorization.nonce } : {}),
      finality,
    },
    extensions: {
      [RECEIPT_EXTENSION]: {
        info: { receipt: receipts.sign({ ...stated, ...place }), ...(url === null ? {} : { url }) },
        schema: RECEIPT_SCHEMA,
      },
    },
  }
}

/** The fields of a settle's outcome that every response has. */
export function settleBody(settled: SettleAnswer['settled']): { success: boolean; transaction: string } {
  if (settled.end === 'landed') return { success: true, transaction: settled.transaction }
  if (settled.end === 'uncharged') return { success: true, transaction: '' }
  if (settled.end === 'judged') return failed(settled.failure.reason, settled.failure.message, '')
  if (settled.end === 'failed') return failed(settled.reason, settled.detail ?? textOf(settled.reason), settled.transaction)
  return failed('settlement_pending', reasons.settlement_pending, settled.end === 'pending' ? settled.transaction : '')
}

function failureOf(settled: SettleAnswer['settled']): Failed | null {
  if (settled.end === 'judged') return settled.failure
  return settled.end === 'failed' ? { reason: settled.reason, message: settled.detail ?? textOf(settled.reason) } : null
}

/** The fields that official clients read of a failed settle. */
export function failed(errorReason: string, errorMessage: string, transaction: string) {
  return { success: false, error: errorMessage, errorReason, errorMessage, transaction }
}

function textOf(reason: string): string {
  const texts: Record<string, string> = reasons
  return texts[reason] ?? reason
}

function headersOf(quota: Quota | null): Record<string, string> {
  return { ...API_HEADERS, ...(quota ? quotaHeaders(quota) : {}) }
}

type Bazaar = { status: 'processing' } | { status: 'rejected'; rejectedReason: string }

/**
 * The `EXTENSION-RESPONSES` header of verify and settle, from which official clients read the result of `extensions.bazaar`, or of the
 * `outputSchema` of version 1: base64 of `{"bazaar": {status, rejectedReason?}}`. No header for a payment that declared none. It reports
 * what is certain by now: the catalog is written later.
 */
function extensionResponses(
  app: Pick<App, 'config'>,
  payment: Payment,
  known: { failed: boolean; logged: boolean },
): Record<string, string> {
  const { extensions, outputSchema } = payment.declared
  if (extensions?.bazaar === undefined && (outputSchema === undefined || listingFor(app, payment) === null)) return {}
  const bazaar = statusOf(app, payment, known)
  return { 'extension-responses': Buffer.from(JSON.stringify({ bazaar })).toString('base64') }
}

function statusOf(app: Pick<App, 'config'>, payment: Payment, { failed, logged }: { failed: boolean; logged: boolean }): Bazaar {
  if (failed) return rejected('only settled payments list their resource')
  if (!logged) return rejected('history is disabled for this API key')
  const listing = listingFor(app, payment)
  return listing && 'rejected' in listing ? rejected(listing.rejected) : { status: 'processing' }
}

const rejected = (rejectedReason: string): Bazaar => ({ status: 'rejected', rejectedReason })

/** A settlement as `/settlements` returns it to its caller. */
export function wireSettlement(app: Pick<App, 'receipts'>, settlement: Settlement) {
  const { id, state, reason, detail, txHash, network, payer, payTo, amount, maximum, resource, createdAt } = settlement
  // Nobody pays by an act of channels.
  const isPaid = settlement.kind === 'payment' || settlement.kind === 'deposit' || settlement.kind === 'escrow'
  return {
    id,
    state,
    reason,
    message: detail,
    transaction: txHash ?? '',
    network,
    amount,
    ...(maximum === null ? {} : { maximum }),
    resource,
    payer: isPaid ? displayAddress(payer) : '',
    pay_to: displayAddress(payTo),
    created_at: createdAt.toISOString(),
    ...wirePlace(settlement),
    // What went into a channel, or was claimed of it, is no payment to the merchant.
    receipt: settlement.kind === 'payment' ? app.receipts.sign(settlement) : null,
  }
}

/** What another holder of the signed payment may know of its settlement. */
export function wireStanding(settlement: Settlement) {
  const { state, reason, txHash, network, amount, maximum } = settlement
  // A success may have charged less than the holder means to charge, or nothing.
  const charged = maximum === null ? {} : { amount, maximum }
  return { state, reason, transaction: txHash ?? '', network, ...charged, ...wirePlace(settlement) }
}

function wirePlace({ nonce, block, logIndex, finality }: Settlement) {
  return { nonce, block_number: block === null ? null : Number(block), log_index: logIndex, finality }
}
