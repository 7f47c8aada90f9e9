import { z } from 'zod'
import { CREDITS_MAX, CREDITS_MIN } from '../accounts/plans'
import type { App } from '../app'
import { DEFAULT_BODY_LIMIT, readBytes } from '../http/bodies'
import { API_HEADERS } from '../http/errors'
import { limitByAddress } from '../http/rate-limits'
import { checked, clientIp } from '../http/request'
import { displayAddress } from '../x402/addresses'
import { malformed } from '../x402/json'
import { networks } from '../x402/networks'
import type { Payment } from '../x402/payment'
import { reasons } from '../x402/reasons'
import { endpointsOf } from './endpoints'
import { OFFER_SECONDS, type Offer, offers, purchaseUrl } from './offers'
import { type NotBought, type Purchase, purchase } from './purchase'
import { readPurchase } from './purchase-payment'

/** What shapes an offer: how many credits, and whose names its body uses. */
const offerQuery = z.object({
  credits: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(CREDITS_MIN, `must be at least ${CREDITS_MIN}`)
    .max(CREDITS_MAX, `must be at most ${CREDITS_MAX}`)
    .default(CREDITS_MIN),
  x402Version: z.enum(['1', '2'], 'must be 1 or 2').default('2'),
})

const DESCRIPTION = 'Credits for a payment facilitator endpoint of your own: one settles one payment'

/** `GET /api/v1/agent/purchase`: what credits cost, as a 402 that x402 clients pay. */
export async function offerCredits(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  const paid = paymentIn(request)
  return offer(app, request, paid ? 'send the payment with POST; this one was not looked at and moved nothing' : UNPAID)
}

/** `POST /api/v1/agent/purchase`: credits and a key for a payment; without one the offer. */
export async function buyCredits(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  const header = paymentIn(request)
  await readBytes(request, DEFAULT_BODY_LIMIT)
  if (!header) return offer(app, request, UNPAID)
  const payment = readPurchase(app, header)
  const bought = await purchase(app, { payment, ip: clientIp(request), hangUp: request.signal })
  const headers = receipt(payment, bought)
  if (bought.end === 'failed') return offer(app, request, failureText(bought), headers)
  const { wallet, environment, credits, key } = bought
  const body = {
    status: bought.end,
    api_key: key.secret,
    key_id: key.id,
    ...endpointsOf(app, key.secret),
    credits: credits.left,
    credits_added: Number(bought.bought),
    wallet: displayAddress(wallet),
    environment,
    network: payment.network,
    transaction: bought.transaction,
    plan: 'agent',
  }
  return Response.json(body, { status: bought.end === 'paid' ? 200 : 202, headers: { ...API_HEADERS, ...headers } })
}

const UNPAID =
  'payment is required: sign one of the accepted payments and send it with POST, in PAYMENT-SIGNATURE (x402 version 2) or X-PAYMENT (version 1)'

function paymentIn({ headers }: Request): { name: string; value: string } | null {
  const found = ['PAYMENT-SIGNATURE', 'X-PAYMENT'].flatMap((name) => {
    const value = headers.get(name)
    return value ? [{ name, value }] : []
  })
  if (found.length > 1) throw malformed('PAYMENT-SIGNATURE and X-PAYMENT are both there; send one of them')
  return found[0] ?? null
}

/** A 402 that both generations of clients can pay: today's read the header, the earlier ones the body. */
function offer(app: App, request: Request, error: string, headers: Record<string, string> = {}): Response {
  const { credits, x402Version } = checked(offerQuery, Object.fromEntries(new URL(request.url).searchParams))
  const all = offers(app, credits)
  const url = purchaseUrl(app)
  const required = {
    x402Version: 2,
    error,
    resource: { url, description: DESCRIPTION, mimeType: 'application/json' },
    accepts: all.map(requirementsV2),
  }
  const body = { x402Version: Number(x402Version), error, accepts: all.map((one) => requirements(one, url, x402Version === '1')) }
  return Response.json(body, { status: 402, headers: { ...API_HEADERS, ...headers, 'payment-required': base64(required) } })
}

function requirementsV2({ network, amount, asset, payTo, extra }: Offer) {
  const terms = { amount: String(amount), asset: displayAddress(asset), payTo: displayAddress(payTo) }
  return { scheme: 'exact', network, ...terms, maxTimeoutSeconds: OFFER_SECONDS, extra }
}

// Payment requirements in the names of one version or the other.
function requirements(offered: Offer, resource: string, legacy: boolean) {
  const { amount, network, ...rest } = requirementsV2(offered)
  const priced = legacy ? { network: networks[network].name } : { network: String(network), amount }
  return { ...rest, ...priced, maxAmountRequired: amount, resource, description: DESCRIPTION, mimeType: 'application/json' }
}

function receipt({ spelling }: Payment, bought: Purchase): Record<string, string> {
  const { transaction, payer } = bought
  const known = { transaction, network: spelling, payer }
  const told = base64({ ...outcome(bought), ...known })
  return { 'payment-response': told, 'x-payment-response': told, 'x-settlement-id': bought.settlementId }
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

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
