import { z } from 'zod'
import { USUAL_SCHEME } from '../../x402/schemes/scheme-names'

// The payment of the other examples, as a header that can be sent unchanged.

const payload = {
  signature: `0x${'2d6a'.repeat(32)}1b`,
  authorization: {
    from: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
    to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    value: '1000',
    validAfter: '1795262400',
    validBefore: '1795262700',
    nonce: `0x${'f3'.repeat(32)}`,
  },
}

const accepted = {
  scheme: USUAL_SCHEME,
  network: 'eip155:84532',
  amount: '1000',
  payTo: payload.authorization.to,
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2' },
}

/** The payment header of each x402 version, in base64. */
export const headerExamples = {
  v1: btoa(JSON.stringify({ x402Version: 1, scheme: USUAL_SCHEME, network: 'base-sepolia', payload })),
  v2: btoa(JSON.stringify({ x402Version: 2, accepted, payload })),
} as const

/** The offer of the same payment: the value of a PAYMENT-REQUIRED header. */
export const offerExample = btoa(
  JSON.stringify({
    x402Version: 2,
    error: 'Payment required',
    resource: { url: 'https://api.example.com/weather', description: "Today's weather", mimeType: 'application/json' },
    accepts: [accepted],
  }),
)

type Header = { about: string; schema: z.ZodType }

const whole = (about: string, example: number): Header => ({
  about,
  schema: z
    .int()
    .min(0)
    .meta({ examples: [example] }),
})
const text = (about: string, example: string): Header => ({ about, schema: z.string().meta({ examples: [example] }) })

/** The documented response headers, by lower-case name. */
export const headers = {
  'x-request-id': text(
    "The request's id in our log, on every response. It is the id that you sent, if valid.",
    '3f0c5a52-7a55-4b9e-9f3e-0d8f1f6f2a11',
  ),
  'x-settlement-id': text("The settlement's id: look it up below the same prefix.", '019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'),
  'x-settlement-remaining': whole("How many settlements the caller has left: of this month's quota, or of its credits.", 999),
  'x-verification-remaining': whole(
    "How many verifications the caller has left: of this month's quota, or of its credits.",
    4999,
  ),
  'x-quota-limit': whole('The limit of the quota that this request used: settlements or verifications in all.', 1000),
  'x-quota-reset': whole('When that quota resets, in Unix seconds. Credits do not reset.', 1796083200),
  'retry-after': whole('How many seconds to wait before a retry.', 2),
  'idempotent-replayed': text('`true` on a replayed response for the same Idempotency-Key.', 'true'),
  'extension-responses': text(
    'The result of `extensions.bazaar`: base64 of `{"bazaar": {"status": "processing"}}`, or `"rejected"` with a `rejectedReason`.',
    'eyJiYXphYXIiOnsic3RhdHVzIjoicHJvY2Vzc2luZyJ9fQ==',
  ),
  'cache-control': text('How long the response may be cached, and by which caches.', 'public, max-age=300'),
  etag: text('The version of this response: send it as If-None-Match.', '"0123456789abcdefghijkl"'),
  location: text('The target of the redirect.', '/home'),
  'payment-required': text('The offer for clients of version 2: base64 of a PaymentRequired object.', 'eyJ4NDAyVmVyc2lvbiI6Mn0='),
  'payment-response': text('The result of the payment: base64 of a settle response.', 'eyJzdWNjZXNzIjp0cnVlfQ=='),
  'x-payment-response': text('The same result for clients of version 1.', 'eyJzdWNjZXNzIjp0cnVlfQ=='),
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof headers

/** The quota headers of metered responses. */
export const QUOTA_HEADERS = [
  'x-settlement-remaining',
  'x-verification-remaining',
  'x-quota-limit',
  'x-quota-reset',
] as const satisfies HeaderName[]

/** Whether a header is documented. */
export function isHeaderName(name: string): name is HeaderName {
  return Object.hasOwn(headers, name)
}
