import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { Root } from '@/server/trpc/router'

/** The typed tRPC hooks. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<Root>()
