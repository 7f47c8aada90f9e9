import type { Hex } from 'viem'
import type { Caller } from '../../accounts/caller'
import { type Counted, quotaHeaders } from '../../accounts/metering'
import type { App } from '../../app'
import type { EvmChain } from '../../chains/evm/chain'
import { API_HEADERS } from '../../http/errors'
import { type EvmPayment, isEvmPayment, type Payment } from '../../x402/payment'
import type { ClaimRow } from '../../x402/schemes/batch-settlement/channel'
import { channelIdOf } from '../../x402/schemes/batch-settlement/hashes'
import type { ChannelRequest, ClaimPayload } from '../../x402/schemes/batch-settlement/requests'
import { facilitatorFor } from '../facilitators'
import type { PaymentAnswer } from '../present'
import type { SettleAnswer } from '../settle'
import type { Verified } from '../verify'
import { admitChannel } from './admission'
import { readChannels } from './managed/watching'
import { type ActResponse, actAnswer, type DepositPayment, depositBody } from './present'
import { findEnded, keepChannels } from './queries'
import { settleChannel } from './settle'
import { authorizersIn } from './terms'
import { keepVoucher } from './verify'

type ActRequest = {
  caller: Caller
  channel: ChannelRequest
  counting: (counted: Counted | null) => void
  hangUp: AbortSignal
}

/** Acts on channels and answers. Throws refusals. */
export async function actOn(app: App, { caller: asked, channel, counting, hangUp }: ActRequest): Promise<PaymentAnswer> {
  const { chain } = admitChannel(app, asked, channel)
  const caller = await withEnded(app, asked, channel)
  const groups = claimsByAuthorizer(app, caller, channel)
  const act = async (one: ChannelRequest) => {
    const acted = await actAnswer(app, chain, one, await settleChannel(app, { caller, channel: one, hangUp, counting }))
    if (acted.body.success) await keepStates(app, caller, chain, one)
    return acted
  }
  if (groups.length < 2) return act(channel)
  const answers: { group: ChannelRequest<ClaimPayload>; answer: ActResponse }[] = []
  for (const group of groups) answers.push({ group, answer: await act(group) })
  return merged(answers) ?? act(channel)
}

/** The caller with the ended tenants of its owner, if it asks for a signature of an authorizer that is none of its own. */
async function withEnded(app: App, caller: Caller, { payload }: ChannelRequest): Promise<Caller> {
  if (!caller.key || authorizersIn(payload).every((address) => app.authorizers.at(caller, address))) return caller
  return { ...caller, ended: await findEnded(app.db, caller.tenantId) }
}

/**
 * Claims of several authorizers of the caller: after a rotation old channels name the old one, and one call takes the rows of one. Empty for
 * anything else.
 */
function claimsByAuthorizer(app: App, caller: Caller, channel: ChannelRequest): ChannelRequest<ClaimPayload>[] {
  const { payload } = channel
  if (payload.type !== 'claim' || payload.signature !== null) return []
  const byAddress = new Map<Hex, ClaimRow[]>()
  for (const row of payload.rows) {
    const { receiverAuthorizer } = row.channel
    byAddress.set(receiverAuthorizer, [...(byAddress.get(receiverAuthorizer) ?? []), row])
  }
  const isOwn = [...byAddress.keys()].every((address) => app.authorizers.at(caller, address) !== null)
  return isOwn ? [...byAddress.values()].map((rows) => ({ ...channel, payload: { ...payload, rows } })) : []
}

/** One answer to several claims: what failed of one is left out beside the others. One whose outcome is not known is told first. */
function merged(answers: readonly { group: ChannelRequest<ClaimPayload>; answer: ActResponse }[]): ActResponse | null {
  const unknown = answers.find(({ answer }) => answer.body.errorReason === 'settlement_pending')
  const done = answers.filter(({ answer }) => answer.body.success)
  const last = unknown?.answer ?? done.at(-1)?.answer ?? answers[0]?.answer
  if (!last || unknown || done.length === 0) return last ?? null
  const leftOut = answers.flatMap(({ group, answer: { body } }) => {
    if (body.success) return body.extra?.leftOut ?? []
    const error = body.errorReason ?? 'unknown'
    return group.payload.rows.map(({ channel }) => ({ channelId: channelIdOf(group.network, channel), error }))
  })
  const amount = done.reduce((sum, { answer: { body } }) => sum + BigInt(body.amount ?? '0'), 0n)
  const extra = leftOut.length > 0 ? { extra: { leftOut } } : {}
  return { ...last, body: { ...last.body, amount: String(amount), ...extra } }
}

/** Keeps what the chain says of channels after an act, so that their server does not count on what is gone. */
async function keepStates(app: App, caller: Caller, chain: EvmChain, { network, payload }: ChannelRequest): Promise<void> {
  const named = payload.type === 'claim' ? payload.rows : payload.type === 'enriched refund' ? [payload] : []
  const own = named.filter(({ channel }) => app.authorizers.at(caller, channel.receiverAuthorizer) !== null)
  const channels = new Map(own.map(({ channel }) => [channelIdOf(network, channel), channel]))
  if (channels.size === 0) return
  const askedAt = new Date()
  // The act is done: the watcher of the chain, or the next verify, reads what fails here.
  const states = await chain.channels.states([...channels.keys()]).catch(() => [])
  const seen = [...channels].flatMap(([id, channel], at) => {
    const state = states[at]
    return state ? [{ id, tenantId: caller.tenantId, channel, state: { ...state, askedAt } }] : []
  })
  await keepChannels(app.db, network, seen)
}

const isDeposit = (payment: EvmPayment): payment is DepositPayment => 'deposit' in payment.transfer

/** The answer of settle to a deposit that landed; null for anything else. It is no payment to the merchant, so it has no receipt. */
export async function depositAnswer(
  app: App,
  caller: Caller,
  payment: Payment,
  { settled, quota }: SettleAnswer,
): Promise<PaymentAnswer | null> {
  if (settled.end !== 'landed' || !isEvmPayment(payment) || !isDeposit(payment)) return null
  const facilitator = facilitatorFor(app, caller.tier, payment.network)
  if (facilitator.family !== 'evm') return null
  // Its claim wrote both before anything was sent: the money has moved, and the answer says so.
  const charged = payment.price ?? 0n
  await keepVoucher(app, caller, payment.network, payment.transfer.deposit, { charged }).catch((error: unknown) =>
    app.log.error({ err: error }, 'the voucher of a deposit could not be kept again'),
  )
  const { body } = await depositBody(facilitator.chain, payment, settled.transaction)
  const channelId = channelIdOf(payment.network, payment.transfer.deposit.channel)
  await readChannels({ db: app.db, chain: facilitator.chain }, [channelId]).catch((error: unknown) =>
    app.log.warn({ err: error, channelId }, 'the channel of a deposit is read later'),
  )
  const headers = { ...API_HEADERS, ...(quota ? quotaHeaders(quota) : {}), 'x-settlement-id': settled.settlementId }
  return { body, headers, settled: true, failed: null }
}

/**
 * Keeps the voucher of a deposit that verify accepts into a channel that is open: its merchant may serve before anything is sent. A channel
 * that does not exist yet holds nothing that could be refunded.
 */
export async function keepVerified(app: App, caller: Caller, payment: Payment, { verdict }: Verified): Promise<void> {
  if (!verdict.isValid || !verdict.channel || verdict.channel.balance === 0n) return
  if (isEvmPayment(payment) && isDeposit(payment)) await keepVoucher(app, caller, payment.network, payment.transfer.deposit, {})
}
