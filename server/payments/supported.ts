import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { Tier } from '../accounts/plans'
import type { App } from '../app'
import { displayAddress } from '../x402/addresses'
import { type NetworkId, networkIds, networks, prefixNetworks } from '../x402/networks'
import { feePayersOf, signersOf } from './facilitators'
import type { supported as schema } from './schemas/response'

/** What this facilitator settles: `/supported` as official clients read it, with the assets beside it. */
export type Supported = z.input<typeof schema>

/** Every configured network. A temporary outage removes none: merchants read this once per process. */
export function supported(app: App): Supported {
  return describeTiers(app, networkIds, ['sandbox', 'standard', 'flash'])
}

/** The networks among these that are configured for a tier. */
export function supportedBy(app: App, tier: Tier, among: readonly NetworkId[]): Supported {
  return describeTiers(app, among, [tier])
}

/** The name of all networks of a family in official clients. */
const FAMILIES = { evm: 'eip155:*', svm: 'solana:*' } as const
const families = ['evm', 'svm'] as const satisfies (keyof typeof FAMILIES)[]

/** The networks that a tier may serve. */
export const TIER_NETWORKS = {
  sandbox: prefixNetworks.sandbox,
  standard: prefixNetworks.v1,
  flash: prefixNetworks.flash,
} as const satisfies Record<Tier, readonly NetworkId[]>

function describeTiers(app: App, among: readonly NetworkId[], tiers: readonly Tier[]): Supported {
  const servedBy = (network: NetworkId) =>
    tiers.flatMap((tier) => (TIER_NETWORKS[tier].includes(network) ? (signersOf(app, tier, network) ?? []) : []))
  const isServed = (network: NetworkId) =>
    tiers.some((tier) => TIER_NETWORKS[tier].includes(network) && signersOf(app, tier, network) !== null)
  const served = among.filter(isServed)
  const signersIn = (family: keyof typeof FAMILIES) => [
    ...new Set(served.filter((network) => networks[network].family === family).flatMap(servedBy)),
  ]
  const kind = (network: NetworkId) => ({ scheme: 'exact' as const, ...feePayerOf(app, tiers, network) })
  return {
    kinds: [
      ...served.map((network) => ({ x402Version: 2 as const, network, ...kind(network) })),
      ...served.map((id) => ({ x402Version: 1 as const, network: networks[id].name, ...kind(id) })),
    ],
    // Merchants whose routes declare it look for this name.
    extensions: ['bazaar'],
    signers: Object.fromEntries(
      families.map((family) => [FAMILIES[family], signersIn(family)] as const).filter(([, signers]) => signers.length > 0),
    ),
    assets: served.map((network) => ({
      network,
      asset: displayAddress(networks[network].asset),
      symbol: 'USDC',
      decimals: 6,
      ...domainOf(network),
    })),
  }
}

// Merchants copy it into what payers sign, so another facilitator's fee payer is passed on.
function feePayerOf(app: App, tiers: readonly Tier[], network: NetworkId): { extra?: { feePayer: string } } {
  const family = networks[network].family
  const feePayer = family === 'svm' ? ownFeePayer(app, tiers, network) : remoteFeePayer(app, tiers, network)
  return feePayer === undefined ? {} : { extra: { feePayer } }
}

function remoteFeePayer(app: App, tiers: readonly Tier[], network: NetworkId): string | undefined {
  return tiers.flatMap((tier) => app.remotes.get(tier)?.feePayer(network) ?? [])[0]
}

// A random one, so that new payments spread; one that can pay if possible, because a merchant keeps it for long.
function ownFeePayer(app: App, tiers: readonly Tier[], network: NetworkId): string | undefined {
  const all = [
    ...new Set(tiers.flatMap((tier) => (TIER_NETWORKS[tier].includes(network) ? feePayersOf(app, tier, network) : []))),
  ]
  const ready = new Set(
    app.engine.laneStatus().flatMap((one) => (one.network === network && one.status === 'ready' ? [one.address] : [])),
  )
  const able = all.filter((address) => ready.has(address))
  const choice = able.length > 0 ? able : all
  return choice[randomInt(Math.max(1, choice.length))]
}

function domainOf(network: NetworkId): { name?: string; version?: string } {
  const row = networks[network]
  return row.family === 'evm' ? row.domain : {}
}
