import { z } from 'zod'
import { judgedCodes } from '../../http/documented-codes'
import {
  address,
  amount,
  component,
  idOf,
  maximum,
  networkId,
  networkName,
  payer,
  REASONS_PAGE,
  resource,
  time,
  transaction,
} from '../../http/schemas'
import { finalities } from '../../x402/networks/finality'

/** How certain a payment is. */
export const finality = z.enum(finalities).meta({
  description:
    'How certain it is: preconfirmed by the sequencer, included in a block, safe (so deep that we stop watching), or finalized by the network.',
  examples: ['included'],
})

const JWS = 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL3BheSJ9.c2lnbmF0dXJl'
const receipt = z.string().meta({ description: 'A compact JWS (ES256) by a key of `/.well-known/jwks.json`.', examples: [JWS] })

const blockNumber = z
  .int()
  .min(0)
  .meta({ description: 'The block of the transfer; on Solana its slot.', examples: [38412077] })
const logIndex = z
  .int()
  .min(0)
  .meta({ description: 'EVM: the place of its Transfer log among the logs of the block.', examples: [12] })
const nonce = z.string().meta({ description: 'EVM: the nonce of the authorization.', examples: [`0x${'5f'.repeat(32)}`] })

const place = {
  nonce: nonce.nullable(),
  block_number: blockNumber.nullable(),
  log_index: logIndex.nullable(),
  finality: finality.nullable(),
}

/** The keys that verify receipts. */
export const receiptKeys = component(
  'ReceiptKeys',
  z
    .strictObject({
      keys: z.array(
        z.strictObject({
          kty: z.literal('EC'),
          crv: z.literal('P-256'),
          x: z.string().meta({ examples: ['f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'] }),
          y: z.string().meta({ examples: ['x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'] }),
          alg: z.literal('ES256'),
          use: z.literal('sig'),
          kid: z
            .string()
            .meta({ description: 'Its name in receipts.', examples: ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'] }),
        }),
      ),
    })
    .describe('A JWK set (RFC 7517).'),
)

const settlement = component(
  'Settlement',
  z
    .strictObject({
      id: idOf('the settlement: its `x-settlement-id`'),
      state: z.enum(['pending', 'succeeded', 'failed']).meta({ examples: ['succeeded'] }),
      reason: z
        .string()
        .nullable()
        .meta({ description: 'Why it failed; null otherwise.', examples: [null] }),
      message: z
        .string()
        .nullable()
        .meta({
          description: 'The facts of a failure in a sentence or two, where the reason does not say them; else null.',
          examples: [null],
        }),
      transaction,
      network: networkId,
      payer,
      pay_to: address,
      amount,
      maximum: maximum.optional(),
      resource,
      created_at: time,
      ...place,
      receipt: receipt.nullable().describe('The signed receipt of a landed payment, or of its reversal; null for any other.'),
    })
    .describe('A settlement as the caller who made it may see it.'),
)

const settlementStanding = component(
  'SettlementStanding',
  z
    .strictObject({
      state: settlement.shape.state,
      reason: settlement.shape.reason,
      transaction,
      network: networkId,
      amount: amount.optional().describe('What was charged of a maximum.'),
      maximum: maximum.optional(),
      ...place,
    })
    .describe('What another holder of the signed payment may know of its settlement.'),
)

/** The answer of a lookup by the signed payment. */
export const lookedUp = component(
  'LookedUpPayment',
  z
    .strictObject({ settlements: z.array(z.xor([settlement, settlementStanding])) })
    .describe('What became of a signed payment: in full for the caller that settled it.'),
)

/** The answer of a lookup: more than one only by a transaction that carried several. */
export const settlements = component(
  'Settlements',
  z.strictObject({ settlements: z.array(settlement) }).describe("The caller's settlements by an id or a transaction."),
)

const judgedReason = component(
  'JudgedReason',
  z.enum([...judgedCodes]).meta({
    description: `Why a payment failed, in the words of the official facilitator. Each is explained under ${REASONS_PAGE}<word>.`,
    examples: ['invalid_exact_evm_insufficient_balance'],
  }),
)

const message = (example: string) =>
  z.string().meta({ description: 'The reason in a sentence, for people.', examples: [example] })
const POOR = "The payer's balance is lower than the amount."

const channelState = component(
  'ChannelState',
  z
    .strictObject({
      channelId: z.string().meta({
        description: 'The EIP-712 hash of the channel.',
        examples: ['0xcfcc7722ef96c28e2ac7397bd8a6e8a135b6df774a5f73aa065064c4b4665c9f'],
      }),
      balance: amount,
      totalClaimed: amount,
      withdrawRequestedAt: z
        .int()
        .min(0)
        .meta({ description: 'When its payer asked to withdraw, Unix seconds; 0 if it did not.', examples: [0] }),
      refundNonce: z.string().meta({ description: 'How often it was refunded.', examples: ['0'] }),
    })
    .describe('A channel as the chain has it.'),
)

const valid = component(
  'PaymentValid',
  z
    .strictObject({
      isValid: z.literal(true),
      payer,
      extra: channelState.optional().describe('Of a voucher or a deposit: its channel before it.'),
    })
    .describe('The payment is good: settle it. No money was moved.'),
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
      amount,
      extra: z
        .strictObject({
          blockNumber: blockNumber.optional(),
          logIndex: logIndex.optional(),
          payer,
          nonce: nonce.optional(),
          finality,
        })
        .describe('What tells this transfer from others of its transaction. What is not known yet is absent.'),
      extensions: z.strictObject({
        'settlement-receipt': z.strictObject({
          info: z.strictObject({
            receipt,
            url: z
              .string()
              .optional()
              .meta({
                description: 'The public page of the receipt. Only of a key with public receipts.',
                examples: ['https://pay.example/r/Vb3kq0Xn5mJ2sYw8RtLzCg'],
              }),
          }),
          schema: z
            .record(z.string(), z.unknown())
            .meta({ description: 'The JSON Schema of `info`.', examples: [{ type: 'object' }] }),
        }),
      }),
    })
    .describe("The money is the merchant's: deliver."),
)

const uncharged = component(
  'PaymentUncharged',
  z
    .strictObject({
      success: z.literal(true),
      transaction: z.literal(''),
      network: networkName.describe('The network as the request wrote it.'),
      payer,
      amount: z.literal('0'),
    })
    .describe('The merchant charged nothing of the maximum: no money moved, and the authorization cannot be charged any more.'),
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

const acted = component(
  'ChannelActed',
  z
    .strictObject({
      success: z.literal(true),
      transaction: z
        .string()
        .regex(/^(0x[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/)
        .meta({ description: 'The transaction that did it.', examples: [`0x${'89'.repeat(32)}`] }),
      network: networkName.describe('The network as the request wrote it.'),
      payer: payer.optional(),
      amount: amount.optional().describe('What was deposited, claimed, refunded or paid out, atomic units.'),
      extra: z
        .strictObject({
          channelState: channelState.optional().describe('The channel after a deposit or a refund.'),
          leftOut: z
            .array(
              z.strictObject({
                channelId: channelState.shape.channelId,
                error: z.string().meta({ description: 'The error of the contract.', examples: ['ClaimExceedsBalance'] }),
                claimed: amount.optional().describe('What is claimed of it in all nevertheless.'),
              }),
            )
            .optional()
            .describe('Rows of a claim that are not claimed, or not to their total: they would have failed the others.'),
        })
        .optional(),
    })
    .describe(
      'A deposit into a channel, claims of vouchers, a refund, or the payment of what was claimed. None is a payment of its own.',
    ),
)

/** The answer of settle. */
export const settled = component('Settled', z.xor([landed, uncharged, acted, failed]).describe('What became of a payment.'))
