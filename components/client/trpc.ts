import { createTRPCContext, type TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Root } from '@/server/trpc/router'

/** The typed tRPC hooks. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<Root>()

/** The options of every query, on the server and in browsers. */
export type Trpc = TRPCOptionsProxy<Root>
