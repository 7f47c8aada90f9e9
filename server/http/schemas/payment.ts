import { z } from 'zod'
import { judgedWords } from '../glossary'
import { component } from './component'
import { headerExamples } from './header-example'
import { payloadV1, payloadV2 } from './payload'
import { requirements, requirementsV1, requirementsV2 } from './requirements'
import { networkName, payer, REASONS_PAGE, transaction } from './words'

const bodies = {
  v2: component(
    'PaymentRequestV2',
    z
      .object({ x402Version: z.literal(2), paymentPayload: payloadV2, paymentRequirements: requirementsV2 })
      .describe('What official clients and middlewares of version 2 send.'),
  ),
  v1: component(
    'PaymentRequestV1',
    z
      .object({ x402Version: z.literal(1), paymentPayload: payloadV1, paymentRequirements: requirementsV1 })
      .describe('What clients of version 1 send.'),
  ),
  header: component(
    'PaymentRequestHeader',
    z
      .object({
        x402Version: z.union([z.literal(1), z.literal(2)]).optional(),
        paymentPayload: z.string().meta({
          description:
            'The payment header as it came (`X-PAYMENT`, `PAYMENT-SIGNATURE`): base64, standard or url-safe, of a payment of either version.',
          examples: [headerExamples.v2],
        }),
        paymentRequirements: requirements,
      })
      .describe('The payment header, forwarded unread, with the requirements that it answers.'),
  ),
}

/** The body of verify and settle. */
export const paymentRequest = component(
  'PaymentRequest',
  z.xor([bodies.v2, bodies.v1, bodies.header]).describe('A payment and the requirements that it answers.'),
)

const judgedReason = component(
  'JudgedReason',
  z.enum([...judgedWords]).meta({
    description: `Why a payment failed, in the words of the official facilitator. Each is explained under ${REASONS_PAGE}<word>.`,
    examples: ['invalid_exact_evm_insufficient_balance'],
  }),
)

const message = (example: string) =>
  z.string().meta({ description: 'The reason in a sentence, for people.', examples: [example] })
const POOR = 'The payer’s balance is lower than the amount.'

const valid = component(
  'PaymentValid',
  z.strictObject({ isValid: z.literal(true), payer }).describe('The payment is good: settle it. Nothing was moved or written.'),
)

const invalid = component(
  'PaymentInvalid',
  z
    .strictObject({ isValid: z.literal(false), invalidReason: judgedReason, invalidMessage: message(POOR), payer })
    .describe('The payment was judged and is not good.'),
)

/** The answer of verify. */
export const verified = component('Verified', z.xor([valid, invalid]).describe('What verify says of a payment.'))

const landed = component(
  'PaymentLanded',
  z
    .strictObject({
      success: z.literal(true),
      transaction,
      network: networkName.describe('The network as the request wrote it.'),
      payer,
    })
    .describe('The money is the merchant’s: deliver.'),
)

const failed = component(
  'PaymentFailed',
  z
    .strictObject({
      success: z.literal(false),
      error: message(POOR),
      errorReason: z.union([judgedReason, z.literal('unknown')]),
      errorMessage: message(POOR),
      transaction,
      network: networkName.describe('The network as the request wrote it.'),
      payer,
    })
    .describe(
      'The payment was judged and failed, or failed on the chain: no money moved. With `settlement_pending` it is on its way and not known yet: repeat the identical request.',
    ),
)

/** The answer of settle. */
export const settled = component('Settled', z.xor([landed, failed]).describe('What became of a payment.'))
