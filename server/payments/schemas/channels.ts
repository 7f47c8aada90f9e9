import { z } from 'zod'
import { address, amount, component } from '../../http/schemas'

// The payloads of the scheme `batch-settlement` as official clients, servers and managers send them. Their parser is
// server/x402/schemes/batch-settlement/wire.ts.

const channelAmount = component(
  'ChannelAmount',
  z
    .string()
    .regex(/^\d{1,39}$/)
    .meta({ description: 'Atomic units of the token, as digits: at most 2^128 - 1.', examples: ['10000'] }),
)

const bytes32 = (description: string) =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .meta({ description, examples: [`0x${'f3'.repeat(32)}`] })

const signature = (description: string) =>
  z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})*$/)
    .meta({ description, examples: [`0x${'2d6a'.repeat(32)}1b`] })

const digits = (description: string, example: string) =>
  z
    .string()
    .regex(/^\d{1,38}$/)
    .meta({ description, examples: [example] })

const channel = component(
  'ChannelConfig',
  z
    .object({
      payer: address.describe('Who deposits and pays.'),
      payerAuthorizer: address.describe('Whose key signs vouchers. 0: the payer, by its key or its code.'),
      receiver: address.describe('Who is paid: `payTo` of the requirements.'),
      receiverAuthorizer: address.describe('Who consents to claims and refunds: as the requirements name it.'),
      token: address.describe('The token: `asset` of the requirements.'),
      withdrawDelay: z
        .int()
        .min(900)
        .max(2_592_000)
        .meta({ description: 'How long a withdrawal by the payer takes, seconds.', examples: [900] }),
      salt: bytes32('Tells channels of the same parties apart.'),
    })
    .describe('A channel as its payer chose it. Its EIP-712 hash is its id.'),
)

const voucher = component(
  'ChannelVoucher',
  z
    .object({
      channelId: bytes32('The EIP-712 hash of the channel.'),
      maxClaimableAmount: channelAmount.describe('What may be claimed of the channel in all, this request included.'),
      signature: signature('By `payerAuthorizer`, of the type `Voucher`.'),
    })
    .describe('A signed promise. A newer one replaces it.'),
)

const vouched = { channelConfig: channel, voucher }

const erc3009Authorization = z
  .object({
    validAfter: digits('Unix seconds: from then on.', '0'),
    validBefore: digits('Unix seconds: until then.', '1795262700'),
    salt: bytes32('Part of the nonce of the authorization.'),
    signature: signature('Of `ReceiveWithAuthorization`.'),
  })
  .describe('EIP-3009: the token lets the collector of the scheme take the deposit.')

const permit2Authorization = z
  .object({
    from: address.describe('The payer.'),
    permitted: z.object({ token: address, amount }),
    spender: address.describe('The collector of the scheme for Permit2.'),
    nonce: digits('Each is used once.', '4711'),
    deadline: digits('Unix seconds: until then.', '1795262700'),
    witness: z.object({ channelId: bytes32('The channel.') }),
    signature: signature('Of `PermitWitnessTransferFrom`.'),
  })
  .describe('The same by Permit2.')

const deposit = component(
  'ChannelDepositPayload',
  z
    .object({
      type: z.literal('deposit'),
      ...vouched,
      deposit: z.object({
        amount: channelAmount.describe('What goes into the channel.'),
        authorization: z.union([z.object({ erc3009Authorization }), z.object({ permit2Authorization })]),
      }),
    })
    .describe('Opens a channel or adds to it, and pays the first request by its voucher. For verify and settle.'),
)

const paid = component(
  'ChannelVoucherPayload',
  z.object({ type: z.literal('voucher'), ...vouched }).describe('Pays a request out of a channel. For verify only.'),
)

const row = component(
  'ChannelClaim',
  z
    .object({
      voucher: z.object({ channel, maxClaimableAmount: channelAmount }),
      signature: signature('Of the voucher.'),
      totalClaimed: channelAmount.describe('What is claimed of the channel in all: what was charged.'),
    })
    .describe('A row of a claim.'),
)

const claims = z.array(row).max(100).describe('At most 100 rows.')
const ownSignature = signature("By the channels' authorizer. Without it we sign, if it is yours and kept here.")

const refund = component(
  'ChannelRefundPayload',
  z
    .object({
      type: z.literal('refund'),
      ...vouched,
      amount: channelAmount.optional().describe('What goes back; all that is left if a payer names none.'),
      refundNonce: digits("Settle: the channel's refund nonce.", '0').optional(),
      claims: claims.optional().describe('Settle: what is claimed before.'),
      refundAuthorizerSignature: ownSignature.optional(),
      claimAuthorizerSignature: ownSignature.optional(),
    })
    .describe("Returns what is left in a channel to its payer. The merchant's server adds what settle needs."),
)

const claim = component(
  'ChannelClaimPayload',
  z
    .object({ type: z.literal('claim'), claims, claimAuthorizerSignature: ownSignature.optional() })
    .describe('Claims vouchers of many channels in one transaction. For settle only; such a body may have 128 KB.'),
)

const payout = component(
  'ChannelSettlePayload',
  z
    .object({ type: z.literal('settle'), receiver: address, token: address })
    .describe('Pays out what was claimed for a receiver. For settle only.'),
)

/** What a payment of the scheme `batch-settlement` holds, by its `type`. */
export const channelPayloads = [deposit, paid, refund, claim, payout] as const
