import type { EvmChain } from '../chains/evm/chain'
import { ServiceError } from '../errors'
import type { LaneClass } from '../store/lanes'
import { type NetworkId, networks } from '../x402/networks'
import type { App } from './app'
import type { Tier } from './plans'

/** Who judges and settles a payment. */
export type Facilitator = { chain: EvmChain; laneClass: LaneClass }

/** Whose signers serve each tier; a tier without an engine is null. Sandbox and production never share a signer. */
const LANE_CLASS = { sandbox: 'sandbox', standard: 'production', flash: null } as const satisfies Record<Tier, LaneClass | null>

/** The facilitator of a tier on a network. Throws `unavailable` when the operator has not configured it. */
export function facilitatorFor(app: App, tier: Tier, network: NetworkId): Facilitator {
  const laneClass = LANE_CLASS[tier]
  const configured = app.networks.get(network)
  if (laneClass && configured && configured.signers[laneClass].length > 0) return { chain: configured.chain, laneClass }
  const what = laneClass ? networks[network].title : `flash settlement on ${networks[network].title}`
  throw new ServiceError('unavailable', `${what} is not configured on this facilitator`, {
    reason: 'facilitator_unavailable',
    retryAfterSeconds: 60,
  })
}

/** The addresses that send for a tier on a network; none where it is not configured. */
export function signersOf(app: App, tier: Tier, network: NetworkId): readonly string[] {
  const laneClass = LANE_CLASS[tier]
  return laneClass ? (app.networks.get(network)?.signers[laneClass] ?? []) : []
}
