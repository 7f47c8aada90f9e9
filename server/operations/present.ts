import { displayAddress } from '../x402/addresses'
import { type LaneState, releaseOf } from './lanes'

/** A lane ready for JSON, with its nonces as digits. */
export function presentLane(lane: LaneState) {
  const { id, network, address, idle, nextNonce, chain, quarantinedAt, quarantineWhy } = lane
  const { unknown, releaseAt } = releaseOf(lane)
  return {
    id,
    network,
    idle,
    laneClass: lane.class,
    address: displayAddress(address),
    since: quarantinedAt?.toISOString() ?? null,
    why: quarantineWhy,
    nextNonce: nextNonce?.toString() ?? null,
    chain: chain && { mined: String(chain.mined), pending: String(chain.pending) },
    unknown: unknown && { from: String(unknown.from), to: String(unknown.to) },
    releaseAt: releaseAt?.toString() ?? null,
  }
}

/** A lane as the admin API sends it. */
export function wireLane(lane: LaneState) {
  const { id, network, laneClass, address, since, why, nextNonce, chain, unknown, releaseAt } = presentLane(lane)
  return {
    id,
    network,
    address,
    class: laneClass,
    status: lane.status,
    quarantined_at: since,
    why,
    next_nonce: nextNonce,
    chain,
    unknown,
    release_at: releaseAt,
  }
}
