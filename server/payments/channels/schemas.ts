import { z } from 'zod'
import { pageLimit } from '../../http/page'
import { amount, component, knownNetwork } from '../../http/schemas'
import { atomic } from '../../x402/atomic'
import { isEvmNetwork } from '../../x402/networks/networks'
import { UINT128_MAX } from '../../x402/schemes/batch-settlement/channel'
import { wireChannel } from '../../x402/schemes/batch-settlement/wire'

const ID = `0x${'c1'.repeat(32)}`
const bytes32 = z.string('must be a string').regex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes: 0x and 64 hex digits')
const channelId = bytes32.toLowerCase().meta({ description: 'The id of the channel.', examples: [ID] })
const total = amount.pipe(atomic).refine((value) => value <= UINT128_MAX, 'must be at most 2^128 - 1')
/** The last millisecond of the year 9999. */
const LATEST = 253_402_300_799_999
const milliseconds = z
  .int('must be whole milliseconds')
  .min(0, 'must not be negative')
  .max(LATEST, 'is too late')
  .meta({ description: 'In Unix milliseconds.', examples: [1_796_000_000_000] })

/** The network of channels in a path. */
const channelsOf = knownNetwork.transform((network, context) => {
  if (isEvmNetwork(network)) return network
  context.addIssue('network has no channels')
  return z.NEVER
})

export const ofNetwork = { network: channelsOf.meta({ description: 'The network of the channels.', examples: ['eip155:84532'] }) }
export const ofChannel = { ...ofNetwork, id: channelId }

const at = (first: string) => `0x${first.repeat(20)}`
const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } = wireChannel.shape
const channelConfig = z.object({
  payer: payer.meta({ examples: [at('85')] }),
  payerAuthorizer: payerAuthorizer.meta({ examples: [at('85')] }),
  receiver: receiver.meta({ examples: [at('20')] }),
  receiverAuthorizer: receiverAuthorizer.meta({ description: 'Of `/supported`.', examples: [at('5c')] }),
  token: token.meta({ examples: [at('03')] }),
  withdrawDelay: withdrawDelay.meta({ description: 'In seconds.', examples: [900] }),
  salt: salt.meta({ examples: [`0x${'00'.repeat(32)}`] }),
})

const pendingId = z
  .string('must be a string')
  .min(1)
  .max(128, 'must be at most 128 characters')
  .meta({ examples: ['5f0c…'] })
const pending = z.object({ pendingId, signedMaxClaimable: total, expiresAt: milliseconds })

/** A channel as an official server writes it. What the chain says of it is read here: those fields are ignored. */
export const writtenChannel = component(
  'WrittenChannel',
  z
    .object({
      channelId,
      channelConfig,
      chargedCumulativeAmount: total,
      signedMaxClaimable: total,
      signature: z
        .string('must be a string')
        .regex(/^0x([0-9a-fA-F]{2})*$/, 'must be 0x followed by whole bytes in hex')
        .max(4_098, 'must be at most 2048 bytes')
        .meta({ description: 'Of the voucher over `signedMaxClaimable`.', examples: [`0x${'2d6a'.repeat(32)}1b`] }),
      lastRequestTimestamp: milliseconds,
      pendingRequest: pending.optional(),
    })
    .meta({
      description: 'A channel as the official server keeps it. Its fields from the chain may be absent: we read the chain.',
    }),
)

/** The headers of a write. */
export const writing = z.object({
  'If-Match': z
    .string()
    .regex(/^"\d{1,18}"$/)
    .optional()
    .meta({ description: 'The `etag` of the row that you change.', examples: ['"7"'] }),
  'If-None-Match': z
    .literal('*')
    .optional()
    .meta({ description: 'Instead of it, for a channel that you did not find here.', examples: ['*'] }),
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,64}$/)
    .meta({
      description:
        'A name for this write: after a lost response send it again. In `<writer>.<number>` the part before the dot names a process, which makes one write of a channel at a time; the newest write of each of the last 16 is known.',
      examples: ['9f3e0d8f1f6f2a11.7'],
    }),
})

const text = z.string().meta({ examples: ['0x…'] })
const unix = z
  .int()
  .min(0)
  .meta({ examples: [1_796_000_000_000] })

/** A channel as an official server reads it. */
export const storedChannel = component(
  'StoredChannel',
  z
    .strictObject({
      channelId: text,
      channelConfig: z.strictObject({
        payer: text,
        payerAuthorizer: text,
        receiver: text,
        receiverAuthorizer: text,
        token: text,
        withdrawDelay: z.int().meta({ examples: [900] }),
        salt: text,
      }),
      chargedCumulativeAmount: amount,
      signedMaxClaimable: amount,
      signature: text,
      balance: amount.describe('What the channel holds, less what its payer asked to withdraw.'),
      totalClaimed: amount,
      withdrawRequestedAt: z
        .int()
        .min(0)
        .meta({ description: 'In Unix seconds; 0 without a withdrawal.', examples: [0] }),
      refundNonce: z
        .int()
        .min(0)
        .meta({ examples: [0] }),
      onchainSyncedAt: unix.describe('When we read the chain. 0: verify the next voucher with us.'),
      lastRequestTimestamp: unix,
      pendingRequest: z
        .strictObject({ pendingId: text, signedMaxClaimable: amount, expiresAt: unix })
        .optional()
        .describe('The request that is being served.'),
    })
    .describe('A channel as the official server keeps it.'),
)

/** The refusal of a write that was too late, with the channel as it is. */
export const movedChannel = component(
  'MovedChannel',
  z
    .strictObject({
      error: z.string().meta({ examples: ['the channel was changed meanwhile'] }),
      channel: storedChannel.nullable().describe('The channel as it is; null if there is none.'),
    })
    .describe('The channel was changed meanwhile.'),
)

/** What a deletion left. */
export const deletedChannel = component(
  'DeletedChannel',
  z
    .strictObject({
      deleted: z.literal(true),
      unclaimed: amount.describe('What was charged and is not claimed yet. We still claim it.'),
    })
    .describe('The channel is deleted.'),
)

/** A page of channels. */
export const storedChannels = component(
  'StoredChannels',
  z
    .strictObject({
      channels: z.array(storedChannel),
      cursor: z.string().meta({ description: 'The next page; empty at the end.', examples: [''] }),
    })
    .describe('A page of channels.'),
)

export const channelPage = z.object({
  limit: pageLimit(100),
  cursor: z
    .union([z.literal(''), bytes32])
    .default('')
    .transform((written) => written.toLowerCase())
    .meta({ description: 'The `cursor` of the previous page.', examples: [ID] }),
})
