import { getAddress } from 'viem'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { type ChainCount, countOn, knownOf, nonceAfter } from '../ledger/evm/lane-status'
import { findLane, type LaneRow, listLanes, releaseQuarantine } from '../ledger/statements/lanes'
import { isNetworkId } from '../x402/networks/networks'

/** A lane of the ledger with the chain's transaction counts of its signer; null when no node answers or the network is not served here. */
export type LaneState = LaneRow & { chain: ChainCount | null }

/** A nonce as digits. */
export const NONCE_DIGITS = /^(0|[1-9]\d{0,18})$/

/** Every lane of the ledger. */
export async function lanesOf(app: App): Promise<LaneState[]> {
  return Promise.all((await listLanes(app.db)).map((lane) => laneStateOf(app, lane)))
}

/** The lanes that wait for an operator; only these read the chain. */
export async function quarantinedLanes(app: App): Promise<LaneState[]> {
  const lanes = await listLanes(app.db)
  return Promise.all(lanes.filter(({ status }) => status === 'quarantined').map((lane) => laneStateOf(app, lane)))
}

/**
 * The first and last nonce of transactions unknown to the ledger, and the nonce to release the lane at; null while it must not be
 * released.
 */
type Release = { unknown: { from: bigint; to: bigint } | null; releaseAt: bigint | null }

/** What an operator must check before a release. */
export function releaseOf({ status, nextNonce, chain }: LaneState): Release {
  if (nextNonce === null || chain === null) return { unknown: null, releaseAt: null }
  const known = knownOf(chain)
  return {
    unknown: known > nextNonce ? { from: nextNonce, to: known - 1n } : null,
    releaseAt: status === 'quarantined' ? nonceAfter(nextNonce, chain) : null,
  }
}

/**
 * Returns a quarantined lane to service at the nonce that an operator has checked up to. Throws `not_found`; `conflict` when it is not
 * quarantined, an unknown transaction is unmined, or the chain is at another nonce; `unavailable` when no node answers.
 */
export async function releaseLane(app: App, id: string, checkedUpTo: bigint): Promise<LaneState> {
  const lane = await laneStateOfId(app, id)
  const { network, address, nextNonce } = lane
  if (lane.status !== 'quarantined' || nextNonce === null) throw refused('this lane is not quarantined')
  if (!lane.chain) throw new ServiceError('unavailable', 'no node returned the nonces of this signer; try again shortly')
  const next = nonceAfter(nextNonce, lane.chain)
  if (next === null) throw refused('transactions of this signer that the ledger does not know are not mined yet; try again later')
  if (next !== checkedUpTo)
    throw refused(`the lane continues at nonce ${next}: check every transaction of the signer before that one`)
  if (!(await releaseQuarantine(app.db, lane, next))) throw refused('the lane has changed meanwhile; check it again')
  app.log.warn(
    { laneId: id, network, address, from: String(nextNonce), to: String(next), why: lane.quarantineWhy },
    'lane released',
  )
  return laneStateOfId(app, id)
}

async function laneStateOfId(app: App, id: string): Promise<LaneState> {
  const lane = await findLane(app.db, id)
  if (!lane) throw new ServiceError('not_found', 'there is no lane with this id')
  return laneStateOf(app, lane)
}

async function laneStateOf({ networks, log }: App, lane: LaneRow): Promise<LaneState> {
  const served = isNetworkId(lane.network) ? networks.get(lane.network) : undefined
  if (served?.family !== 'evm') return { ...lane, chain: null }
  try {
    return { ...lane, chain: await countOn(served.chain, getAddress(lane.address)) }
  } catch (err) {
    log.warn({ err, network: lane.network }, 'no node returned the nonces of our signers')
    return { ...lane, chain: null }
  }
}

const refused = (message: string) => new ServiceError('conflict', message)
