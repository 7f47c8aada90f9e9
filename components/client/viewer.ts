import type { QueryClient } from '@tanstack/react-query'
import { cookies } from 'next/headers'
import { isZone } from '@/server/base/zones'
import type { Environment, NetworkId } from '@/server/x402/networks/networks'
import { type InUrl, selectedEnvironment, selectedNetwork } from './environment'
import { type FirstView, rememberedNames } from './first-view'
import { environmentQuery, sessionQuery } from './queries'
import type { Trpc } from './trpc'

/** What a screen shows before its URL says otherwise. */
export type View = { environment: Environment; network: NetworkId | null; zone: string }

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

/** The view that a screen asks for first, of the account if neither URL nor viewer chose. Null without an account. */
export async function firstViewOf(trpc: Trpc, queries: QueryClient, inUrl: InUrl): Promise<View | null> {
  const [account, session] = [environmentQuery(trpc), sessionQuery(trpc)]
  const { remembered } = await readFirstView()
  await Promise.all([queries.prefetchQuery(account), queries.prefetchQuery(session)])
  const used = queries.getQueryData(account.queryKey)
  const kind = queries.getQueryData(session.queryKey)?.who?.kind
  const environment = selectedEnvironment(inUrl, remembered.environment, { used, kind })
  if (used === undefined || !environment) return null
  const { zone = '' } = remembered
  return { environment, network: selectedNetwork(inUrl, environment), zone: isZone(zone) ? zone : 'UTC' }
}
