'use client'

import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { type Environment, environmentOf, environments, networkIds } from '@/server/x402/networks'

const parsers = { environment: parseAsStringLiteral(environments), network: parseAsStringLiteral(networkIds) }

/**
 * Whether figures are of mainnets or of testnets, and of which network if of one alone: in the address of the page, so that a link shows the
 * same. `first` is what is shown where the address says nothing; undefined while it is not known.
 */
export function useEnvironment<First extends Environment | undefined>(first: First) {
  const [{ environment, network }, change] = useQueryStates(parsers, { history: 'push' })
  const shown: Environment | First = environment ?? (network ? environmentOf(network) : first)
  return {
    environment: shown,
    network: network && environmentOf(network) === shown ? network : null,
    /** Another environment has other networks. */
    setEnvironment: (to: Environment) => void change({ environment: to, network: null }),
    setNetwork: (to: (typeof networkIds)[number] | null) => void change({ network: to }),
  }
}
