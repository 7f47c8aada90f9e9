import { z } from 'zod'
import { headerExamples } from '../../http/openapi/headers'
import { address, amount, component, networkId, networkName, resource } from '../../http/schemas'
import { wireEip3009, wireSvm } from '../../x402/schemes/exact/wire'
import { schemeNames, USUAL_SCHEME } from '../../x402/schemes/scheme-names'
import { wireText } from '../../x402/wire'
import { channelPayloads } from './channels'

// The forms that official clients send. The parser (server/x402/parse.ts) also takes mixtures, nulls and both names of the amount,
// so its object shapes are apart; rules of a single text are its own. Unnamed fields are let through and not looked at.

const shared = {
  scheme: z.literal(schemeNames).describe('The schemes that are settled here; on Solana only `exact`.'),
  payTo: address.meta({
    description: 'Who is paid: a wallet of the merchant. On Solana it needs an account of the token already.',
  }),
  asset: address.meta({
    description: 'The token: one of this network, as `/supported` names it.',
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
      .meta({ description: "EVM: the name in the token's EIP-712 domain.", examples: ['USDC'] }),
    version: z
      .string()
      .optional()
      .meta({ description: 'EVM: its version.', examples: ['2'] }),
    facilitatorAddress: z.string().optional().describe('EVM, scheme `upto`: who sends the transfer, from `/supported`.'),
    receiverAuthorizer: z
      .string()
      .optional()
      .describe('EVM, scheme `batch-settlement`: who consents to claims and refunds, from `/supported` or your own.'),
    withdrawDelay: z
      .int()
      .optional()
      .meta({ description: 'The same: how long a withdrawal by the payer takes, seconds.', examples: [900] }),
    feePayer: z.string().optional().describe('Solana: who pays the fee, from `/supported`.'),
    memo: z.string().optional().describe('Solana: a memo that the transaction must carry.'),
  })
  .optional()
  .meta({ examples: [{ name: 'USDC', version: '2' }] })

const requirementsV2 = component(
  'PaymentRequirementsV2',
  z.object({ ...shared, network: networkId, amount, extra }).describe('What the merchant asks for, x402 version 2.'),
)

// Version 1 has no other scheme.
const exactOnly = z.literal(USUAL_SCHEME)

const requirementsV1 = component(
  'PaymentRequirementsV1',
  z
    .object({
      ...shared,
      scheme: exactOnly,
      network: networkName.meta({ examples: ['base-sepolia'] }),
      maxAmountRequired: amount,
      resource,
      description: wireText.description.optional().meta({ examples: ['The weather of today'] }),
      mimeType: wireText.mimeType.optional().meta({ examples: ['application/json'] }),
      extra,
      outputSchema: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('What the resource takes and gives: lists it in the catalog once it is paid.'),
    })
    .describe('What the merchant asks for, x402 version 1.'),
)

const requirements = component(
  'PaymentRequirements',
  z.union([requirementsV2, requirementsV1]).describe('What the merchant asks for, in either version.'),
)

const evm = component(
  'ExactEvmPayload',
  z
    .object({
      signature: wireEip3009.shape.signature.meta({
        description: "The payer's EIP-712 signature; a smart wallet's may have any length.",
        examples: [`0x${'2d6a'.repeat(32)}1b`],
      }),
      authorization: z
        .object({
          from: address.meta({ description: 'Who pays.', examples: ['0x857b06519E91e3A54538791bDbb0E22373e36b66'] }),
          to: address.meta({ description: 'Who is paid: `payTo` of the requirements.' }),
          value: amount,
          validAfter: z.string().meta({ description: 'Unix seconds, as digits.', examples: ['1795262400'] }),
          validBefore: z.string().meta({
            description: 'Unix seconds, as digits: at least `expiryMarginSeconds` of `/supported` ahead.',
            examples: ['1795262700'],
          }),
          nonce: wireEip3009.shape.authorization.shape.nonce.meta({
            description: '32 random bytes; each is used once.',
            examples: [`0x${'f3'.repeat(32)}`],
          }),
        })
        .describe('EIP-3009 `transferWithAuthorization`.'),
    })
    .describe('EVM: a signed transfer. Any account can submit it, once.'),
)

const svm = component(
  'ExactSvmPayload',
  z
    .object({
      transaction: wireSvm.shape.transaction.meta({
        description: 'Base64 of the transaction, signed by the payer and not yet by the fee payer.',
        examples: ['AgAAAA…'],
      }),
    })
    .describe('Solana: a signed transaction. The fee payer adds its signature.'),
)

const seconds = (what: string) => z.string().meta({ description: `Unix seconds, as digits: ${what}.`, examples: ['1795262700'] })

const permit2 = component(
  'Permit2Payload',
  z
    .object({
      signature: wireEip3009.shape.signature.meta({
        description: "The payer's EIP-712 signature of `PermitWitnessTransferFrom`.",
        examples: [`0x${'2d6a'.repeat(32)}1b`],
      }),
      permit2Authorization: z.object({
        from: address.meta({ description: 'Who pays.', examples: ['0x857b06519E91e3A54538791bDbb0E22373e36b66'] }),
        permitted: z.object({ token: address, amount: amount.describe('The amount; by `upto` the maximum.') }),
        spender: address.describe('The x402 proxy of the scheme.'),
        nonce: z.string().meta({ description: 'Digits; each is used once.', examples: ['4711'] }),
        deadline: seconds('until then'),
        witness: z.object({
          to: address.describe('Who is paid: `payTo` of the requirements.'),
          facilitator: address.optional().describe('Scheme `upto`: `facilitatorAddress` of the requirements, the only sender.'),
          validAfter: seconds('from then on'),
        }),
      }),
    })
    .describe('EVM: a transfer by Permit2, of a token without EIP-3009 or by the scheme `upto`.'),
)

const inner = z.xor([evm, permit2, ...channelPayloads, svm])

// Version 1 has no other scheme.
const innerV1 = z.xor([evm, permit2, svm])

const payloadV2 = component(
  'PaymentPayloadV2',
  z
    .object({
      x402Version: z.literal(2),
      accepted: requirementsV2.describe('The requirements that the payer chose and signed for.'),
      payload: inner,
      resource: z
        .looseObject({
          url: wireText.url.optional().meta({ examples: ['https://merchant.example/weather'] }),
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

const payloadV1 = component(
  'PaymentPayloadV1',
  z
    .object({
      x402Version: z.literal(1),
      scheme: exactOnly,
      network: networkName.meta({ examples: ['base-sepolia'] }),
      payload: innerV1,
    })
    .describe('A payment of x402 version 1.'),
)

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
  z
    .xor([bodies.v2, bodies.v1, bodies.header])
    .describe('A payment and the requirements that it answers. A request about a channel has the same form.'),
)
