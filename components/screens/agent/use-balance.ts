'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { balanceQuery } from './queries'

/** The credits, keys and settings of a wallet's agent in one environment. */
export type AgentBalance = inferRouterOutputs<Root>['agent']['balance']

/** The balance in the environment of all screens. */
export function useBalance() {
  const trpc = useTRPC()
  const { environment } = useEnvironment()
  const query = useQuery({
    ...balanceQuery(trpc, environment ?? 'mainnet'),
    enabled: environment !== undefined,
    placeholderData: keepPreviousData,
  })
  return { query, balance: query.data, environment }
}
