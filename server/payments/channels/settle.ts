import { v7 as uuidv7 } from 'uuid'
import { type Hex, hexToBytes } from 'viem'
import type { Caller } from '../../accounts/caller'
import { type Counted, leftNow, monthlyQuota, type Quota, readQuota, requireUnit, spentNow } from '../../accounts/metering'
import type { App } from '../../app'
import { isServiceError, ServiceError } from '../../base/errors'
import { unreachable } from '../../chains/rpc'
import { findIntent } from '../../ledger/statements/settlements'
import type { Ended, Settled, Underfunded } from '../../ledger/waiting'
import { type EvmNetworkId, networkRow } from '../../x402/networks/networks'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type { ChannelConfig } from '../../x402/schemes/batch-settlement/channel'
import { channelIdOf } from '../../x402/schemes/batch-settlement/hashes'
import type { ChannelPayload, ChannelRequest, RefundPayload } from '../../x402/schemes/batch-settlement/requests'
import { namedRules } from '../../x402/schemes/batch-settlement/rules'
import { claimRejection } from '../claim-rejections'
import type { EvmFacilitator } from '../facilitators'
import { actOrder, type ByService } from '../orders'
import { admitChannel } from './admission'
import { prepareClaims } from './claims'
import { takeForFailure } from './failures'
import type { Act, LeftOut, Prepared } from './prepared'
import { beginRefund, endRefund, keepChannels } from './queries'
import { prepareRefund, prepareSweep, refundOf } from './refunds'
import { askedBy, prepareClear } from './screening'
import { type Acting, allowedBy, authorizersIn } from './terms'

/** How a settle request about channels ended. `act` is what was sent for it; null where nothing was. */
export type ActAnswer = {
  quota: Quota | null
  leftOut: readonly LeftOut[]
} & (
  | { end: 'judged'; failure: Failure }
  /** A transaction of ours did all of it before. */
  | { end: 'done'; transaction: string }
  | { end: 'sent'; settled: Settled; act: Act }
)

type ActRequest = {
  caller: Caller
  channel: ChannelRequest
  hangUp: AbortSignal
  counting: (counted: Counted | null) => void
}

/** The failure of a payload that settle does not act on. */
export const WRONG_TYPE: Failure = failure('invalid_batch_settlement_evm_payload_type')

/**
 * Acts on channels: claims vouchers, refunds, or pays out what was claimed. Each act is judged on the newest block, committed with its rows, and
 * sent by a lane as a payment is. A repeated request joins the first. It costs one settlement. Returns failed acts, throws refusals.
 */
export async function settleChannel(app: App, { caller, channel, hangUp, counting }: ActRequest): Promise<ActAnswer> {
  const facilitator = admitChannel(app, caller, channel)
  const metering = { caller, network: channel.network, meter: 'settlement' } as const
  const quota = await readQuota(app, metering)
  const broken = namedRules.find((rule) => rule.broken(channel))
  if (broken) return { end: 'judged', failure: failure(broken.reason()), quota, leftOut: [] }
  if (!isAct(channel)) return { end: 'judged', failure: WRONG_TYPE, quota, leftOut: [] }

  const allowed = allowedBy(channel)
  if ('failed' in allowed) return { end: 'judged', failure: allowed.failed, quota, leftOut: [] }

  const earlier = isRefund(channel) ? await joinRefund(app, caller, channel, hangUp) : null
  if (earlier) return earlier
  // The claim decides about acts that go beyond the quota.
  if (!isReserved(app, caller, allowed.request.payload)) requireUnit(app, quota)
  counting({ metering, quota })
  const refund = await beginOwn(app, caller, channel)
  const ended = await judgeAndSend(app, { caller, channel, hangUp }, { facilitator, allowed, refund, metering, quota }).catch(
    async (error: unknown) => {
      // Refusals come before anything is sent. After any other error it may be on its way.
      if (isServiceError(error)) await refund?.end()
      throw error
    },
  )
  if (ended.end === 'judged' || (ended.end === 'sent' && ended.settled.end === 'failed')) await refund?.end()
  return ended
}

/** A refund closes its channel for at least this long when its outcome stays unknown. */
const REFUND_MS = 1_800_000

/** A refund that closes its channel while it is judged and sent. */
type OwnRefund = {
  /** Closes the channel anew, as another refund may have opened it. Throws `conflict` if more was charged since the refund began. */
  hold: () => Promise<void>
  end: () => Promise<void>
}

/** Begins a refund that the caller's own authorizer signs: until it ends, no higher voucher of its channel is taken. Null for any other act. */
async function beginOwn(app: App, caller: Caller, channel: ChannelRequest): Promise<OwnRefund | null> {
  const { network, payload } = channel
  if (payload.type !== 'enriched refund' || payload.signature !== null) return null
  if (!app.authorizers.at(caller, payload.channel.receiverAuthorizer)) return null
  const id = channelIdOf(network, payload.channel)
  const begin = () => beginRefund(app.db, network, id, Math.max(REFUND_MS, 2 * app.config.horizonMs))
  let mark = await begin()
  const charged = mark?.charged
  return {
    async hold() {
      mark = await begin()
      if (mark?.charged === charged) return
      throw new ServiceError('conflict', 'more was charged of this channel meanwhile; nothing was sent, ask again', {
        retryAfterSeconds: 1,
      })
    },
    async end() {
      if (mark) await endRefund(app.db, network, id, mark)
    },
  }
}

type Admitted = {
  facilitator: EvmFacilitator
  allowed: Exclude<ReturnType<typeof allowedBy>, { failed: Failure }>
  refund: OwnRefund | null
} & Counted

async function judgeAndSend(
  app: App,
  { caller, channel, hangUp }: Omit<ActRequest, 'counting'>,
  { facilitator, allowed, refund, metering, quota }: Admitted,
): Promise<ActAnswer> {
  const prepared = await prepareClear(app, facilitator, askedBy(caller), async (without) => {
    const request = withoutChannels(allowed.request, without)
    return request && prepare(app, caller, facilitator, request)
  })
  if ('failed' in prepared) {
    const left = await takeForFailure(app, { metering, quota }, prepared.failed)
    return { end: 'judged', failure: prepared.failed, quota: left, leftOut: [...allowed.leftOut, ...(prepared.leftOut ?? [])] }
  }
  const leftOut = [...allowed.leftOut, ...leftOutOf(prepared)]
  if ('done' in prepared) return { end: 'done', transaction: prepared.done, quota, leftOut }
  await refund?.hold()
  await keepJudged(app, caller, channel.network, prepared.act)
  const { network, payTo } = channel
  const sending = { caller, network, payTo, hangUp, byService: null }
  return sendAct(app, sending, facilitator, { ...prepared.act, leftOut }, { metering, quota })
}

/** Whether an act saves what vouchers of the caller's own channels promise: then a small part beyond its quota and gas budget is for it. */
function isReserved(app: App, caller: Caller, payload: ChannelPayload): boolean {
  const named = authorizersIn(payload)
  return named.length > 0 && named.every((address) => app.authorizers.at(caller, address))
}

const leftOutOf = (prepared: Exclude<Prepared, { failed: Failure }>): readonly LeftOut[] =>
  'done' in prepared ? prepared.leftOut : prepared.act.leftOut

const isActing = (payload: ChannelPayload): payload is Acting =>
  payload.type === 'claim' || payload.type === 'enriched refund' || payload.type === 'settle'

/** Whether settle acts on a request. */
export const isAct = (request: ChannelRequest): request is ChannelRequest<Acting> => isActing(request.payload)

const isRefund = (request: ChannelRequest): request is ChannelRequest<RefundPayload> => request.payload.type === 'enriched refund'

/** The answer of an earlier refund by the same nonce: the chain takes a nonce once, and a caller that lost the answer asks again. */
async function joinRefund(
  app: App,
  caller: Caller,
  { network, payload }: ChannelRequest<RefundPayload>,
  hangUp: AbortSignal,
): Promise<ActAnswer | null> {
  const act = refundOf(network, payload)
  const settled = await join(app, caller, act, hangUp)
  return settled && { end: 'sent', settled, act, quota: null, leftOut: [] }
}

/** Judges an act on the newest block, and signs it where its authorizer is the caller's. Writes and sends nothing. */
export function prepare(
  app: App,
  caller: Caller,
  facilitator: EvmFacilitator,
  request: ChannelRequest<Acting>,
): Promise<Prepared> {
  const { network, payload } = request
  switch (payload.type) {
    case 'claim':
      return prepareClaims(app, caller, facilitator, { network, payload })
    case 'enriched refund':
      return prepareRefund(app, caller, facilitator, { network, payload })
    case 'settle':
      return prepareSweep(facilitator, { network, payload })
  }
}

/** The request without the rows of these channels; null where it cannot be made without them. */
function withoutChannels(request: ChannelRequest<Acting>, without: ReadonlySet<Hex>): ChannelRequest<Acting> | null {
  const { network, payload } = request
  if (without.size === 0) return request
  if (payload.type !== 'claim' || payload.signature !== null) return null
  const rows = payload.rows.filter(({ channel }) => !without.has(channelIdOf(network, channel)))
  return rows.length === 0 ? null : { ...request, payload: { ...payload, rows } }
}

/** Keeps what a tenant's own server says of its channels, as far as it was judged: what it charged, and the vouchers that cover it. */
async function keepJudged(app: App, caller: Caller, network: EvmNetworkId, { transfer, rows }: Act): Promise<void> {
  const { tenantId, key } = caller
  const channels = new Map(channelsOf(transfer).map((channel) => [channelIdOf(network, channel), channel] as const))
  const seen = rows.flatMap(({ channelId, total, signed }) => {
    const channel = channels.get(channelId)
    // Channels of an ended key stay those of its tenant.
    if (!channel || !app.authorizers.at({ tenantId, key }, channel.receiverAuthorizer)) return []
    return [{ id: channelId, tenantId, channel, charged: total, presented: signed }]
  })
  await keepChannels(app.db, network, seen)
}

function channelsOf(transfer: Act['transfer']): ChannelConfig[] {
  if (transfer.method === 'batch-claim') return transfer.rows.map(({ channel }) => channel)
  return transfer.method === 'batch-refund' ? [transfer.channel] : []
}

/** For whom an act is sent: a caller that asked for it, or one for whom the service acts by itself. */
type Sending = {
  caller: Caller
  network: EvmNetworkId
  payTo: string
  hangUp: AbortSignal
  byService: ByService | null
}

/** Commits a judged act with its rows and has a lane send it; the same act of the same caller is joined. Throws refusals. */
export async function sendAct(
  app: App,
  { caller, network, payTo, hangUp, byService }: Sending,
  facilitator: EvmFacilitator,
  act: Act,
  { metering, quota }: Counted,
): Promise<Extract<ActAnswer, { end: 'sent' | 'judged' }>> {
  const answer = (settled: Settled, left: Quota | null) => ({
    end: 'sent' as const,
    settled,
    act,
    quota: left,
    leftOut: act.leftOut,
  })
  const joined = await join(app, caller, act, hangUp)
  if (joined) return answer(joined, null)
  await app.engine.requireSubmitter({
    network,
    tier: caller.tier,
    laneClass: facilitator.submitter,
    feePayer: null,
    sender: null,
  })
  const id = uuidv7()
  const head = await facilitator.chain.head().catch((cause: unknown) => {
    throw unreachable(networkRow(network).title, cause)
  })
  const order = actOrder(app, caller, facilitator, { act, network, payTo, head, id, byService })
  const ended = await app.engine.settle(order, { hangUp, name: null }, () => {})
  if (ended.end === 'not claimed') {
    const { why } = ended
    if (why === 'taken') {
      const again = await join(app, caller, act, hangUp)
      if (again) return answer(again, null)
      throw new ServiceError('conflict', 'another caller is sending the same claim, refund or payout', {
        reason: 'duplicate_settlement',
      })
    }
    if (why === 'quota' || why === 'credits') throw await spentNow(app, metering, quota)
    if (why === 'changed' || why === 'revoked') throw changing()
    throw claimRejection(app, caller, { network }, why)
  }
  if (ended.end === 'underfunded') return { end: 'judged', failure: WOULD_FAIL[act.kind], quota, leftOut: [] }
  return answer(ended, await leftAfter(app, metering, quota, ended))
}

/** The wait for the same act of the same caller, if one holds its intent. Null without one, or if it was freed meanwhile. */
async function join(app: App, caller: Caller, { intentKey }: Act, hangUp: AbortSignal): Promise<Settled | null> {
  const known = await findIntent(app.db, hexToBytes(intentKey))
  if (!known) return null
  const isOwn = known.tenantId === caller.tenantId && known.caller === caller.id
  const refused = () => {
    const pending = isOwn && !known.delivered
    const message = pending
      ? 'this claim, refund or payout is being sent already; repeat the identical request for its outcome'
      : 'this claim, refund or payout was sent before; look it up under /settlements'
    return new ServiceError('conflict', message, {
      reason: 'duplicate_settlement',
      ...(isOwn ? { transaction: known.txHash ?? '', settlementId: known.id } : {}),
      ...(pending ? { retryAfterSeconds: 2 } : {}),
    })
  }
  if (!isOwn) throw refused()
  const settled = await app.engine.join(
    {
      id: known.id,
      confirmationLevel: 'usual',
      waitUntil: caller.waitUntil,
      tenantId: caller.tenantId,
      caller: caller.id,
      requestHash: hexToBytes(intentKey),
    },
    { hangUp, name: null },
  )
  if (settled?.end === 'underfunded') return null
  if (settled) return settled
  // Its outcome was told to an earlier request: the same act has the same answer.
  if (known.txHash && LANDED.has(known.state)) {
    return { settlementId: known.id, end: 'landed', transaction: known.txHash, place: UNKNOWN_PLACE }
  }
  throw refused()
}

const LANDED: ReadonlySet<string> = new Set(['PRECONFIRMED', 'INCLUDED', 'FINAL'])
const UNKNOWN_PLACE = { block: null, logIndex: null, finality: 'included', version: 0 } as const

const WOULD_FAIL = {
  claim: failure('invalid_batch_settlement_evm_claim_simulation_failed'),
  refund: failure('invalid_batch_settlement_evm_refund_simulation_failed'),
  sweep: failure('invalid_batch_settlement_evm_settle_simulation_failed'),
} as const satisfies Record<Act['kind'], Failure>

const changing = () =>
  new ServiceError('unavailable', "this API key's settings are being changed; nothing was sent, try again", {
    reason: 'settings_changed',
    retryAfterSeconds: 1,
  })

/** The quota after a claim: a failure gave the unit back. */
async function leftAfter(
  app: App,
  metering: Counted['metering'],
  quota: Quota | null,
  { end, used }: Exclude<Ended, Underfunded>,
): Promise<Quota | null> {
  if (used && end !== 'failed') return monthlyQuota(metering.caller.limits, metering.meter, used)
  return leftNow(app, metering, quota)
}
