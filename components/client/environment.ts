'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { type Environment, environmentAtFirst, environmentOf, environments, networkIds } from '@/server/x402/networks/networks'
import { useRemembered } from './remembered'
import { useTRPC } from './trpc'

/** The name that screens use for an environment. */
export const environmentTitles = { mainnet: 'Live', testnet: 'Test' } as const satisfies Record<Environment, string>

const parsers = { environment: parseAsStringLiteral(environments), network: parseAsStringLiteral(networkIds) }

const POLL_MS = 5_000

/**
 * The environment of all screens: that of the URL or of its network, else the one chosen last, else the one that the account uses.
 * Undefined while unknown. The network of the URL narrows it.
 */
export function useEnvironment() {
  const trpc = useTRPC()
  const [{ environment, network }, change] = useQueryStates(parsers, { history: 'push' })
  const [remembered, setRemembered] = useRemembered('environment')
  const chosen = environment ?? (network ? environmentOf(network) : environments.find((one) => one === remembered))
  const first = useQuery(trpc.environment.first.queryOptions(undefined, { ...untilUsed, enabled: chosen === undefined }))
  const session = useQuery(trpc.session.get.queryOptions(undefined, { staleTime: 60_000, enabled: chosen === undefined }))
  const shown = chosen ?? (first.data === null || first.error ? environmentAtFirst(session.data?.who?.kind) : first.data)
  return {
    environment: shown,
    network: network && environmentOf(network) === shown ? network : null,
    /** Also clears the network, which belongs to one environment. */
    setEnvironment(to: Environment) {
      setRemembered(to)
      void change({ environment: to, network: null })
    },
    setNetwork: (to: (typeof networkIds)[number] | null) => void change({ network: to }),
  }
}

/** Polls until the account has a settlement. */
export const untilUsed = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: ({ state }: { state: { data: Environment | null | undefined } }) => (state.data === null ? POLL_MS : false),
} as const
