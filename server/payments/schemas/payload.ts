import { z } from 'zod'
import { address, amount, component, networkName } from '../../http/schemas'
import { requirementsV2 } from './requirements'

// What a payer signs, as official clients write it; server/x402/wire.ts reads it.

const evm = component(
  'ExactEvmPayload',
  z
    .object({
      signature: z
        .string()
        .regex(/^0x([0-9a-fA-F]{2})*$/)
        .meta({
          description: 'The payer’s EIP-712 signature; a smart wallet’s may have any length.',
          examples: [`0x${'2d6a'.repeat(32)}1b`],
        }),
      authorization: z
        .object({
          from: address.meta({ description: 'Who pays.', examples: ['0x857b06519E91e3A54538791bDbb0E22373e36b66'] }),
          to: address.meta({ description: 'Who is paid: `payTo` of the requirements.' }),
          value: amount,
          validAfter: z.string().meta({ description: 'Unix seconds, as digits.', examples: ['1795262400'] }),
          validBefore: z.string().meta({ description: 'Unix seconds, as digits: at least 6 s ahead.', examples: ['1795262700'] }),
          nonce: z
            .string()
            .regex(/^0x[0-9a-fA-F]{64}$/)
            .meta({ description: '32 random bytes; each is used once.', examples: [`0x${'f3'.repeat(32)}`] }),
        })
        .describe('EIP-3009 `transferWithAuthorization`.'),
    })
    .describe('What is signed on an EVM network: a transfer that anybody may bring to the chain, once.'),
)

const svm = component(
  'ExactSvmPayload',
  z
    .object({
      transaction: z
        .string()
        .min(1)
        .max(4_096)
        .meta({
          description: 'Base64 of the transaction, signed by the payer and not yet by the fee payer.',
          examples: ['AgAAAA…'],
        }),
    })
    .describe('What is signed on Solana: a transaction whose fee somebody else pays.'),
)

const inner = z.xor([evm, svm])

export const payloadV2 = component(
  'PaymentPayloadV2',
  z
    .object({
      x402Version: z.literal(2),
      accepted: requirementsV2.describe('The requirements that the payer chose and signed for.'),
      payload: inner,
      resource: z
        .looseObject({
          url: z
            .string()
            .max(2_048)
            .optional()
            .meta({ examples: ['https://merchant.example/weather'] }),
          description: z
            .string()
            .optional()
            .meta({ examples: ['The weather of today'] }),
          mimeType: z
            .string()
            .optional()
            .meta({ examples: ['application/json'] }),
        })
        .optional()
        .meta({
          description: 'What is paid for; shown in histories and, with `extensions.bazaar`, in the catalog.',
          examples: [{ url: 'https://merchant.example/weather' }],
        }),
      extensions: z.record(z.string(), z.unknown()).optional().describe('`bazaar` lists the resource in the catalog.'),
    })
    .describe('A payment of x402 version 2.'),
)

export const payloadV1 = component(
  'PaymentPayloadV1',
  z
    .object({
      x402Version: z.literal(1),
      scheme: z.literal('exact'),
      network: networkName.meta({ examples: ['base-sepolia'] }),
      payload: inner,
    })
    .describe('A payment of x402 version 1.'),
)
