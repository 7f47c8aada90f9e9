import type { Environment } from '@/server/x402/networks/networks'
import { REFRESH_MS } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'

/** The credits, keys and settings of a wallet's agent in one environment. */
export const balanceQuery = (trpc: Trpc, environment: Environment) =>
  trpc.agent.balance.queryOptions({ environment }, { refetchInterval: REFRESH_MS.balance })

/** How the credits of a wallet's agent came and went in 30 days. */
export const creditHistoryQuery = (trpc: Trpc, environment: Environment) =>
  trpc.activity.creditsOfAgent.queryOptions({ environment }, { refetchInterval: REFRESH_MS.activity })
