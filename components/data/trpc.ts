import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { Root } from '@/server/trpc/root'

/** The typed tRPC hooks. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<Root>()
