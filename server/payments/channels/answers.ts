import type { Hex } from 'viem'
import type { Caller } from '../../accounts/caller'
import { type Counted, quotaHeaders } from '../../accounts/metering'
import type { App } from '../../app'
import type { EvmChain } from '../../chains/evm/chain'
import { API_HEADERS } from '../../http/errors'
import { type EvmPayment, isEvmPayment, type Payment } from '../../x402/payment'
import { channelIdOf } from '../../x402/schemes/batch-settlement/hashes'
import type { ChannelRequest, ClaimPayload } from '../../x402/schemes/batch-settlement/requests'
import { facilitatorFor } from '../facilitators'
import type { PaymentAnswer } from '../present'
import type { SettleAnswer } from '../settle'
import type { Verified } from '../verify'
import { admitChannel } from './admission'
import { rowsOf } from './claims'
import { groupsOf } from './groups'
import { readChannels } from './managed/watching'
import type { LeftOut } from './prepared'
import { type ActResponse, actAnswer, type DepositPayment, depositBody } from './present'
import { findEnded } from './queries'
import { findReverted } from './reverted'
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
  const groups = await claimGroups(app, caller, channel)
  const act = async (one: ChannelRequest) => {
    const ended = await settleChannel(app, { caller, channel: one, hangUp, counting })
    const answer = await actAnswer(app, chain, one, ended)
    if (answer.body.success) await readActed(app, caller, chain, one)
    return { answer, leftOut: ended.leftOut }
  }
  const whole = async () => (await act(channel)).answer
  if (groups.length < 2) return whole()
  const ended = await Promise.allSettled(groups.map(act))
  const answers = ended.flatMap((one, at) => {
    const group = groups[at]
    return one.status === 'fulfilled' && group ? [{ group, ...one.value }] : []
  })
  const refused = ended.find((one) => one.status === 'rejected')
  // A repeated request answers what landed of the other groups.
  if (refused) throw refused.reason
  return merged(answers) ?? whole()
}

/** The caller with the ended tenants of its owner, if it asks for a signature of an authorizer that is none of its own. */
export async function withEnded(app: App, caller: Caller, { payload }: ChannelRequest): Promise<Caller> {
  if (!caller.key || authorizersIn(payload).every((address) => app.authorizers.at(caller, address))) return caller
  return { ...caller, ended: await findEnded(app.db, caller.tenantId) }
}

/**
 * The claims of a request that are sent apart, because a claim fails as a whole and one call takes the rows of one authorizer: after a
 * rotation old channels name the old one. Empty for anything else than claims that are signed here.
 */
export async function claimGroups(app: App, caller: Caller, channel: ChannelRequest): Promise<ChannelRequest<ClaimPayload>[]> {
  const { network, payload } = channel
  if (payload.type !== 'claim' || payload.signature !== null) return []
  if (authorizersIn(payload).some((address) => app.authorizers.at(caller, address) === null)) return []
  const rows = rowsOf(network, payload.rows)
  const ids = rows.map(({ id }) => id)
  const groups = groupsOf(network, rows, await findReverted(app.db, network, caller.tenantId, ids))
  return groups.map((some) => ({ ...channel, payload: { ...payload, rows: some } }))
}

/** A claim of a group, and its rows that were left out. */
type Answered = { group: ChannelRequest<ClaimPayload>; answer: ActResponse; leftOut: readonly LeftOut[] }

/** One answer to several claims: rows of a failed claim are listed as left out. An unknown outcome comes first. */
function merged(answers: readonly Answered[]): ActResponse | null {
  const unknown = answers.find(({ answer }) => answer.body.errorReason === 'settlement_pending')
  const done = answers.filter(({ answer }) => answer.body.success)
  const last = unknown?.answer ?? done.at(-1)?.answer ?? answers[0]?.answer
  if (!last || unknown || done.length === 0) return last ?? null
  const leftOut = answers.flatMap(({ group, answer: { body }, leftOut: named }) => {
    if (body.success) return body.extra?.leftOut ?? []
    if (named.length > 0) return named.map(({ channelId, error }) => ({ channelId, error }))
    const error = body.errorReason ?? 'unknown'
    return group.payload.rows.map(({ channel }) => ({ channelId: channelIdOf(group.network, channel), error }))
  })
  const amount = done.reduce((sum, { answer: { body } }) => sum + BigInt(body.amount ?? '0'), 0n)
  const extra = leftOut.length > 0 ? { extra: { leftOut } } : {}
  return { ...last, body: { ...last.body, amount: String(amount), ...extra } }
}

/** Reads the channels of an act again, so that their server does not count on what is gone. */
async function readActed(app: App, caller: Caller, chain: EvmChain, { network, payload }: ChannelRequest): Promise<void> {
  const named = payload.type === 'claim' ? payload.rows : payload.type === 'enriched refund' ? [payload] : []
  const own = named.filter(({ channel }) => app.authorizers.at(caller, channel.receiverAuthorizer) !== null)
  await readAgain(app, chain, [...new Set(own.map(({ channel }) => channelIdOf(network, channel)))])
}

/** Reads channels that changed. A node that does not answer delays that: the watcher of the chain reads them too. */
async function readAgain({ db, log }: App, chain: EvmChain, ids: readonly Hex[]): Promise<void> {
  if (ids.length === 0) return
  await readChannels({ db, chain }, ids).catch((error: unknown) =>
    log.warn({ err: error, ids }, 'channels that changed are read later'),
  )
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
  // Its claim wrote the voucher before anything was sent: the money has moved, and the answer says so.
  const charged = payment.price ?? 0n
  await keepVoucher(app, caller, payment.network, payment.transfer.deposit, { charged }).catch((error: unknown) =>
    app.log.error({ err: error }, 'the voucher of a deposit could not be kept again'),
  )
  const { body } = await depositBody(facilitator.chain, payment, settled.transaction)
  await readAgain(app, facilitator.chain, [channelIdOf(payment.network, payment.transfer.deposit.channel)])
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
