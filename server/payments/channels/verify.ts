import type { Caller } from '../../accounts/caller'
import { type Counted, readQuota, requireUnit, takeForVerdict } from '../../accounts/metering'
import type { App } from '../../app'
import { displayAddress } from '../../x402/addresses'
import type { EvmNetworkId } from '../../x402/networks/networks'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type { ChannelState } from '../../x402/schemes/batch-settlement/channel'
import { channelIdOf } from '../../x402/schemes/batch-settlement/hashes'
import type { ChannelRequest, VoucherPayload } from '../../x402/schemes/batch-settlement/requests'
import { channelRules, cosignedVoucher, namedRules, voucherStateRules } from '../../x402/schemes/batch-settlement/rules'
import type { EvmFacilitator } from '../facilitators'
import { askerOf } from '../judging'
import type { SeenChannel, Verified } from '../verify'
import { admitChannel } from './admission'
import { keepChannels } from './queries'
import { isApproved, noteApproved, REFUNDING, recentState } from './stored'

/**
 * Judges a voucher, or the refund that a payer asks for, without moving anything: by its form, its signature and the state of its channel. It
 * costs a verification once its form holds. Throws refusals; those after `counting` was called have the headers of its quota.
 */
export async function verifyVoucher(
  app: App,
  caller: Caller,
  request: ChannelRequest<VoucherPayload>,
  counting: (counted: Counted) => void,
): Promise<Verified> {
  const { network, payload } = request
  const payer = displayAddress(payload.channel.payer)
  const metering = { caller, network, meter: 'verification' } as const
  const [quota, recent] = await Promise.all([readQuota(app, metering), recentState(app, caller, request)])
  const facilitator = admitChannel(app, caller, request)
  const form = brokenForm(request)
  if (form) return { verdict: { isValid: false, ...form }, payer, quota }

  const parties = { payer: payload.channel.payer, payTo: request.payTo }
  const asker = askerOf(caller)
  app.screening[facilitator.laneClass].requireAvailable(parties, asker)
  requireUnit(app, quota)
  counting({ metering, quota })
  const askedAt = new Date()
  const byRecent = recent && (await judgeVoucher(facilitator, request, recent))
  // Only the chain itself refuses: a deposit may have come since.
  const isRecent = byRecent !== null && 'channel' in byRecent
  const judged = isRecent ? byRecent : await judgeVoucher(facilitator, request, null)
  if ('channel' in judged) await app.screening[facilitator.laneClass].screen(parties, asker)
  const state = 'channel' in judged && !isRecent ? { ...judged.channel, askedAt } : null
  const kept = state && (await keepVoucher(app, caller, network, payload, { state }))
  const left = await takeForVerdict(app, metering, quota)
  // What is vouched behind a refund could not be claimed any more.
  if (kept?.refunding && payload.type === 'voucher') return { verdict: { isValid: false, ...IS_REFUNDED }, payer, quota: left }
  if ('channel' in judged) return { verdict: { isValid: true, channel: judged.channel }, payer, quota: left }
  return { verdict: { isValid: false, ...judged.failed }, payer, quota: left }
}

/** Keeps the newest voucher of a channel whose refunds are signed here, before anyone counts on it. Null for a channel of others. */
export async function keepVoucher(
  app: App,
  caller: Caller,
  network: EvmNetworkId,
  { channel, voucher }: Pick<VoucherPayload, 'channel' | 'voucher'>,
  seen: { charged?: bigint; state?: ChannelState & { askedAt: Date } },
): Promise<{ refunding: boolean } | null> {
  if (!app.authorizers.at(caller, channel.receiverAuthorizer)) return null
  const id = channelIdOf(network, channel)
  const [kept] = await keepChannels(app.db, network, [{ id, tenantId: caller.tenantId, channel, voucher, ...seen }])
  return kept ?? null
}

const IS_REFUNDED = failure(
  'invalid_batch_settlement_evm_cumulative_exceeds_balance',
  `The channel takes no voucher: ${REFUNDING}.`,
)

/** Why the form of a request about one channel is wrong. Null when it is not. */
export function brokenForm(request: ChannelRequest<VoucherPayload>): Failure | null {
  const { payload, ...terms } = request
  const named = namedRules.find((rule) => rule.broken(request))
  if (named) return failure(named.reason())
  const rule = channelRules.find((one) => one.broken({ ...terms, vouched: payload }))
  return rule ? failure(rule.reason()) : null
}

type AboutVoucher = Pick<ChannelRequest<VoucherPayload>, 'network' | 'payload'>

/**
 * What the chain says of a voucher: whether its signature holds, and its channel, unless that was read lately. Throws `upstream` when no node
 * answers.
 */
export async function readVoucher(
  { chain: { channels } }: Pick<EvmFacilitator, 'chain'>,
  { network, payload }: AboutVoucher,
  recent: ChannelState | null = null,
) {
  const id = channelIdOf(network, payload.channel)
  const cosigned = cosignedVoucher(network, payload, id)
  const approval = recent ? isApproved(channels, cosigned) : channels.approves(cosigned)
  const [approves, state] = await Promise.all([approval, recent ?? channels.state(id)])
  return { id, cosigned, approves, state }
}

/** Judges a voucher whose form holds. Throws `upstream` when no node answers. */
async function judgeVoucher(
  facilitator: Pick<EvmFacilitator, 'chain'>,
  request: AboutVoucher,
  recent: ChannelState | null,
): Promise<{ channel: SeenChannel } | { failed: Failure }> {
  const { id, cosigned, approves, state } = await readVoucher(facilitator, request, recent)
  const { payload } = request
  if (!approves) return { failed: failure(cosigned.reason) }
  noteApproved(facilitator.chain.channels, cosigned)
  const broken = brokenState(payload, state)
  if (broken) return { failed: broken }
  if (state === null) throw new Error('a voucher without a channel keeps all rules')
  return { channel: { ...state, id } }
}

function brokenState(payload: VoucherPayload, state: ChannelState | null): Failure | null {
  for (const { reason, broken } of voucherStateRules) {
    const how = broken(payload, state)
    if (how) return failure(reason, how === true ? undefined : how)
  }
  return null
}
