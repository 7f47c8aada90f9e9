import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Caller } from '../../accounts/caller'
import type { App } from '../../app'
import { atMost } from '../../base/at-most'
import { ServiceError } from '../../base/errors'
import type { Channels } from '../../chains/evm/channels'
import { isMadeBy } from '../../chains/evm/judgement'
import { malformed } from '../../x402/json'
import { assetOn, type EvmNetworkId } from '../../x402/networks/networks'
import { type ChannelState, WITHDRAW_DELAY } from '../../x402/schemes/batch-settlement/channel'
import { channelIdOf } from '../../x402/schemes/batch-settlement/hashes'
import { channelOf } from '../../x402/schemes/batch-settlement/read'
import type { ChannelRequest, VoucherPayload } from '../../x402/schemes/batch-settlement/requests'
import { cosignedVoucher } from '../../x402/schemes/batch-settlement/rules'
import type { Cosigned } from '../../x402/schemes/evm-method'
import { hex } from '../../x402/schemes/hex'
import { admitChannel } from './admission'
import type { storedChannel, writtenChannel } from './schemas'
import { findStored, makeRoom, type StoredChannel, UNDEPOSITED_MAX, type Written, writeStored } from './stored-queries'

/** How long a voucher that its signer approved counts as approved, and how many are known. */
const APPROVED_MS = 60_000
const APPROVED_MAX = 50_000

const approved = new WeakMap<Channels, LRUCache<string, true>>()

/** Whether a voucher's signature holds. One that held within the last minute does: a server writes each voucher twice. */
export async function isApproved(channels: Channels, cosigned: Cosigned): Promise<boolean> {
  if (isKnown(channels, cosigned)) return true
  const holds = cosigned.wallet === null ? isMadeBy(cosigned) : await channels.approves(cosigned)
  if (holds) noteApproved(channels, cosigned)
  return holds
}

const isKnown = (channels: Channels, cosigned: Cosigned): boolean => knownOf(channels).has(nameOf(cosigned))

/** Notes that a voucher's signature holds. */
export function noteApproved(channels: Channels, cosigned: Cosigned): void {
  knownOf(channels).set(nameOf(cosigned), true)
}

function knownOf(channels: Channels): LRUCache<string, true> {
  const known = approved.get(channels) ?? new LRUCache<string, true>({ ...atMost(APPROVED_MAX), ttl: APPROVED_MS })
  approved.set(channels, known)
  return known
}

const nameOf = ({ hash, by, wallet, signature }: Cosigned) =>
  `${hash} ${by} ${wallet ?? (signature ? `${signature.r}${signature.s}${signature.v}` : '')}`

/** Why no higher voucher is taken of a channel. */
export const REFUNDING = 'a refund of this channel is on its way; pay through it again once that landed'

/** Which version a server read, and the name of its write. */
type Condition = { expected: bigint | null; mutation: string }

/**
 * Keeps a channel for its merchant's server: durable when it resolves. Throws `bad_request` for a row that contradicts itself, `forbidden` for
 * a channel whose claims this key does not sign, `conflict` for one that would be charged less than before, or when too many channels have no
 * deposit.
 */
export async function storeChannel(
  app: App,
  caller: Caller,
  { network, id, row }: { network: EvmNetworkId; id: string; row: z.output<typeof writtenChannel> },
  { expected, mutation }: Condition,
): Promise<Extract<Written, { row: unknown }>> {
  const config = channelOf(row.channelConfig)
  const computed = channelIdOf(network, config)
  if (computed !== id || row.channelId !== id)
    throw malformed(`channelId ${row.channelId} is not that of channelConfig on ${network}, which is ${computed}`)
  if (!app.authorizers.at(caller, config.receiverAuthorizer)) {
    const message = `receiverAuthorizer ${config.receiverAuthorizer} is no authorizer of this API key; /supported names yours`
    throw new ServiceError('forbidden', message)
  }
  const { least, most } = WITHDRAW_DELAY
  if (config.withdrawDelay < least || config.withdrawDelay > most)
    throw malformed(`channelConfig.withdrawDelay is ${config.withdrawDelay}; it must be ${least} to ${most} seconds`)
  // Nobody's own code runs below a signer of ours: claims and payouts take listed tokens only.
  if (!assetOn(network, config.token)) throw malformed(`channelConfig.token ${config.token} is not settled on ${network}`)
  const { chargedCumulativeAmount: charged, signedMaxClaimable: signed, pendingRequest: pending } = row
  if (charged > signed) throw malformed(`chargedCumulativeAmount ${charged} is more than signedMaxClaimable ${signed}`)
  const { chain } = admitChannel(app, caller, { network, payTo: config.receiver })
  const voucher = { maxClaimable: signed, signature: hex(row.signature) }
  const cosigned = cosignedVoucher(network, { channel: config, voucher }, computed)
  // Each of these asks a node, and costs no unit.
  if (cosigned.wallet !== null && !isKnown(chain.channels, cosigned))
    await app.rateLimit(`wallet vouchers:${caller.id}`, caller.limits.requestsPerSecond)
  if (!(await isApproved(chain.channels, cosigned)))
    throw malformed(`signature is not that of the channel's payer, or its authorizer, over signedMaxClaimable ${signed}`)
  const write = {
    network,
    id,
    tenantId: caller.tenantId,
    expected,
    mutation,
    config,
    signed,
    signature: voucher.signature,
    charged,
    pending: pending ? { ...pending, signedMaxClaimable: String(pending.signedMaxClaimable) } : null,
    usedAt: new Date(row.lastRequestTimestamp),
  }
  const tried = await writeStored(app.db, write)
  const written = tried.end === 'full' && (await makeRoom(app.db, caller.tenantId)) > 0 ? await writeStored(app.db, write) : tried
  if (written.end === 'full') {
    const message = `${UNDEPOSITED_MAX} channels of this key wait for their deposits; try again in two minutes`
    throw new ServiceError('conflict', message)
  }
  if (written.end === 'refunding') throw new ServiceError('conflict', REFUNDING)
  if (written.end === 'falls')
    throw new ServiceError('conflict', `${written.row.charged} was charged of this channel; that cannot fall to ${charged}`)
  return written
}

/**
 * A channel as an official server reads it. Its chain's state is ours. A payer that withdraws has only the rest of its balance, one that is
 * refunded has nothing left, and while anything of the chain is unknown or about to change, the server must verify each voucher with us.
 */
export function presentChannel(row: StoredChannel): z.input<typeof storedChannel> {
  const { id, config, signed, signature, charged, pending, usedAt, withdrawAt, syncedAt } = row
  const left = row.refunding ? BigInt(charged) : BigInt(row.balance) - BigInt(row.withdrawing)
  return {
    channelId: id,
    channelConfig: config,
    chargedCumulativeAmount: charged,
    signedMaxClaimable: signed,
    signature: signature ?? '0x',
    balance: String(left > 0n ? left : 0n),
    totalClaimed: row.claimed,
    withdrawRequestedAt: withdrawAt ? Math.floor(withdrawAt.getTime() / 1_000) : 0,
    refundNonce: Number(row.refundNonce),
    onchainSyncedAt: isSteady(row) ? (syncedAt?.getTime() ?? 0) : 0,
    lastRequestTimestamp: usedAt?.getTime() ?? 0,
    ...(pending ? { pendingRequest: pending } : {}),
  }
}

/** Whether nothing of a channel's state is unknown or about to change. */
const isSteady = ({ withdrawAt, unclaimable, refunding }: StoredChannel): boolean =>
  withdrawAt === null && unclaimable === null && !refunding

/** For how long what the chain said of a channel that is kept here is not asked again. A withdrawal takes 15 minutes at least. */
const STATE_MS = 30_000

/** What the chain said lately of the channel of a voucher, if this caller keeps it here. Null where the chain must be asked. */
export async function recentState(
  { db }: Pick<App, 'db'>,
  { tenantId }: Caller,
  { network, payload }: ChannelRequest<VoucherPayload>,
): Promise<ChannelState | null> {
  if (payload.type !== 'voucher') return null
  const row = await findStored(db, { network, id: channelIdOf(network, payload.channel), tenantId })
  if (!row?.syncedAt || !isSteady(row) || Date.now() - row.syncedAt.getTime() > STATE_MS) return null
  const { balance, claimed, withdrawing, refundNonce } = row
  return {
    balance: BigInt(balance),
    totalClaimed: BigInt(claimed),
    withdrawAmount: BigInt(withdrawing),
    withdrawRequestedAt: 0n,
    refundNonce: BigInt(refundNonce),
  }
}

/** The entity tag of a channel: its version. */
export const tagOf = ({ version }: Pick<StoredChannel, 'version'>): string => `"${version}"`

/** The version in an entity tag that `tagOf` wrote. */
export const versionIn = (tag: string): bigint => BigInt(tag.slice(1, -1))
