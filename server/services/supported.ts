import { displayAddress } from '../x402/addresses'
import { type NetworkId, networkIds, networks } from '../x402/networks'
import type { App } from './app'
import { signersOf } from './facilitators'
import type { Tier } from './plans'

/** What this facilitator settles: `/supported` as official clients read it, with the assets beside it. */
export type Supported = {
  kinds: { x402Version: 1 | 2; scheme: 'exact'; network: string }[]
  extensions: string[]
  signers: Record<string, string[]>
  assets: { network: string; asset: string; symbol: 'USDC'; decimals: 6; name?: string; version?: string }[]
}

/** Every configured network, whoever may use it. Temporary trouble never removes one: merchants read this once per process. */
export function supported(app: App): Supported {
  return describe(networkIds, (id) => Object.values(app.networks.get(id)?.signers ?? {}).flat())
}

/** The networks among these that are configured for a tier. */
export function supportedBy(app: App, tier: Tier, among: readonly NetworkId[]): Supported {
  return describe(among, (id) => signersOf(app, tier, id))
}

function describe(among: readonly NetworkId[], signersFor: (id: NetworkId) => readonly string[]): Supported {
  const served = among.filter((id) => signersFor(id).length > 0)
  const signers = [...new Set(served.flatMap(signersFor))]
  return {
    kinds: [
      ...served.map((network) => ({ x402Version: 2 as const, scheme: 'exact' as const, network })),
      ...served.map((id) => ({ x402Version: 1 as const, scheme: 'exact' as const, network: networks[id].name })),
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

function domainOf(network: NetworkId): { name?: string; version?: string } {
  const row = networks[network]
  return row.family === 'evm' ? row.domain : {}
}
