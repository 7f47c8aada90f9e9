import { z } from 'zod'
import { signedInRate } from '../accounts/caller'
import { CREDITS_MAX, CREDITS_MIN } from '../accounts/credit-price'
import { CREDIT_BOUNDS_TEXT, CREDIT_PRICE_TEXT } from '../accounts/credit-texts'
import { endpointsOf } from '../accounts/present'
import type { App } from '../app'
import { DEFAULT_BODY_LIMIT, readBytes } from '../http/bodies'
import { endpoint } from '../http/endpoint'
import { API_HEADERS } from '../http/errors'
import { headerExamples } from '../http/openapi/headers'
import { checked, clientIp, queryOf } from '../http/request'
import { knownNetwork, refusal } from '../http/schemas'
import { displayAddress } from '../x402/addresses'
import { malformed } from '../x402/json'
import { OFFER_SECONDS } from '../x402/networks/expiry-margin'
import { environments, networkRow } from '../x402/networks/networks'
import type { Payment } from '../x402/payment'
import { reasons } from '../x402/reasons/reasons'
import { USUAL_SCHEME } from '../x402/schemes/scheme-names'
import { type Offer, offers, purchaseUrl } from './offers'
import { keyChoices, type NotBought, type Purchase, purchase } from './purchase'
import { readPurchase } from './purchase-payment'
import { creditOffers, purchased, purchasePending } from './schemas'

/** The parameters of an offer. */
const offerQuery = z.object({
  credits: z
    .preprocess(
      (written) => (written === undefined ? undefined : Number(written)),
      z
        .int('must be a whole number')
        .min(CREDITS_MIN, `must be at least ${CREDITS_MIN}`)
        .max(CREDITS_MAX, `must be at most ${CREDITS_MAX}`)
        .default(CREDITS_MIN),
    )
    .meta({ description: 'How many credits to offer.' }),
  environment: z
    .enum(environments, `must be ${environments.join(' or ')}`)
    .optional()
    .meta({
      description: 'Only offers of mainnets or of testnets. Default: mainnets, if credits are sold there.',
      examples: ['testnet'],
    }),
  network: knownNetwork.optional().meta({ description: 'Only the offer on this network.', examples: ['eip155:84532'] }),
  x402Version: z
    .preprocess(
      (written) => (written === '1' || written === '2' ? Number(written) : written),
      z.literal([1, 2], 'must be 1 or 2').default(2),
    )
    .meta({ description: "The x402 version of the body's field names; `1` for clients of version 1." }),
})

/** The parameters of a purchase: those of its offer, and which key it gets. */
const purchaseQuery = offerQuery.extend({
  key: z
    .enum(keyChoices, `must be ${keyChoices.join(' or ')}`)
    .default('new')
    .meta({
      description:
        '`keep`: a wallet with a live key gets no other one, and the answer has no key. `new`: each purchase makes a key.',
    }),
})

// A payment is not refused for the parameters of an offer.
const keyQuery = purchaseQuery.pick({ key: true })

const DESCRIPTION = 'Credits for a payment facilitator endpoint of your own: one settles one payment'
const RECEIPT = ['payment-response', 'x-payment-response', 'x-settlement-id'] as const
const LATER = ['retry-after', 'x-settlement-id'] as const

const shared = { tag: 'Agents', cors: 'open', rate: signedInRate } as const

/** The price of credits, as a 402 that x402 clients can pay. */
export const offerCredits = endpoint({
  ...shared,
  id: 'offerCredits',
  summary: 'Show the price of credits',
  description:
    `Always returns a 402, which x402 clients pay with a POST. ${CREDIT_PRICE_TEXT}. ` +
    `Minimum ${CREDIT_BOUNDS_TEXT.least}, maximum ${CREDIT_BOUNDS_TEXT.most}.`,
  reads: { query: offerQuery },
  responses: { 402: { description: 'The offer.', schema: creditOffers, headers: ['payment-required'] } },
  errors: [400, 429, 503],
  async handler({ app, request }) {
    const paid = paymentIn(request)
    return offer(app, request, paid ? 'send the payment with POST; this one was not read and moved nothing' : UNPAID)
  },
})

/** Sells credits and a key for a payment; without a payment it returns the offer. */
export const buyCredits = endpoint({
  ...shared,
  id: 'buyCredits',
  summary: 'Buy credits and get a key',
  description:
    "Credits belong to the paying wallet, in the environment (mainnets or testnets) of the payment's network. The signed amount sets their number; `credits` only changes the offer. No body.",
  credentials: { names: ['payment'], prove: (_app, request) => paymentIn(request) },
  // Of a payment, the query only chooses the key: its signed amount may be another one.
  reads: {
    query: purchaseQuery,
    headers: z.object({
      'PAYMENT-SIGNATURE': z
        .string()
        .optional()
        .meta({ description: 'A payment of x402 version 2, as base64 of JSON.', examples: [headerExamples.v2] }),
      'X-PAYMENT': z
        .string()
        .optional()
        .meta({ description: 'A payment of x402 version 1, as base64 of JSON.', examples: [headerExamples.v1] }),
    }),
  },
  responses: {
    200: { description: 'Paid.', schema: purchased, headers: RECEIPT },
    202: { description: 'The payment is in flight.', schema: purchasePending, headers: RECEIPT },
    402: {
      description: 'The offer. No payment was sent, or it failed: `error` and PAYMENT-RESPONSE explain why.',
      schema: creditOffers,
      headers: ['payment-required', ...RECEIPT],
    },
    409: {
      description: 'This payment was submitted before. Sign in with its wallet to see its credits and to get a key.',
      schema: refusal,
      headers: LATER,
    },
    429: { description: 'Too many requests per second.', schema: refusal, headers: LATER },
    502: { description: 'No RPC endpoint answered.', schema: refusal, headers: LATER },
    503: { description: 'Not configured here, or temporarily unavailable.', schema: refusal, headers: LATER },
  },
  errors: [400, 403, 413],
  async handler({ app, request, who: header }) {
    await readBytes(request, DEFAULT_BODY_LIMIT)
    if (!header) return offer(app, request, UNPAID)
    const payment = readPurchase(app, header)
    const { key: choice } = checked(keyQuery, queryOf(request))
    const bought = await purchase(app, { payment, key: choice, ip: clientIp(request), hangUp: request.signal })
    const headers = receipt(payment, bought)
    if (bought.end === 'failed') return offer(app, request, `${failureText(bought)} ${paidOn(payment)}`, headers)
    const { wallet, environment, credits, key } = bought
    const body = {
      status: bought.end,
      ...(key ? { api_key: key.secret, key_id: key.id, ...endpointsOf(app, key.secret) } : {}),
      credits: credits.left,
      credits_added: Number(bought.bought),
      wallet: displayAddress(wallet),
      environment,
      network: payment.network,
      transaction: bought.transaction,
      plan: 'agent',
    }
    return Response.json(body, { status: bought.end === 'paid' ? 200 : 202, headers: { ...API_HEADERS, ...headers } })
  },
})

const UNPAID =
  'payment is required: sign one of the accepted payments and send it with POST, in PAYMENT-SIGNATURE (x402 version 2) or X-PAYMENT (version 1)'

function paymentIn({ headers }: Request): { name: string; value: string } | null {
  const found = ['PAYMENT-SIGNATURE', 'X-PAYMENT'].flatMap((name) => {
    const value = headers.get(name)
    return value ? [{ name, value }] : []
  })
  if (found.length > 1) throw malformed('PAYMENT-SIGNATURE and X-PAYMENT are both set; send one of them')
  return found[0] ?? null
}

/** A 402 for clients of both versions: version 2 reads the header, version 1 the body. */
function offer(app: App, request: Request, error: string, headers: Record<string, string> = {}): Response {
  const { credits, x402Version, environment, network } = checked(offerQuery, queryOf(request))
  const all = offers(app, credits, { environment, network })
  const url = purchaseUrl(app)
  const required = {
    x402Version: 2,
    error,
    resource: { url, description: DESCRIPTION, mimeType: 'application/json' },
    accepts: all.map(requirementsV2),
  }
  const body = { x402Version, error, accepts: all.map((one) => requirements(one, url, x402Version === 1)) }
  return Response.json(body, { status: 402, headers: { ...API_HEADERS, ...headers, 'payment-required': base64(required) } })
}

function requirementsV2({ network, amount, asset, payTo, extra }: Offer) {
  const terms = { amount: String(amount), asset: displayAddress(asset), payTo: displayAddress(payTo) }
  return { scheme: USUAL_SCHEME, network, ...terms, maxTimeoutSeconds: OFFER_SECONDS, extra }
}

// Payment requirements with the field names of the requested version.
function requirements(offered: Offer, resource: string, legacy: boolean) {
  const { amount, network, ...rest } = requirementsV2(offered)
  const priced = legacy ? { network: networkRow(network).name } : { network: String(network), amount }
  return { ...rest, ...priced, maxAmountRequired: amount, resource, description: DESCRIPTION, mimeType: 'application/json' }
}

function receipt({ spelling }: Payment, bought: Purchase): Record<string, string> {
  const { transaction, payer } = bought
  const known = { transaction, network: spelling, payer }
  const receipt = base64({ ...outcome(bought), ...known })
  return { 'payment-response': receipt, 'x-payment-response': receipt, 'x-settlement-id': bought.settlementId }
}

function outcome(bought: Purchase): object {
  if (bought.end === 'failed') return { success: false, errorReason: bought.reason, errorMessage: failureText(bought) }
  if (bought.end === 'paid') return { success: true }
  return { success: false, errorReason: 'settlement_pending', errorMessage: reasons.settlement_pending }
}

function failureText({ reason, message }: NotBought): string {
  const texts: Record<string, string> = reasons
  return message ?? texts[reason] ?? reason
}

// A wallet may have money elsewhere: the network is part of what went wrong.
const paidOn = ({ network }: Payment) => `The payment was on ${networkRow(network).title} (${network}).`

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
