import {
  type Environment,
  environmentAtFirst,
  environmentOf,
  environments,
  type NetworkId,
} from '@/server/x402/networks/networks'

/** The name that screens use for an environment. */
export const environmentTitles = { mainnet: 'Live', testnet: 'Test' } as const satisfies Record<Environment, string>

/** What the URL of a screen says about its environment. */
export type InUrl = { environment: Environment | null; network: NetworkId | null }

/** What an account uses: null before its first settlement, undefined while unknown. */
type Account = { used: Environment | null | undefined; kind: string | undefined }

/**
 * The environment of all screens: that of the URL or of its network, else the one chosen last, else the one that the account uses.
 * Undefined while unknown.
 */
export function selectedEnvironment(inUrl: InUrl, remembered: string | null | undefined, account?: Account) {
  const { environment, network } = inUrl
  const chosen = environment ?? (network ? environmentOf(network) : environments.find((one) => one === remembered))
  return chosen ?? (account?.used === null ? environmentAtFirst(account.kind) : account?.used)
}

/** The network of the URL, if it belongs to the environment that is shown. */
export function selectedNetwork({ network }: InUrl, shown: Environment | undefined): NetworkId | null {
  return selectedNetworks(network && [network], shown)[0] ?? null
}

/** The networks of a URL that belong to the environment that is shown. */
export function selectedNetworks(networks: readonly NetworkId[] | null, shown: Environment | undefined): NetworkId[] {
  return networks?.filter((network) => environmentOf(network) === shown) ?? []
}
