import { type NetworkId, networkIds, networks } from './networks'

/** What money is worth something: credits bought on testnets settle on testnets only. */
export const environments = ['mainnet', 'testnet'] as const

export type Environment = (typeof environments)[number]

/** The environment of a network. */
export function environmentOf(network: NetworkId): Environment {
  return networks[network].testnet ? 'testnet' : 'mainnet'
}

/** The networks of an environment. */
export function networksIn(environment: Environment): NetworkId[] {
  return networkIds.filter((id) => environmentOf(id) === environment)
}
