'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsArrayOf, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { type Environment, environments, type NetworkId, networkIds } from '@/server/x402/networks/networks'
import { selectedEnvironment, selectedNetwork, selectedNetworks } from './environment'
import { environmentQuery, sessionQuery } from './queries'
import { useRemembered } from './remembered'
import { useTRPC } from './trpc'
import { pageParser } from './use-pages'

const parsers = {
  environment: parseAsStringLiteral(environments),
  network: parseAsArrayOf(parseAsStringLiteral(networkIds)),
  ...pageParser,
}

/** The environment of all screens and what narrows it in the URL, with their setters: a network, or the networks of a list. */
export function useEnvironment() {
  const trpc = useTRPC()
  const [named, setInUrl] = useQueryStates(parsers, { history: 'push' })
  const inUrl = { environment: named.environment, network: named.network?.[0] ?? null }
  const [remembered, setRemembered] = useRemembered('environment')
  const enabled = selectedEnvironment(inUrl, remembered) === undefined
  const first = useQuery({ ...environmentQuery(trpc), enabled })
  const session = useQuery({ ...sessionQuery(trpc), enabled })
  const used = first.error ? null : first.data
  const environment = selectedEnvironment(inUrl, remembered, { used, kind: session.data?.who?.kind })
  return {
    environment,
    network: selectedNetwork(inUrl, environment),
    networks: selectedNetworks(named.network, environment),
    /** Also clears the network, which belongs to one environment. */
    setEnvironment(to: Environment) {
      setRemembered(to)
      void setInUrl({ environment: to, network: null, page: null })
    },
    setNetwork: (to: NetworkId | null) => void setInUrl({ network: to && [to], page: null }),
  }
}
