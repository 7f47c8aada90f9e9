import type { Environment } from '@/server/x402/networks/networks'
import { REFRESH_MS } from '../../client/refresh'
import type { Trpc } from '../../client/trpc'

/** What each key settled on each of the last 14 days. */
export const keyActivityQuery = (trpc: Trpc, environment: Environment) =>
  trpc.activity.ofKeys.queryOptions({ environment }, { refetchInterval: REFRESH_MS.activity })
