import type { Hex } from 'viem'
import type { Tier } from '../accounts/plans'
import { type App, type ConfiguredNetwork, contradictionIn } from '../app'
import { ServiceError } from '../base/errors'
import type { EvmChain } from '../chains/evm/chain'
import type { SvmChain } from '../chains/svm/chain'
import type { LaneClass, LaneKey, Submitter } from '../ledger/statements/lanes'
import { displayAddress } from '../x402/addresses'
import { type NetworkId, networkRow } from '../x402/networks/networks'

/** How a payment is judged and settled: `laneClass` decides its screening, `submitter` sends it. */
export type Facilitator = EvmFacilitator | SvmFacilitator
export type EvmFacilitator = {
  family: 'evm'
  chain: EvmChain
  laneClass: LaneClass
  submitter: Submitter
  /** A lane that may send: acts are tried as its calls. Null where another facilitator sends. */
  lane: Hex | null
}
/** On Solana each payment names the fee payer that sends it. */
export type SvmFacilitator = { family: 'svm'; chain: SvmChain; laneClass: LaneClass; submitter: LaneClass }

type Evm = Extract<ConfiguredNetwork, { family: 'evm' }>
type Served = { laneClass: LaneClass; chainOf: (network: Evm) => EvmChain | null; name: (title: string) => string }

/** The signers and the endpoint of each tier. Sandbox and production never share a signer. */
const TIERS = {
  sandbox: { laneClass: 'sandbox', chainOf: ({ chain }) => chain, name: (title) => title },
  standard: { laneClass: 'production', chainOf: ({ chain }) => chain, name: (title) => title },
  flash: { laneClass: 'production', chainOf: ({ flash }) => flash, name: (title) => `flash settlement on ${title}` },
} as const satisfies Record<Tier, Served>

/** The facilitator of a tier on a network. Throws `unavailable` when the operator has not configured it. */
export function facilitatorFor(app: App, tier: Tier, network: NetworkId): Facilitator {
  const facilitator = find(app, tier, network)
  const configured = app.networks.get(network)
  if (facilitator && configured?.isUnchecked?.()) {
    const message = `${networkRow(network).title} was not checked yet: none of its nodes has answered; nothing was sent, try again shortly`
    throw new ServiceError('unavailable', message, { reason: 'facilitator_unavailable', retryAfterSeconds: 2 })
  }
  if (facilitator) return facilitator
  if (configured && contradictionIn(configured) !== null) {
    const message = `${networkRow(network).title} is refused on this facilitator: its configuration does not fit its chain`
    throw new ServiceError('unavailable', message, { reason: 'facilitator_unavailable', retryAfterSeconds: 60 })
  }
  throw new ServiceError('unavailable', `${TIERS[tier].name(networkRow(network).title)} is not configured on this facilitator`, {
    reason: 'facilitator_unavailable',
    retryAfterSeconds: 60,
  })
}

function find(app: App, tier: Tier, network: NetworkId): Facilitator | null {
  const { laneClass, chainOf } = TIERS[tier]
  const configured = app.networks.get(network)
  if (!configured || contradictionIn(configured) !== null) return null
  const { family, signers } = configured
  const signs = signers[laneClass].length > 0
  // Solana's blocks are as fast as sub-blocks elsewhere, and payers name our fee payer: we serve every tier ourselves, with no flash
  // endpoint.
  if (family === 'svm') return signs ? { family, chain: configured.chain, laneClass, submitter: laneClass } : null
  // A tier is served by the other facilitator or by our lanes, never by both. Our own node shows what the other one does.
  if (app.remotes.has(tier)) return { family, chain: configured.chain, laneClass, submitter: 'remote', lane: null }
  const chain = signs ? chainOf(configured) : null
  const [lane = ''] = signers[laneClass]
  return chain && { family, chain, laneClass, submitter: laneClass, lane: `0x${lane.slice(2)}` }
}

/** The known sender addresses of a tier on a network; null where it is not configured. */
export function signersOf(app: App, tier: Tier, network: NetworkId): readonly string[] | null {
  const facilitator = find(app, tier, network)
  if (!facilitator) return null
  if (facilitator.submitter === 'remote') return (app.remotes.get(tier)?.senders(network) ?? []).map(displayAddress)
  return app.networks.get(network)?.signers[facilitator.submitter] ?? []
}

/** The signers of a tier on a network among these lanes, which other instances may have. */
export function signersAmong(lanes: readonly LaneKey[], tier: Tier, network: NetworkId): string[] {
  const { laneClass } = TIERS[tier]
  return lanes
    .filter((lane) => lane.network === network && lane.class === laneClass)
    .map(({ address }) => displayAddress(address))
}

/** Whether a tier settles Permit2 payments on a network: another facilitator gets none. */
export function settlesPermit2(app: App, tier: Tier, network: NetworkId): boolean {
  const facilitator = find(app, tier, network)
  return facilitator?.family === 'evm' && facilitator.submitter !== 'remote'
}

/** The contract that a scheme needs and a network lacks; null if none is known to be missing. */
export function missingOn(app: App, network: NetworkId, scheme: string): Hex | null {
  const configured = app.networks.get(network)
  return configured?.family === 'evm' ? (configured.missing?.(scheme) ?? null) : null
}

/** The fee payers of a tier on a Solana network; none elsewhere. */
export function feePayersOf(app: App, tier: Tier, network: NetworkId): readonly string[] {
  const facilitator = find(app, tier, network)
  return facilitator?.family === 'svm' ? (app.networks.get(network)?.signers[facilitator.submitter] ?? []) : []
}
