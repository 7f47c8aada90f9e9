import type { Hex } from 'viem'
import { assetOn } from '../../x402/networks/networks'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type { ChannelConfig } from '../../x402/schemes/batch-settlement/channel'
import { channelIdOf } from '../../x402/schemes/batch-settlement/hashes'
import type { ChannelRequest, ClaimPayload, RefundPayload, SweepPayload } from '../../x402/schemes/batch-settlement/requests'
import type { LeftOut } from './prepared'

/** The payloads that settle acts on. */
export type Acting = ClaimPayload | RefundPayload | SweepPayload

/** What of a request its requirements allow, and the rows that they do not; or why they allow nothing. */
type Allowed = { request: ChannelRequest<Acting>; leftOut: readonly LeftOut[] } | { failed: Failure }

const otherReceiver = failure('invalid_batch_settlement_evm_receiver_mismatch')
const otherToken = failure('invalid_batch_settlement_evm_token_mismatch')

/**
 * Compares an act with its requirements: it is for their `payTo`, and of a token that is settled on the network, so that no stranger's code
 * runs below a lane. A claim may hold channels of several tokens; a row of another receiver is left out, unless the merchant signed over all.
 */
export function allowedBy(request: ChannelRequest<Acting>): Allowed {
  const { network, asset, payTo, payload } = request
  const whyNot = ({ receiver, token }: Pick<ChannelConfig, 'receiver' | 'token'>): Failure | null => {
    if (receiver !== payTo) return otherReceiver
    return assetOn(network, token) ? null : otherToken
  }
  if (payload.type !== 'claim') {
    const isOther = payload.type === 'settle' && payload.token !== asset
    const failed = whyNot(payload.type === 'settle' ? payload : payload.channel) ?? (isOther ? otherToken : null)
    return failed ? { failed } : { request, leftOut: [] }
  }
  const judged = payload.rows.map((row) => ({ row, failed: whyNot(row.channel) }))
  const first = judged.find(({ failed }) => failed)?.failed
  if (!first) return { request, leftOut: [] }
  const rows = judged.flatMap(({ row, failed }) => (failed ? [] : [row]))
  if (payload.signature !== null || rows.length === 0) return { failed: first }
  const leftOut = judged.flatMap(({ row, failed }) =>
    failed ? [{ channelId: channelIdOf(network, row.channel), error: failed.reason }] : [],
  )
  return { request: { ...request, payload: { ...payload, rows } }, leftOut }
}

/** The authorizers that would have to sign for a request here, each once; none where its own signatures are in it. */
export function authorizersIn(payload: ChannelRequest['payload']): Hex[] {
  if (payload.type === 'claim') {
    return payload.signature === null ? [...new Set(payload.rows.map((row) => row.channel.receiverAuthorizer))] : []
  }
  return payload.type === 'enriched refund' && payload.signature === null ? [payload.channel.receiverAuthorizer] : []
}
