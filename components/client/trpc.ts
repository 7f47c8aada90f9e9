import type { TRPCClient } from '@trpc/client'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { createContext, useContext } from 'react'
import type { Root } from '@/server/trpc/router'

/** The procedures of the dashboard, on the server and in browsers: the options of each for TanStack Query, and its plain call. */
export type Trpc = TRPCOptionsProxy<Root> & TRPCClient<Root>

const Context = createContext<Trpc | null>(null)

/** Gives the procedures to the screens below. */
export const TRPCProvider = Context.Provider

/** The procedures of the dashboard. Throws outside of `TRPCProvider`. */
export function useTRPC(): Trpc {
  const trpc = useContext(Context)
  if (!trpc) throw new Error('a screen that calls procedures lies in `Providers`')
  return trpc
}
