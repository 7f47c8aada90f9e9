'use client'

import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { type Environment, environmentOf, environments, networkIds } from '@/server/x402/networks'

const parsers = { environment: parseAsStringLiteral(environments), network: parseAsStringLiteral(networkIds) }

/** The environment and network of a screen, kept in the URL. `first` applies if the URL names none; undefined while unknown. */
export function useEnvironment<First extends Environment | undefined>(first: First) {
  const [{ environment, network }, change] = useQueryStates(parsers, { history: 'push' })
  const shown: Environment | First = environment ?? (network ? environmentOf(network) : first)
  return {
    environment: shown,
    network: network && environmentOf(network) === shown ? network : null,
    /** Also clears the network, which belongs to one environment. */
    setEnvironment: (to: Environment) => void change({ environment: to, network: null }),
    setNetwork: (to: (typeof networkIds)[number] | null) => void change({ network: to }),
  }
}
