import { z } from 'zod'
import { allowedNetworks, type Caller, publicAccess, readRate } from '../accounts/caller'
import { type Counted, headersOfFailure } from '../accounts/metering'
import { type Identity, underEachPrefix } from '../accounts/prefixes'
import type { App } from '../app'
import { CLAIMS_BODY_LIMIT, PAYMENT_BODY_LIMIT, readBody } from '../http/bodies'
import { endpoint } from '../http/endpoint'
import { API_HEADERS, refuse, type Surface } from '../http/errors'
import { bodyTooLarge } from '../http/intake'
import { jsonResponse } from '../http/json-response'
import { etagOf, ifNoneMatch, KEPT, keptResponse } from '../http/kept-response'
import { QUOTA_HEADERS } from '../http/openapi/headers'
import { requestId } from '../http/request'
import type { NetworkId } from '../x402/networks/networks'
import { networkIn } from '../x402/parse-terms'
import { asCharged, claimedPayer, type Payment } from '../x402/payment'
import type { ChannelRequest } from '../x402/schemes/batch-settlement/requests'
import { BATCH_SETTLEMENT } from '../x402/schemes/batch-settlement/scheme'
import { payerOfChannel, verifyChannel } from './channels/act'
import { actOn, depositAnswer, keepVerified } from './channels/answers'
import { once, type ReceivedPayment } from './idempotency'
import { IDEMPOTENCY_KEY } from './idempotency-key'
import { withKnownSender } from './judging'
import { lookUp, lookUpBy, lookUpPayment, lookupQuery, peekQuery } from './lookup'
import { type PaymentAnswer, settleAnswer, verdictAnswer, verifyAnswer, wireSettlement, wireStanding } from './present'
import { landedUrl } from './public-receipts'
import { paymentRequest } from './schemas/request'
import { lookedUp, receiptKeys, settled, settlements, verified } from './schemas/response'
import { signerList } from './schemas/signers'
import { supported } from './schemas/supported'
import { settle as settlePayment } from './settle'
import { signersNow } from './signers'
import { lastingParts, type Supported, supportedBy, supported as supportedOf } from './supported'
import { requestIn, withUptoService } from './upto-svm/served'
import { verify as verifyPayment } from './verify'

const payments = { tag: 'Payments', cors: 'open' } as const

export const verify = underEachPrefix(({ prefix, suffix, where, params, identity }) =>
  endpoint({
    ...payments,
    surface: 'verify',
    id: `verify${suffix}`,
    group: { address: '{prefix}/verify', summary: 'Verify a payment' },
    summary: `Verify a payment ${where}`,
    description:
      'Checks a payment as settle would: form, signature, amount, recipient, balance and screening. It moves no money. It uses one verification; malformed payments and payers without funds are free. A payment that fails a check also answers 200; the body says why.',
    credentials: identity,
    params: z.object(params),
    reads: { body: paymentRequest },
    responses: {
      200: {
        description: 'Valid or not, with the reason.',
        schema: verified,
        headers: [...QUOTA_HEADERS, 'extension-responses'],
      },
    },
    errors: [400, ...(prefix === 'sandbox' ? [] : ([401] as const)), 403, 413, 429, 500, 502, 503],
    handler: ({ app, request, who }) =>
      serve(app, request, 'verify', who, {
        async payment({ caller, payment, counting }) {
          const verified = await verifyPayment(app, caller, payment, counting)
          await keepVerified(app, caller, payment, verified)
          return verifyAnswer(app, payment, verified, caller)
        },
        channel: async ({ caller, channel, counting }) => verdictAnswer(await verifyChannel(app, caller, channel, counting)),
      }),
  }),
)

export const settle = underEachPrefix(({ prefix, suffix, where, params, identity }) =>
  endpoint({
    ...payments,
    surface: 'settle',
    bodyLimit: CLAIMS_BODY_LIMIT,
    id: `settle${suffix}`,
    group: { address: '{prefix}/settle', summary: 'Settle a payment' },
    summary: `Settle a payment ${where}`,
    description:
      'Sends the transfer, pays the gas, and answers when it is on the chain. Below /flash it answers at preconfirmation. After a lost answer, repeat the identical request: it never pays twice. A payment, deposit or refund costs one settlement. So does each transaction of a claim. A voucher costs none.',
    credentials: identity,
    params: z.object(params),
    reads: { body: paymentRequest, headers: z.object({ 'Idempotency-Key': IDEMPOTENCY_KEY }) },
    responses: {
      200: {
        description: 'The outcome, or `settlement_pending` when it is not known at the deadline.',
        schema: settled,
        headers: ['x-settlement-id', ...QUOTA_HEADERS, 'extension-responses', 'idempotent-replayed'],
      },
    },
    errors: [400, ...(prefix === 'sandbox' ? [] : ([401] as const)), 403, 409, 413, 429, 500, 502, 503],
    handler: ({ app, request, who: identity }) =>
      serve(app, request, 'settle', identity, {
        payment: ({ caller, payment, bytes, counting }) =>
          once(app, { caller, request, payment, bytes }, async ({ claiming, ...named }) => {
            const waiting = { ...named, hangUp: request.signal }
            const answer = await settlePayment(app, { caller, callerNow: identity.now, payment, claiming, counting, waiting })
            const deposited = await depositAnswer(app, caller, payment, answer)
            return deposited ?? settleAnswer(app, payment, answer, await landedUrl(app, caller, answer))
          }),
        channel: ({ caller, channel, counting }) => actOn(app, { caller, channel, counting, hangUp: request.signal }),
      }),
  }),
)

/** The state of a settlement, for a caller that lost the response. */
export const getSettlements = underEachPrefix(({ suffix, where, params, caller, errors }) =>
  endpoint({
    ...payments,
    id: `getSettlements${suffix}`,
    group: { address: '{prefix}/settlements/{id}', summary: 'Look up a settlement' },
    summary: `Look up a settlement ${where}`,
    description:
      'The state of a settlement, if you lost the response. Each tenant sees only its own, and in the sandbox each IP address. Not metered.',
    rate: readRate,
    credentials: caller,
    params: z.object({
      ...params,
      id: z.string().meta({
        description: 'The `x-settlement-id`, or the hash of a transaction (on Solana its signature).',
        examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'],
      }),
    }),
    responses: { 200: { description: "The caller's settlements with this id or in this transaction.", schema: settlements } },
    errors: [400, ...errors, 404, 429, 503],
    handler: async ({ app, who, params: { id } }) => ({
      settlements: (await lookUp(app, who, id)).map((settlement) => wireSettlement(app, settlement)),
    }),
  }),
)

/** Finds a caller's settlements by what it knows of the payment itself. */
export const findSettlements = underEachPrefix(({ suffix, where, params, caller, errors }) =>
  endpoint({
    ...payments,
    id: `findSettlements${suffix}`,
    group: { address: '{prefix}/settlements', summary: 'Find a settlement by its payment' },
    summary: `Find a settlement ${where}`,
    description:
      'For callers without the id and the transaction. Identify the payment by one of these: `payer` and `nonce`, `message_hash`, `signature`, `payment_identifier`, or `idempotency_key`. Not metered.',
    rate: readRate,
    credentials: caller,
    params: z.object(params),
    query: lookupQuery,
    responses: { 200: { description: "The caller's settlements of this payment.", schema: settlements } },
    errors: [400, ...errors, 404, 429, 503],
    handler: async ({ app, who, query }) => ({
      settlements: (await lookUpBy(app, who, query)).map((settlement) => wireSettlement(app, settlement)),
    }),
  }),
)

/** What became of a signed payment, for anyone who holds it. */
export const lookUpSigned = underEachPrefix(({ suffix, where, params, caller, errors }) =>
  endpoint({
    ...payments,
    bodyLimit: PAYMENT_BODY_LIMIT,
    id: `lookUpPayment${suffix}`,
    group: { address: '{prefix}/settlements/lookup', summary: 'Look up a signed payment' },
    summary: `Look up a signed payment ${where}`,
    description:
      'Send the same body as to settle. Anyone with the signed payment sees its state and transaction; the caller that settled it sees everything. With version 2 `paymentRequirements` may be absent. Moves no money and is not metered.',
    rate: readRate,
    credentials: caller,
    params: z.object(params),
    query: peekQuery,
    reads: { body: paymentRequest },
    responses: { 200: { description: 'What became of this payment.', schema: lookedUp } },
    errors: [400, ...errors, 404, 413, 429, 503],
    async handler({ app, request, who, query }) {
      const { json } = await readBody(request, PAYMENT_BODY_LIMIT)
      const found = await lookUpPayment(app, who, json, { peek: query.peek === 'true' })
      return {
        settlements: found.map(({ settlement, own }) => (own ? wireSettlement(app, settlement) : wireStanding(settlement))),
      }
    },
  }),
)

/** The keys that verify receipts, as a JWK set. */
export const getReceiptKeys = endpoint({
  ...payments,
  id: 'getReceiptKeys',
  summary: 'List the keys that verify receipts',
  description: 'A JWK set (RFC 7517). A receipt names its key as `kid`. A key stays here while its receipts can be verified.',
  rate: readRate,
  credentials: publicAccess,
  responses: { 200: { description: 'The public keys.', schema: receiptKeys } },
  errors: [429],
  handler: async ({ app }) =>
    Response.json({ keys: app.receipts.keys }, { headers: { ...API_HEADERS, 'cache-control': 'public, max-age=300' } }),
})

/** The signers, for explorers. */
export const getSigners = endpoint({
  ...payments,
  id: 'getSigners',
  summary: 'List the signers, now and before',
  description:
    "Who sends payments for this service, since when and until when, signed by the key of receipts. Explorers keep a merchant's volume over a rotation.",
  rate: readRate,
  credentials: publicAccess,
  responses: { 200: { description: 'The signers.', schema: signerList } },
  errors: [429, 503],
  handler: async ({ app }) =>
    Response.json(await signersNow(app), { headers: { ...API_HEADERS, 'cache-control': 'public, max-age=300' } }),
})

export const getSupported = underEachPrefix(({ suffix, where, params, caller, errors }) =>
  endpoint({
    ...payments,
    id: `getSupported${suffix}`,
    group: { address: '{prefix}/supported', summary: 'List supported networks' },
    summary: `List supported networks ${where}`,
    description: 'Networks, assets and signers that this caller can use. Middleware reads it once, at start-up.',
    rate: readRate,
    credentials: caller,
    params: z.object(params),
    reads: { headers: ifNoneMatch },
    responses: {
      200: { description: 'What this caller can use.', schema: supported, headers: KEPT },
      304: { description: 'Your cached response is current.', headers: KEPT },
    },
    errors: [...errors, 429, 503],
    handler: async ({ app, request, who }) => {
      const described = await supportedBy(app, who, allowedNetworks(who))
      return keptResponse(request, described, { ...supportedFor(app, described), shared: who.prefix === 'sandbox' })
    },
  }),
)

export const getSupportedEverywhere = endpoint({
  ...payments,
  id: 'getSupportedEverywhere',
  summary: 'List supported networks of all prefixes',
  description: 'Every configured network, for all callers.',
  rate: readRate,
  credentials: publicAccess,
  reads: { headers: ifNoneMatch },
  responses: {
    200: { description: 'Every configured network.', schema: supported, headers: KEPT },
    304: { description: 'Your cached response is current.', headers: KEPT },
  },
  errors: [429, 503],
  handler: async ({ app, request }) => {
    const described = await supportedOf(app)
    return keptResponse(request, described, { ...supportedFor(app, described), shared: true })
  },
})

const SUPPORTED_SECONDS = 60

const supportedFor = (app: App, described: Supported) => ({
  etag: etagOf(lastingParts(app, described)),
  seconds: SUPPORTED_SECONDS,
})

type Received = { caller: Caller; bytes: Uint8Array; counting: (counted: Counted | null) => void }

/** What a route does with a payment, and with a request about channels that is none. */
type Acts = {
  payment: (received: ReceivedPayment & Received) => Promise<PaymentAnswer>
  channel: (received: Received & { channel: ChannelRequest }) => Promise<PaymentAnswer>
}

const factsOf = (payment: Payment) => ({
  network: payment.network,
  spelling: payment.spelling,
  payer: claimedPayer(payment),
})
const factsOfChannel = (channel: ChannelRequest) => ({
  network: channel.network,
  spelling: channel.spelling,
  payer: payerOfChannel(channel),
})

/** Reads the body of a payment. Only one that acts on channels may be longer than any other: it can have a hundred claims. */
function readPaymentBody(request: Request, surface: Surface): ReturnType<typeof readBody> {
  return surface === 'settle'
    ? readBody(request, CLAIMS_BODY_LIMIT, { lower: { unless: BATCH_SETTLEMENT, limit: PAYMENT_BODY_LIMIT } })
    : readBody(request, PAYMENT_BODY_LIMIT)
}

// In this order: caller, rate, size, content. A 401 or 429 takes no more of the body than the network it names.
async function serve(app: App, request: Request, surface: Surface, identity: Identity, act: Acts): Promise<Response> {
  let read: ReturnType<typeof readBody> | undefined
  let about: { network: NetworkId; spelling: string; payer: string } | undefined
  let counted: Counted | null = null
  const counting = (now: Counted | null) => {
    counted = now
  }
  let tenantId: string | undefined
  // Made when there is something to log: that costs more than parsing the payment.
  const log = () => (tenantId === undefined ? app.log : app.log.child({ tenantId }))
  try {
    const caller = await identity.caller()
    tenantId = caller.tenantId
    await app.rateLimit(caller.id, caller.limits.requestsPerSecond)
    read = readPaymentBody(request, surface)
    const { json, bytes } = await read
    const parsed = requestIn(app, json)
    // What a payment declares is stored: only its limit bounds that.
    if ('payment' in parsed && bytes.length > PAYMENT_BODY_LIMIT) throw bodyTooLarge(PAYMENT_BODY_LIMIT)
    about = 'channel' in parsed ? factsOfChannel(parsed.channel) : factsOf(parsed.payment)
    const received = { caller, bytes, counting }
    const acting = async () => {
      if ('channel' in parsed) return act.channel({ ...received, channel: parsed.channel })
      const payment = surface === 'settle' ? asCharged(parsed.payment) : parsed.payment
      const sent = await withUptoService(app, caller, await withKnownSender(app, caller, payment))
      return act.payment({ ...received, payment: sent })
    }
    const { body, headers, failed } = await acting()
    // Merchants' middlewares drop the message and keep the code: the log has the cause.
    if (failed)
      log().info({ requestId: requestId(request), network: about.network, reason: failed.reason, why: failed.message }, 'judged')
    return jsonResponse(body, { headers })
  } catch (error) {
    if (about) {
      const headers = await headersOfFailure(app, error, counted)
      const facts = { network: about.spelling, payer: about.payer, headers }
      return refuse(surface, error, log(), requestId(request), facts)
    }
    read ??= readPaymentBody(request, surface)
    return refuse(surface, error, log(), requestId(request), { network: await networkIn(read) })
  }
}
