import { z } from 'zod'
import { refusalWords } from '../glossary'
import { component } from './component'
import { REASONS_PAGE } from './words'

const reason = (surface: keyof typeof refusalWords) =>
  z.enum([...refusalWords[surface]]).meta({
    description: `Why the request was refused. Each is explained under ${REASONS_PAGE}<word>.`,
    examples: ['quota_exceeded'],
  })

const reasons = {
  settle: component('SettleRefusalReason', reason('settle')),
  verify: component('VerifyRefusalReason', reason('verify')),
} as const

const said = z.string().meta({
  description: 'What is wrong and how to mend it, for people.',
  examples: ['more than 5 requests per second; wait 1 s and try again'],
})

/** The body of every error. */
export const refusal = component('Refusal', z.strictObject({ error: said }).describe('Why the request was not acted on.'))

/** The same on verify, with what official clients read. */
export const verifyRefusal = component(
  'VerifyRefusal',
  z
    .strictObject({
      error: said,
      isValid: z.literal(false),
      invalidReason: reasons.verify,
      invalidMessage: said,
      payer: z
        .string()
        .nullable()
        .meta({ description: 'The payer that the payment names; null before it was read.', examples: [null] }),
    })
    .describe('Why the request was not acted on, with what official clients read.'),
)

/** The same on settle, with what official clients read. */
export const settleRefusal = component(
  'SettleRefusal',
  z
    .strictObject({
      error: said,
      success: z.literal(false),
      errorReason: reasons.settle,
      errorMessage: said,
      transaction: z
        .string()
        .meta({ description: 'The hash, on a 409 to the caller who made the settlement; else empty.', examples: [''] }),
      network: z
        .string()
        .meta({ description: 'The network as the request wrote it; empty before it was read.', examples: ['eip155:84532'] }),
      payer: z.string().optional().describe('The payer that the payment names; absent before it was read.'),
    })
    .describe('Why the request was not acted on, with what official clients read.'),
)
