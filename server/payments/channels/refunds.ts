import type { Hex } from 'viem'
import type { Caller } from '../../accounts/caller'
import type { App } from '../../app'
import { actKey } from '../../x402/intent'
import type { EvmNetworkId } from '../../x402/networks/networks'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type { ChannelState, ClaimRow } from '../../x402/schemes/batch-settlement/channel'
import { channelIdOf, claimsHash, refundHash } from '../../x402/schemes/batch-settlement/hashes'
import type { ChannelRequest, RefundPayload, SweepPayload } from '../../x402/schemes/batch-settlement/requests'
import { cosignedVoucher } from '../../x402/schemes/batch-settlement/rules'
import type { SignedRefund, SignedSweep } from '../../x402/schemes/batch-settlement/transfers'
import type { EvmFacilitator } from '../facilitators'
import { authorizerFor, isFailure, isTooLong, rowsOf } from './claims'
import { type Act, gaining, type Prepared } from './prepared'
import { findChannels, type KnownChannel } from './queries'

function larger(one: bigint, other: bigint): bigint {
  if (one > other) return one
  return other
}

function smaller(one: bigint, other: bigint): bigint {
  if (one < other) return one
  return other
}

const failing = (reason: Parameters<typeof failure>[0], message?: string): { failed: Failure } => ({
  failed: failure(reason, message),
})

/**
 * Judges a refund on the newest block, behind its claims, and signs both if the authorizer of the channel is the caller's. It is signed only if
 * all that is known to be charged, and the newest voucher, come to their claim with it or did before. Throws when the node does not answer.
 */
export async function prepareRefund(
  app: App,
  caller: Caller,
  { chain, lane }: EvmFacilitator,
  { network, payload }: Pick<ChannelRequest<RefundPayload>, 'network' | 'payload'>,
): Promise<Prepared> {
  const { channel, amount, nonce } = payload
  const channelId = channelIdOf(network, channel)
  const sent =
    payload.claims.signature === null
      ? rowsOf(network, payload.claims.rows)
      : payload.claims.rows.map((row) => ({ ...row, id: channelIdOf(network, row.channel) }))
  if (sent.some(({ id }) => id !== channelId)) return failing('invalid_batch_settlement_evm_channel_id_mismatch')
  const signatures = [payload.signature, payload.claims.signature, ...sent.map(({ voucher }) => voucher.signature)]
  if (signatures.some((one) => one !== null && isTooLong(one)))
    return failing('invalid_batch_settlement_evm_refund_simulation_failed', 'A signature is too long: InvalidSignature.')
  const [state, known] = await Promise.all([
    chain.channels.state(channelId),
    payload.signature === null ? findChannels(app.db, network, [channelId]).then((found) => found.get(channelId)) : null,
  ])
  if (state === null) return failing('invalid_batch_settlement_evm_rpc_read_failed')
  // What our own key refunds of a channel that is kept here comes behind our own claim of its charge, whatever was sent along.
  const kept = known?.kept ? claimOfKept(network, payload, known, state) : null
  const own = kept !== null || payload.claims.signature === null
  const rows = kept ?? sent
  const total = rows.reduce((most, { totalClaimed }) => larger(most, totalClaimed), state.totalClaimed)
  const left = state.balance > total ? state.balance - total : 0n
  if (total <= state.balance && amount > 0n && left === 0n) return failing('invalid_batch_settlement_evm_refund_no_balance')
  const signsHere = payload.signature === null || (own && rows.length > 0)
  const authorizer = signsHere ? authorizerFor(app, caller, [{ channel, voucher: payload.voucher, totalClaimed: 0n }]) : null
  if (authorizer && isFailure(authorizer)) return { failed: authorizer }
  if (known?.kept && known.servingUntil > Date.now()) {
    const message = 'A request of this channel is being served, and its charge is not known yet. Ask again when it is answered.'
    return failing('invalid_batch_settlement_evm_refund_simulation_failed', message)
  }
  if (known && !known.kept) {
    const presented = await presentedBy(chain, { network, payload, channelId }, rows, state.totalClaimed)
    const uncovered = whyUncovered(known, { total, presented })
    if (uncovered) return failing('invalid_batch_settlement_evm_refund_simulation_failed', uncovered)
  }
  // What was claimed before is passed over; a signature of the merchant's own is over all rows.
  const claimed = own ? rows.filter(({ totalClaimed }) => totalClaimed > state.totalClaimed) : rows
  const before = claimed.map(({ id: _, ...row }) => row)
  const claims =
    before.length === 0
      ? null
      : {
          rows: before,
          signature: own ? (authorizer?.sign(claimsHash(network, before)) ?? '0x') : (payload.claims.signature ?? '0x'),
        }
  // A deposit that lands meanwhile stays in the channel.
  const most = payload.signature === null && left > 0n ? smaller(amount, left) : amount
  const signature = payload.signature ?? authorizer?.sign(refundHash(network, { channelId, nonce, amount: most })) ?? '0x'
  const unsigned = refundOf(network, { ...payload, amount: most })
  const transfer: SignedRefund = { ...unsigned.transfer, signature, signedHere: payload.signature === null, claims }
  const why = await chain.channels.whyFailing(transfer, lane)
  if (why) return failing('invalid_batch_settlement_evm_refund_simulation_failed', `The refund would fail on chain: ${why}.`)
  // A node that was behind read the balance before a deposit, and another one tried the refund after it.
  if (left === 0n) return failing('invalid_batch_settlement_evm_refund_simulation_failed', 'The channel is changing. Ask again.')
  return {
    act: {
      ...unsigned,
      transfer,
      amount: smaller(amount, left),
      rows: gaining(claimed, () => state.totalClaimed),
    },
  }
}

/**
 * The highest voucher that a refund shows: of a row that it claims, whose signature the trial of the refund proves, or another one that is
 * signed. Atomic units.
 */
async function presentedBy(
  chain: EvmFacilitator['chain'],
  { network, payload, channelId }: Pick<ChannelRequest<RefundPayload>, 'network' | 'payload'> & { channelId: Hex },
  rows: readonly ClaimRow[],
  claimed: bigint,
): Promise<bigint> {
  const tried = rows.filter(({ totalClaimed }) => totalClaimed > claimed)
  const proven = tried.reduce((most, { voucher }) => larger(most, voucher.maxClaimable), 0n)
  const others = rows.filter(({ totalClaimed }) => totalClaimed <= claimed).map(({ voucher }) => voucher)
  const highest = others.reduce((most, one) => (one.maxClaimable > most.maxClaimable ? one : most), payload.voucher)
  if (highest.maxClaimable <= proven) return proven
  const { channel } = payload
  const isSigned = await chain.channels.approves(cosignedVoucher(network, { channel, voucher: highest }, channelId))
  return isSigned ? highest.maxClaimable : proven
}

/** A refund as it is asked for, without signatures and claims. */
export function refundOf(network: EvmNetworkId, { channel, amount, nonce }: RefundPayload): Act & { transfer: SignedRefund } {
  const channelId = channelIdOf(network, channel)
  return {
    kind: 'refund',
    intentKey: actKey(['batch-refund', network, channelId, String(nonce)]),
    amount,
    rows: [],
    leftOut: [],
    transfer: {
      method: 'batch-refund',
      asset: channel.token,
      authorization: { from: channel.receiverAuthorizer, to: channel.payer, value: 0n },
      signature: '0x',
      proof: 'key',
      signedHere: false,
      channel,
      channelId,
      amount,
      nonce,
      claims: null,
    },
  }
}

/** The claim of what was charged of a channel that is kept here, as far as its balance goes; no row where the chain has it. */
function claimOfKept(
  network: EvmNetworkId,
  { channel }: RefundPayload,
  known: KnownChannel,
  { balance, totalClaimed }: ChannelState,
): ReturnType<typeof rowsOf> {
  const total = smaller(known.charged, balance)
  if (total <= totalClaimed || known.signature === null) return []
  const voucher = { maxClaimable: known.signed, signature: known.signature }
  return rowsOf(network, [{ channel, voucher, totalClaimed: total }])
}

/** Why a refund would leave something unclaimed that is known of a channel that is not kept here. Null when it would not. */
function whyUncovered(known: KnownChannel, { total, presented }: { total: bigint; presented: bigint }): string | null {
  if (known.charged > total)
    return `${known.charged} was charged of this channel, and only ${total} would be claimed. Claim the rest with the refund.`
  const newest = known.signed
  const shown = larger(known.presented, presented)
  if (newest <= total || newest <= shown) return null
  return `The newest voucher of this channel is over ${newest}. Send it with the refund, or claim it before.`
}

/** Judges the payment of what was claimed for a receiver, on the newest block. Throws when the node does not answer. */
export async function prepareSweep(
  { chain, lane }: EvmFacilitator,
  { network, payload: { receiver, token } }: Pick<ChannelRequest<SweepPayload>, 'network' | 'payload'>,
): Promise<Prepared> {
  const state = await chain.channels.receiver(receiver, token)
  if (state === null) return failing('invalid_batch_settlement_evm_rpc_read_failed')
  if (state.claimed <= state.settled) return failing('invalid_batch_settlement_evm_nothing_to_settle')
  const transfer: SignedSweep = {
    method: 'batch-sweep',
    asset: token,
    authorization: { from: receiver, to: receiver, value: 0n },
    signature: '0x',
    proof: 'key',
    claimed: state.claimed,
    gain: state.claimed - state.settled,
  }
  const why = await chain.channels.whyFailing(transfer, lane)
  if (why) return failing('invalid_batch_settlement_evm_settle_simulation_failed', `The payment would fail on chain: ${why}.`)
  return {
    act: {
      kind: 'sweep',
      intentKey: actKey(['batch-sweep', network, receiver, token, String(state.claimed)]),
      amount: state.claimed - state.settled,
      rows: [],
      leftOut: [],
      transfer,
    },
  }
}
