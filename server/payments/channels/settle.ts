import { v7 as uuidv7 } from 'uuid'
import { hexToBytes } from 'viem'
import type { Caller } from '../../accounts/caller'
import { type Counted, leftNow, monthlyQuota, type Quota, readQuota, requireUnit, spentNow } from '../../accounts/metering'
import type { App } from '../../app'
import { ServiceError } from '../../base/errors'
import { unreachable } from '../../chains/rpc'
import { findIntent } from '../../ledger/statements/settlements'
import type { Ended, Settled, Underfunded } from '../../ledger/waiting'
import { networkRow } from '../../x402/networks/networks'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type {
  ChannelPayload,
  ChannelRequest,
  ClaimPayload,
  RefundPayload,
  SweepPayload,
} from '../../x402/schemes/batch-settlement/requests'
import { namedRules } from '../../x402/schemes/batch-settlement/rules'
import { claimRejection } from '../claim-rejections'
import type { EvmFacilitator } from '../facilitators'
import { actOrder } from '../orders'
import { admitChannel } from './admission'
import { prepareClaims, rowsOf } from './claims'
import { takeForFailure } from './failures'
import type { Act, LeftOut, Prepared } from './prepared'
import { keepChannels, writeClaimRows } from './queries'
import { prepareRefund, prepareSweep, refundOf } from './refunds'

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

  const earlier = isRefund(channel) ? await joinRefund(app, caller, channel, hangUp) : null
  if (earlier) return earlier
  requireUnit(app, quota)
  counting({ metering, quota })
  const prepared = await prepare(app, caller, facilitator, channel)
  if ('failed' in prepared) {
    const left = await takeForFailure(app, { metering, quota }, prepared.failed)
    return { end: 'judged', failure: prepared.failed, quota: left, leftOut: prepared.leftOut ?? [] }
  }
  if ('done' in prepared) return { end: 'done', transaction: prepared.done, quota, leftOut: prepared.leftOut }
  await screen(app, caller, facilitator, prepared.act)
  await keepPresented(app, caller, channel)
  return send(app, { caller, channel, hangUp }, facilitator, prepared.act, { metering, quota })
}

type Acting = ClaimPayload | RefundPayload | SweepPayload

const isActing = (payload: ChannelPayload): payload is Acting =>
  payload.type === 'claim' || payload.type === 'enriched refund' || payload.type === 'settle'

const isAct = (request: ChannelRequest): request is ChannelRequest<Acting> => isActing(request.payload)

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

function prepare(app: App, caller: Caller, facilitator: EvmFacilitator, request: ChannelRequest<Acting>): Promise<Prepared> {
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

/** New addresses per minute that a caller may have screened for acts. */
const ADDRESSES_PER_MINUTE = 60

/** Screens who gets tokens by an act: claims move none. */
async function screen(app: App, caller: Caller, { laneClass }: EvmFacilitator, { kind, transfer }: Act): Promise<void> {
  if (kind === 'claim') return
  const { from, to } = transfer.authorization
  await app.screening[laneClass].screen({ payer: from, payTo: to }, { id: caller.id, perMinute: ADDRESSES_PER_MINUTE })
}

/** Keeps what a tenant's own server says of its channels: what it charged, and the vouchers that it has. */
async function keepPresented(app: App, caller: Caller, { network, payload }: ChannelRequest): Promise<void> {
  const written = payload.type === 'claim' ? payload.rows : payload.type === 'enriched refund' ? payload.claims.rows : []
  const own = rowsOf(network, written).filter(({ channel }) => app.authorizers.at(caller, channel.receiverAuthorizer) !== null)
  await keepChannels(
    app.db,
    network,
    own.map(({ id, channel, totalClaimed, voucher }) => ({
      id,
      tenantId: caller.tenantId,
      channel,
      charged: totalClaimed,
      presented: voucher.maxClaimable,
    })),
  )
}

async function send(
  app: App,
  { caller, channel: { network, payTo }, hangUp }: Omit<ActRequest, 'counting'>,
  facilitator: EvmFacilitator,
  act: Act,
  { metering, quota }: Counted,
): Promise<ActAnswer> {
  const answer = (settled: Settled, left: Quota | null): ActAnswer => ({
    end: 'sent',
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
  // Before the claim, so that what is signed later has its rows; without the claim nothing reads them.
  await writeClaimRows(app.db, { settlementId: id, network }, act.rows)
  const head = await facilitator.chain.head().catch((cause: unknown) => {
    throw unreachable(networkRow(network).title, cause)
  })
  const order = actOrder(app, caller, facilitator, { act, network, payTo, head, id })
  const ended = await app.engine.settle(order, { hangUp, name: null }, () => {})
  if (ended.end === 'not claimed') {
    const { why } = ended
    if (why === 'taken') {
      const again = await join(app, caller, act, hangUp)
      if (again) return answer(again, null)
      throw new ServiceError('conflict', 'the same is being done for another caller', { reason: 'duplicate_settlement' })
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
  const refused = () =>
    new ServiceError('conflict', 'the same was sent before; look it up under /settlements', {
      reason: 'duplicate_settlement',
      ...(isOwn ? { transaction: known.txHash ?? '', settlementId: known.id } : {}),
    })
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
