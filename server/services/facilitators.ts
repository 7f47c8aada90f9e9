import type { EvmChain } from '../chains/evm/chain'
import { ServiceError } from '../errors'
import type { Carrier, LaneClass } from '../store/lanes'
import { displayAddress } from '../x402/addresses'
import { type NetworkId, networks } from '../x402/networks'
import type { App, ConfiguredNetwork } from './app'
import type { Tier } from './plans'

/** Who judges and settles a payment: whose it is decides how it is screened, the carrier who sends it. */
export type Facilitator = { chain: EvmChain; laneClass: LaneClass; carrier: Carrier }

type Served = { laneClass: LaneClass; chainOf: (network: ConfiguredNetwork) => EvmChain | null; name: (title: string) => string }

/** Whose signers serve each tier, and through which endpoint. Sandbox and production never share a signer. */
const TIERS = {
  sandbox: { laneClass: 'sandbox', chainOf: ({ chain }) => chain, name: (title) => title },
  standard: { laneClass: 'production', chainOf: ({ chain }) => chain, name: (title) => title },
  flash: { laneClass: 'production', chainOf: ({ flash }) => flash, name: (title) => `flash settlement on ${title}` },
} as const satisfies Record<Tier, Served>

/** The facilitator of a tier on a network. Throws `unavailable` when the operator has not configured it. */
export function facilitatorFor(app: App, tier: Tier, network: NetworkId): Facilitator {
  const facilitator = find(app, tier, network)
  if (facilitator) return facilitator
  throw new ServiceError('unavailable', `${TIERS[tier].name(networks[network].title)} is not configured on this facilitator`, {
    reason: 'facilitator_unavailable',
    retryAfterSeconds: 60,
  })
}

// A tier is served by the other facilitator or by our lanes, never by one in place of the other. What the other one does is read on our own node.
function find(app: App, tier: Tier, network: NetworkId): Facilitator | null {
  const { laneClass, chainOf } = TIERS[tier]
  const configured = app.networks.get(network)
  if (!configured) return null
  if (app.remotes.has(tier)) return { chain: configured.chain, laneClass, carrier: 'remote' }
  const chain = configured.signers[laneClass].length > 0 ? chainOf(configured) : null
  return chain && { chain, laneClass, carrier: laneClass }
}

/** The addresses that send for a tier on a network, as far as they are known. Null where it is not configured. */
export function signersOf(app: App, tier: Tier, network: NetworkId): readonly string[] | null {
  const facilitator = find(app, tier, network)
  if (!facilitator) return null
  if (facilitator.carrier === 'remote') return (app.remotes.get(tier)?.senders(network) ?? []).map(displayAddress)
  return app.networks.get(network)?.signers[facilitator.carrier] ?? []
}
