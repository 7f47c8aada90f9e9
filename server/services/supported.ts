import { displayAddress } from '../x402/addresses'
import { type NetworkId, networkIds, networks } from '../x402/networks'
import type { App } from './app'
import { signersOf } from './facilitators'
import type { Tier } from './plans'
import { prefixNetworks } from './prefixes'

/** What this facilitator settles: `/supported` as official clients read it, with the assets beside it. */
export type Supported = {
  kinds: { x402Version: 1 | 2; scheme: 'exact'; network: string; extra?: { feePayer: string } }[]
  extensions: string[]
  signers: Record<string, string[]>
  assets: { network: string; asset: string; symbol: 'USDC'; decimals: 6; name?: string; version?: string }[]
}

/** Every configured network, whoever may use it. Temporary trouble never removes one: merchants read this once per process. */
export function supported(app: App): Supported {
  return describe(app, networkIds, ['sandbox', 'standard', 'flash'])
}

/** The networks among these that are configured for a tier. */
export function supportedBy(app: App, tier: Tier, among: readonly NetworkId[]): Supported {
  return describe(app, among, [tier])
}

const TIER_NETWORKS = {
  sandbox: prefixNetworks.sandbox,
  standard: prefixNetworks.v1,
  flash: prefixNetworks.flash,
} as const satisfies Record<Tier, readonly NetworkId[]>

function describe(app: App, among: readonly NetworkId[], tiers: readonly Tier[]): Supported {
  const servedBy = (network: NetworkId) =>
    tiers.flatMap((tier) => (TIER_NETWORKS[tier].includes(network) ? (signersOf(app, tier, network) ?? []) : []))
  const isServed = (network: NetworkId) =>
    tiers.some((tier) => TIER_NETWORKS[tier].includes(network) && signersOf(app, tier, network) !== null)
  const served = among.filter(isServed)
  const signers = [...new Set(served.flatMap(servedBy))]
  const kind = (network: NetworkId) => ({ scheme: 'exact' as const, ...feePayerOf(app, tiers, network) })
  return {
    kinds: [
      ...served.map((network) => ({ x402Version: 2 as const, network, ...kind(network) })),
      ...served.map((id) => ({ x402Version: 1 as const, network: networks[id].name, ...kind(id) })),
    ],
    extensions: [],
    signers: signers.length > 0 ? { 'eip155:*': signers } : {},
    assets: served.map((network) => ({
      network,
      asset: displayAddress(networks[network].asset),
      symbol: 'USDC',
      decimals: 6,
      ...domainOf(network),
    })),
  }
}

// Merchants copy it into what payers sign, so another facilitator's own is passed on.
function feePayerOf(app: App, tiers: readonly Tier[], network: NetworkId): { extra?: { feePayer: string } } {
  const feePayers = tiers.flatMap((tier) => app.remotes.get(tier)?.feePayer(network) ?? [])
  return feePayers[0] === undefined ? {} : { extra: { feePayer: feePayers[0] } }
}

function domainOf(network: NetworkId): { name?: string; version?: string } {
  const row = networks[network]
  return row.family === 'evm' ? row.domain : {}
}
