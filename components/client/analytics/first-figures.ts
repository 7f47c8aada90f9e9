import type { QueryClient } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Root } from '@/server/trpc/router'
import { firstViewOf } from '../viewer'

type Input = { days: 30; zone: string; within: 'mainnet' | 'testnet' }

/** Runs the first queries of an overview, for the view that the screen asks for. */
export async function firstFigures(
  trpc: TRPCOptionsProxy<Root>,
  queries: QueryClient,
  queriesOf: (input: Input) => Promise<void>[],
): Promise<void> {
  const view = await firstViewOf(trpc, queries)
  if (view) await Promise.all(queriesOf({ days: 30, zone: view.zone, within: view.environment }))
}
