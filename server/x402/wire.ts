import { z } from 'zod'
import { atomic } from './atomic'

// Shapes as callers write them: v1, v2 and mixtures of both; parsePayment turns them into one.

const text = (max: number) => z.string('must be a string').max(max, `must be at most ${max} characters`)
/** A text that is not empty. */
export const word = (max: number) => text(max).min(1, 'must not be empty')
// PHP writes an empty object as `[]`.
const objectFor = (written: unknown) => (Array.isArray(written) && written.length === 0 ? {} : written)
const record = z.preprocess(objectFor, z.record(z.string(), z.unknown(), 'must be an object'))

/** The longest URL of a resource that a payment may name; a listed one is shorter (server/x402/listing-url.ts). */
export const RESOURCE_MAX = 8_192

/** The limits of texts that are kept and shown. */
export const wireText = { url: text(RESOURCE_MAX), description: text(8192), mimeType: text(256) }

// Version 1 has the URL as a text, version 2 as `{url, …}`: each is read in the place of the other.
const resourceUrl = z.preprocess((written) => {
  const { url } = Object(objectFor(written))
  return typeof written === 'object' ? url : written
}, wireText.url.nullish())
const resourceInfo = z.preprocess(
  (written) => (typeof written === 'string' ? { url: written } : objectFor(written)),
  z.object({ url: wireText.url.nullish() }, 'must be an object or a text').catchall(z.unknown()).nullish(),
)

/** The requirements of either version: `amount` (v2) and `maxAmountRequired` (v1) are the same field. */
export const wireRequirements = z.object(
  {
    scheme: word(64),
    network: word(80),
    amount: atomic.nullish(),
    maxAmountRequired: atomic.nullish(),
    asset: word(64),
    payTo: word(64),
    resource: resourceUrl,
    description: wireText.description.nullish(),
    mimeType: wireText.mimeType.nullish(),
    maxTimeoutSeconds: z.number('must be a number').int('must be whole seconds').nonnegative('must not be negative').nullish(),
    extra: record.nullish(),
    outputSchema: record.nullish(),
  },
  'must be an object: the requirements that the payment answers',
)

/** The decoded payment payload of either version. v2 names scheme and network inside `accepted`, v1 beside `payload`. */
export const wirePayload = z.object(
  {
    x402Version: z.number('must be a number').nullish(),
    scheme: word(64).nullish(),
    network: word(80).nullish(),
    accepted: z
      .object(
        { scheme: word(64), network: word(80), amount: atomic.optional().catch(undefined) },
        'must be an object: the requirements the client accepted',
      )
      .nullish(),
    resource: resourceInfo,
    payload: record,
    extensions: record.nullish(),
  },
  'must be an object or its base64',
)

/** The body of verify and settle. `paymentHeader` is the name that the oldest clients use for a base64 payload. */
export const wireBody = z.object(
  {
    x402Version: z.number('must be a number').nullish(),
    paymentPayload: z.unknown().optional(),
    paymentHeader: z.unknown().optional(),
    paymentRequirements: z.unknown().optional(),
  },
  'must be a JSON object with paymentPayload and paymentRequirements',
)

export type WireRequirements = z.output<typeof wireRequirements>
export type WirePayload = z.output<typeof wirePayload>
