import type { QueryClient } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { cookies } from 'next/headers'
import { isZone } from '@/server/history/zones'
import type { Root } from '@/server/trpc/router'
import { type Environment, environmentAtFirst, environments } from '@/server/x402/networks'

/** What a screen shows before its URL says otherwise. */
export type View = { environment: Environment; zone: string }

/**
 * The views that a screen asks for first: what the account uses, in UTC, because the browser's first render knows no cookie, and what the
 * viewer chose last. One where they are the same; none without an account.
 */
export async function firstViews(trpc: TRPCOptionsProxy<Root>, queries: QueryClient): Promise<View[]> {
  await Promise.all([
    queries.prefetchQuery(trpc.environment.first.queryOptions()),
    queries.prefetchQuery(trpc.session.get.queryOptions()),
  ])
  const used = queries.getQueryData(trpc.environment.first.queryKey())
  const who = queries.getQueryData(trpc.session.get.queryKey())?.who
  if (used === undefined) return []
  const sent = await cookies()
  const usual = { environment: used ?? environmentAtFirst(who?.kind), zone: 'UTC' } as const
  const zone = sent.get('zone')?.value ?? ''
  const environment = sent.get('environment')?.value
  const chosen = {
    environment: environments.find((one) => one === environment) ?? usual.environment,
    zone: isZone(zone) ? zone : 'UTC',
  }
  return chosen.environment === usual.environment && chosen.zone === usual.zone ? [usual] : [usual, chosen]
}
