import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { Root } from '@/server/trpc/router'

/** The procedures of the service, as React asks them. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<Root>()
