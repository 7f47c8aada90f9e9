'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { useEnvironment } from '../data/environment'
import { useTRPC } from '../data/trpc'

/** The credits, keys and settings of a wallet's agent in one environment. */
export type AgentBalance = inferRouterOutputs<Root>['agent']['balance']

const LIVE_MS = 5_000

/** The balance in the environment of the URL; by default the one where the wallet has bought credits. */
export function useBalance() {
  const trpc = useTRPC()
  const standing = useQuery(trpc.agent.balance.queryOptions({}, { refetchInterval: LIVE_MS }))
  const first = standing.data?.environment ?? 'mainnet'
  const { environment, setEnvironment } = useEnvironment(first)
  const elsewhere = environment !== first
  const chosen = useQuery(
    trpc.agent.balance.queryOptions(
      { environment },
      { enabled: elsewhere, refetchInterval: LIVE_MS, placeholderData: keepPreviousData },
    ),
  )
  const query = elsewhere ? chosen : standing
  return { query, balance: query.data, environment, setEnvironment }
}
