import type { QueryClient } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { cookies } from 'next/headers'
import { isZone } from '@/server/base/zones'
import type { Root } from '@/server/trpc/router'
import { type Environment, environmentAtFirst, environments } from '@/server/x402/networks/networks'
import { type FirstView, rememberedNames } from './first-view'

/** What a screen shows before its URL says otherwise. */
export type View = { environment: Environment; zone: string }

/** What the HTML of a page is drawn with. */
export async function readFirstView(): Promise<FirstView> {
  const sent = await cookies()
  const remembered = Object.fromEntries(
    rememberedNames.flatMap((name) => {
      const value = sent.get(name)?.value
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return { remembered, now: Date.now() }
}

/** The view that a screen asks for first: what the viewer chose last, else what the account uses, in UTC. Null without an account. */
export async function firstViewOf(trpc: TRPCOptionsProxy<Root>, queries: QueryClient): Promise<View | null> {
  await Promise.all([
    queries.prefetchQuery(trpc.environment.first.queryOptions()),
    queries.prefetchQuery(trpc.session.get.queryOptions()),
  ])
  const used = queries.getQueryData(trpc.environment.first.queryKey())
  const who = queries.getQueryData(trpc.session.get.queryKey())?.who
  if (used === undefined) return null
  const {
    remembered: { environment, zone = '' },
  } = await readFirstView()
  return {
    environment: environments.find((one) => one === environment) ?? used ?? environmentAtFirst(who?.kind),
    zone: isZone(zone) ? zone : 'UTC',
  }
}
