import type { EvmChain } from '../chains/evm/chain'
import { ServiceError } from '../errors'
import type { LaneClass } from '../store/lanes'
import { type NetworkId, networks } from '../x402/networks'
import type { App, ConfiguredNetwork } from './app'
import type { Tier } from './plans'

/** Who judges and settles a payment. */
export type Facilitator = { chain: EvmChain; laneClass: LaneClass }

type Served = { laneClass: LaneClass; chainOf: (network: ConfiguredNetwork) => EvmChain | null; name: (title: string) => string }

/** Whose signers serve each tier, and through which endpoint. Sandbox and production never share a signer. */
const TIERS = {
  sandbox: { laneClass: 'sandbox', chainOf: ({ chain }) => chain, name: (title) => title },
  standard: { laneClass: 'production', chainOf: ({ chain }) => chain, name: (title) => title },
  flash: { laneClass: 'production', chainOf: ({ flash }) => flash, name: (title) => `flash settlement on ${title}` },
} as const satisfies Record<Tier, Served>

/** The facilitator of a tier on a network. Throws `unavailable` when the operator has not configured it. */
export function facilitatorFor(app: App, tier: Tier, network: NetworkId): Facilitator {
  const { laneClass, chainOf, name } = TIERS[tier]
  const configured = app.networks.get(network)
  const chain = configured && configured.signers[laneClass].length > 0 ? chainOf(configured) : null
  if (chain) return { chain, laneClass }
  throw new ServiceError('unavailable', `${name(networks[network].title)} is not configured on this facilitator`, {
    reason: 'facilitator_unavailable',
    retryAfterSeconds: 60,
  })
}

/** The addresses that send for a tier on a network; none where it is not configured. */
export function signersOf(app: App, tier: Tier, network: NetworkId): readonly string[] {
  const { laneClass, chainOf } = TIERS[tier]
  const configured = app.networks.get(network)
  return configured && chainOf(configured) ? configured.signers[laneClass] : []
}
