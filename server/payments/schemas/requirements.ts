import { z } from 'zod'
import { address, amount, component, networkId, networkName, resource } from '../../http/schemas'

// What a merchant asks for, as callers write it. Fields that are not named here are let through and not looked at.

const shared = {
  scheme: z.literal('exact').describe('The only scheme that is settled here.'),
  payTo: address.meta({
    description: 'Who is paid: a wallet of the merchant. On Solana it needs a token account for USDC already.',
  }),
  asset: address.meta({
    description: 'The token: USDC of this network, as `/supported` names it.',
    examples: ['0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
  }),
  maxTimeoutSeconds: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'How long the payment may take, seconds.', examples: [300] }),
}

/** What signing needs beside the requirements: the token's EIP-712 domain on EVM, who pays the fee on Solana. */
const extra = z
  .looseObject({
    name: z
      .string()
      .optional()
      .meta({ description: 'EVM: the name in the token’s EIP-712 domain.', examples: ['USDC'] }),
    version: z
      .string()
      .optional()
      .meta({ description: 'EVM: its version.', examples: ['2'] }),
    feePayer: z.string().optional().describe('Solana: who pays the fee, from `/supported`.'),
    memo: z.string().optional().describe('Solana: a memo that the transaction must carry.'),
  })
  .optional()
  .meta({ examples: [{ name: 'USDC', version: '2' }] })

/** Requirements as x402 version 2 writes them. */
export const requirementsV2 = component(
  'PaymentRequirementsV2',
  z.object({ ...shared, network: networkId, amount, extra }).describe('What the merchant asks for, x402 version 2.'),
)

/** Requirements as x402 version 1 writes them. */
export const requirementsV1 = component(
  'PaymentRequirementsV1',
  z
    .object({
      ...shared,
      network: networkName.meta({ examples: ['base-sepolia'] }),
      maxAmountRequired: amount,
      resource,
      description: z
        .string()
        .max(8_192)
        .optional()
        .meta({ examples: ['The weather of today'] }),
      mimeType: z
        .string()
        .max(256)
        .optional()
        .meta({ examples: ['application/json'] }),
      extra,
      outputSchema: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('What the resource takes and gives: lists it in the catalog once it is paid.'),
    })
    .describe('What the merchant asks for, x402 version 1.'),
)

/** Requirements of either version; `amount` and `maxAmountRequired` are one field by two names. */
export const requirements = component(
  'PaymentRequirements',
  z.union([requirementsV2, requirementsV1]).describe('What the merchant asks for, in either version.'),
)
