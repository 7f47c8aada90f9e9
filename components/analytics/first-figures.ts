import type { QueryClient } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Root } from '@/server/trpc/router'
import { firstViews } from '../data/viewer'

type Input = { days: 30; zone: string; within: 'mainnet' | 'testnet' }

/** Runs the first queries of an overview, for each view that the screen may ask for. */
export async function firstFigures(
  trpc: TRPCOptionsProxy<Root>,
  queries: QueryClient,
  queriesOf: (input: Input) => Promise<void>[],
): Promise<void> {
  const views = await firstViews(trpc, queries)
  await Promise.all(views.flatMap(({ environment, zone }) => queriesOf({ days: 30, zone, within: environment })))
}
