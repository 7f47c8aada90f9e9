import { type EvmNetworkId, networkRow } from './networks'

/** The official facilitator's margin. */
const OFFICIAL_SECONDS = 6

/**
 * How long an authorization must stay valid on a network, so that it can still be mined: two blocks and two seconds, at least six
 * seconds. In whole seconds.
 */
export function expiryMargin(network: EvmNetworkId): number {
  return Math.max(OFFICIAL_SECONDS, Math.ceil(2 * networkRow(network).blockSeconds + 2))
}

/** The Unix second up to which an authorization must stay valid when the clock shows `now`. */
export function validUntil(network: EvmNetworkId, now: bigint): bigint {
  return now + BigInt(expiryMargin(network))
}

/** How long an offer is valid, in seconds. */
export const OFFER_SECONDS = 300
