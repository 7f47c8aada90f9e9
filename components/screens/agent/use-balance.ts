'use client'

import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { useEnvironment } from '../../client/environment'
import { useTRPC } from '../../client/trpc'

/** The credits, keys and settings of a wallet's agent in one environment. */
export type AgentBalance = inferRouterOutputs<Root>['agent']['balance']

const LIVE_MS = 5_000

/** The balance in the environment of all screens. */
export function useBalance() {
  const trpc = useTRPC()
  const { environment } = useEnvironment()
  const options = { refetchInterval: LIVE_MS, placeholderData: keepPreviousData } as const
  const query = useQuery(trpc.agent.balance.queryOptions(environment ? { environment } : skipToken, options))
  return { query, balance: query.data, environment }
}
