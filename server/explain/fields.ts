import { isServiceError } from '../base/errors'
import { atomic } from '../x402/atomic'
import { decodeBase64 } from '../x402/encodings'
import { parseJson, plainText } from '../x402/json'
import { assetAt, type Token, USDC } from '../x402/networks/assets'
import { readNetwork } from '../x402/networks/networks'
import { isSvm, type Payment } from '../x402/payment'
import { readTransferChecked } from '../x402/schemes/exact/svm/instructions'
import type { Field } from './checks'
import { type Json, NAME_MAX } from './recognize'
import { moment, money } from './units'

/** The most fields of one object that are shown. */
export const FIELDS_MAX = 20

/** The fields of a payment beside those of its requirements, as both sides wrote them. A field that no side names is left out. */
export function fieldsOf(body: Json, payment: Payment | null): Field[] {
  const payload = objectIn(body.paymentPayload ?? body.paymentHeader)
  const [accepted, inner, resource] = [objectOr(payload.accepted), objectOr(payload.payload), objectOr(payload.resource)]
  const { channelConfig, voucher, deposit } = inner
  const [channel, promised] = [objectOr(channelConfig), objectOr(voucher)]
  const paidIn = objectOr(objectOr(deposit).authorization)
  const authorization = objectOr(inner.authorization ?? paidIn.erc3009Authorization ?? paidIn.permit2Authorization)
  const required = objectIn(body.paymentRequirements)
  const [extra, taken] = [objectOr(required.extra), objectOr(accepted.extra)]
  const transaction = payment && isSvm(payment) ? readTransferChecked(payment.transfer.transaction.instructions[2]) : null
  const rows: [name: string, payment: unknown, requirements: unknown][] = [
    ['x402Version', payload.x402Version ?? body.x402Version, undefined],
    ['scheme', accepted.scheme ?? payload.scheme, required.scheme],
    ['network', accepted.network ?? payload.network, required.network],
    ['asset', transaction?.mint ?? channel.token ?? accepted.asset, required.asset],
    [
      'amount',
      amount(transaction?.amount ?? authorization.value ?? accepted.amount, tokenIn(accepted.asset ? accepted : required)),
      amount(required.amount ?? required.maxAmountRequired, tokenIn(required)),
    ],
    ['payTo', channel.receiver ?? authorization.to ?? accepted.payTo, required.payTo],
    ['recipientAccount', transaction?.destination, undefined],
    ['payer', authorization.from ?? transaction?.authority ?? channel.payer, undefined],
    ['type', inner.type, undefined],
    ['channelId', promised.channelId, undefined],
    ['deposit', amount(objectOr(deposit).amount, tokenIn(required)), undefined],
    ['maxClaimableAmount', amount(promised.maxClaimableAmount, tokenIn(required)), undefined],
    ['refundNonce', inner.refundNonce, undefined],
    ['claims', Array.isArray(inner.claims) ? `${inner.claims.length}` : undefined, undefined],
    ['withdrawDelay', channel.withdrawDelay, extra.withdrawDelay],
    ['receiverAuthorizer', channel.receiverAuthorizer, extra.receiverAuthorizer],
    ['validAfter', dated(authorization.validAfter), undefined],
    ['validBefore', dated(authorization.validBefore), undefined],
    ['nonce', authorization.nonce, undefined],
    ['signature', inner.signature ?? promised.signature, undefined],
    ['extra.name', taken.name, extra.name],
    ['extra.version', taken.version, extra.version],
    ['extra.feePayer', taken.feePayer, extra.feePayer],
    ['extra.memo', taken.memo, extra.memo],
    ['maxTimeoutSeconds', accepted.maxTimeoutSeconds, required.maxTimeoutSeconds],
    ['resource', resource.url, required.resource],
  ]
  return rows.flatMap(([name, one, other]) => shownField(name, one, other))
}

/** The fields of one object, for answers and lists of offers. `side`: the column that they belong to. */
export function plainFields(side: 'payment' | 'requirements', fields: Record<string, unknown>): Field[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    side === 'payment' ? shownField(name, value, undefined) : shownField(name, undefined, value),
  )
}

function shownField(name: string, one: unknown, other: unknown): Field[] {
  const field = { name: plainText(name, NAME_MAX), payment: shown(one), requirements: shown(other) }
  return field.payment === null && field.requirements === null ? [] : [field]
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return plainText(text, NAME_MAX)
}

/** An amount of a token in both units; any other value as it was written. */
export function amount(value: unknown, token: Token): unknown {
  if (typeof value === 'bigint') return money(value, token)
  const read = atomic.safeParse(value)
  return read.success ? money(read.data, token) : value
}

// Unix seconds with their date in front; any other value as it was written.
function dated(value: unknown): unknown {
  const read = atomic.safeParse(value)
  return read.success && read.data > 0n ? `${moment(read.data)} (${read.data})` : value
}

/** The token that requirements name; USDC where they name none that is settled. */
export function tokenIn({ network, asset }: Json): Token {
  const read = typeof network === 'string' ? readNetwork(network) : null
  return (read && 'known' in read && typeof asset === 'string' && assetAt(read.known, asset)) || USDC
}

/** The object in an object or in base64; empty for anything else. */
export function objectIn(value: unknown): Json {
  if (typeof value !== 'string') return objectOr(value)
  try {
    return objectOr(parseJson(decodeBase64(value, 'the payload'), 'the payload'))
  } catch (error) {
    if (isServiceError(error)) return {}
    throw error
  }
}

/** The value if it is an object; else an empty one. */
export function objectOr(value: unknown): Json {
  // Null, texts and numbers have no fields of ours.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}
