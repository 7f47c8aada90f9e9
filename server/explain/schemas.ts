import { z } from 'zod'
import { component, networkId } from '../http/schemas'
import { schemeNames } from '../x402/schemes/scheme-names'

/** The request: anything of x402, as text or as JSON. */
export const question = component(
  'ExplainRequest',
  z
    .object({
      input: z.union([z.string(), z.record(z.string(), z.unknown())], 'must be a text or an object').meta({
        description:
          'A 402 response, the value of a payment header, a body of verify or settle, a payment response, a reason code, a settlement id or a transaction. Text may be JSON, base64, or what `curl -i` prints.',
        examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'],
      }),
      paymentRequirements: z
        .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())], 'must be a text, an object or a list')
        .optional()
        .meta({
          description: 'The requirements of a payment that does not hold them: an object, a list, or a 402 response in any form.',
        }),
    })
    .describe('What to explain.'),
)

const field = z.strictObject({
  name: z.string().meta({ examples: ['amount'] }),
  payment: z
    .string()
    .nullable()
    .meta({ description: 'What the payment says; null if it does not name it.', examples: ['0.001 USDC (1000)'] }),
  requirements: z
    .string()
    .nullable()
    .meta({ description: 'What the requirements say; null if they do not name it.', examples: [null] }),
})

const check = component(
  'ExplainCheck',
  z
    .strictObject({
      name: z.string().meta({ description: 'A stable name of the check.', examples: ['outcome'] }),
      title: z.string().meta({ description: 'The same for people.', examples: ['Outcome'] }),
      status: z.enum(['passed', 'failed', 'not_reached']).meta({
        description: '`not_reached`: not checked; the evidence says why.',
        examples: ['failed'],
      }),
      reason: z
        .string()
        .nullable()
        .meta({
          description: 'The code that verify would answer, if the check failed; null without one.',
          examples: ['invalid_exact_evm_insufficient_balance'],
        }),
      evidence: z.string().meta({
        description: 'What was found, in words and numbers.',
        examples: ['The payer has 0.0005 USDC (500) in block 31415926; the payment needs 0.001 USDC (1000).'],
      }),
      remedy: z
        .string()
        .nullable()
        .meta({
          description: 'What to do, and who must do it: each failed check has one. Null if nothing is to be done.',
          examples: ['The payer must add USDC to its wallet on this network and pay again; no gas is needed.'],
        }),
    })
    .describe('One check, with what was found.'),
)

/** The answer of explain. */
export const explanation = component(
  'Explanation',
  z
    .strictObject({
      kind: z
        .enum([
          'payment_request',
          'payment',
          'payment_required',
          'payment_requirements',
          'payment_response',
          'verify_response',
          'settlement',
          'reason',
          'url',
          'unknown',
        ])
        .meta({ description: 'What was recognised.', examples: ['settlement'] }),
      headline: z.string().meta({
        description: 'The result in a few words, for people.',
        examples: ['The payment failed: Insufficient funds'],
      }),
      x402Version: z
        .union([z.literal(1), z.literal(2)])
        .nullable()
        .meta({ examples: [2] }),
      scheme: z
        .string()
        .nullable()
        .meta({ examples: [...schemeNames] }),
      network: networkId.nullable(),
      fields: z.array(field).describe('The fields of the payment beside those of the requirements.'),
      checks: z.array(check).describe('Every check in its order, also behind the first failure.'),
      verdict: z
        .strictObject({
          isValid: z
            .boolean()
            .nullable()
            .meta({ description: 'What verify says of the same payment; null if there is none.', examples: [null] }),
          invalidReason: z
            .string()
            .nullable()
            .meta({ description: 'Its reason; null otherwise.', examples: [null] }),
        })
        .describe('The verdict of verify, without screening.'),
    })
    .describe('What was pasted, and every check of it.'),
)
